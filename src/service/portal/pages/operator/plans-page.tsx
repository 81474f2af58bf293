import { catalog } from '../../../../functions/catalog.js';
import type { Plan } from '../../../../store/plans.js';
import { isBuiltIn } from '../../../administration/plans.js';
import { type Column, DataTable } from '../../components/data-table.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Page } from '../../components/page.js';
import { OPERATORS } from '../../roles.js';
import { OperatorTabs } from './operator-tabs.js';
import { PLANS_PATH } from './paths.js';

const format = (n: number) => n.toLocaleString('en');
const orNone = (n: number | undefined) => (n === undefined ? 'no limit' : format(n));

/** The plans of the service, smallest first. */
export function PlansPage({ frame, plans }: { frame: Frame; plans: readonly Plan[] }) {
  const isOperator = OPERATORS.includes(frame.role);
  return (
    <Page
      frame={frame}
      title="Operator"
      actions={
        isOperator ? (
          <Link class="button main" to={`${PLANS_PATH}/new`}>
            Create plan
          </Link>
        ) : undefined
      }
    >
      <OperatorTabs current={PLANS_PATH} />
      <div class="panel">
        <DataTable
          caption="Plans, smallest first"
          columns={isOperator ? [...COLUMNS, ACTIONS] : COLUMNS}
          rows={plans}
          idOf={({ name }) => `plan-${name}`}
        />
      </div>
    </Page>
  );
}

const COLUMNS: ReadonlyArray<Column<Plan>> = [
  { title: 'Plan', class: 'nowrap', cell: ({ name }) => <strong>{name}</strong> },
  {
    title: 'Functions',
    cell: ({ functions }) => (functions === undefined ? 'all' : `${functions.length} of ${catalog.length}`),
  },
  { title: 'Pages', class: 'number', cell: ({ pageCap }) => orNone(pageCap) },
  { title: 'Documents', class: 'number', cell: ({ documentsPerPeriod }) => orNone(documentsPerPeriod) },
  { title: 'Calls', class: 'number', cell: ({ requestsPerWindow }) => format(requestsPerWindow) },
  { title: 'Webhooks', cell: ({ hasWebhooks }) => (hasWebhooks ? 'yes' : 'no') },
  { title: 'Weight', class: 'number', cell: ({ weight }) => format(weight) },
];

const ACTIONS: Column<Plan> = {
  title: 'Actions',
  class: 'end',
  cell: (plan) => <PlanActions {...plan} />,
};

function PlanActions(plan: Plan) {
  const { name } = plan;
  return (
    <span class="row-actions">
      <Link class="button small" to={`${PLANS_PATH}/${name}`} label={`Change ${name}`}>
        Change
      </Link>
      {isBuiltIn(plan) ? null : (
        <Link class="button small" to={`${PLANS_PATH}/${name}/remove`} label={`Remove ${name}`} asks>
          Remove
        </Link>
      )}
    </span>
  );
}
