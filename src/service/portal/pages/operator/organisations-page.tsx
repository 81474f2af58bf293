import { SUBSCRIPTIONS, type Subscription } from '../../../../contract/subscription.js';
import type { OrganisationLine, OrganisationPageFilter } from '../../../../store/organisation-pages.js';
import type { Page as Part } from '../../../../store/page.js';
import { EmptyState } from '../../components/empty-state.js';
import { ANY, Choice, ErrorSummary, errorOf, Field, type FieldError, optionsOf } from '../../components/fields.js';
import { Filters } from '../../components/filters.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { ListPanel } from '../../components/list-panel.js';
import { Page } from '../../components/page.js';
import { OPERATORS } from '../../roles.js';
import { readBefore, readOption, readTyped } from '../read-query.js';
import { OperatorTabs } from './operator-tabs.js';
import { organisationColumns } from './organisation-columns.js';
import { OPERATOR_PATH, ORGANISATIONS_PATH } from './paths.js';

const LABELS = { word: 'Name', state: 'State', plan: 'Plan' } as const;
type FilterName = keyof typeof LABELS;

export interface ReadOrganisations {
  filter: OrganisationPageFilter;
  query: Partial<Record<FilterName, string>>;
  errors: FieldError[];
}

/** Reads the filters of an address. */
export function readOrganisationsFilter(params: URLSearchParams): ReadOrganisations {
  const query = readTyped(params, LABELS);
  const errors: FieldError[] = [];
  const state = readOption<Subscription>(
    { name: 'state', label: LABELS.state, options: SUBSCRIPTIONS },
    query.state,
    errors,
  );
  return { filter: { word: query.word, plan: query.plan, state, before: readBefore(params, 'org') }, query, errors };
}

interface OrganisationsProps {
  frame: Frame;
  read: ReadOrganisations;
  part: Part<OrganisationLine>;
  plans: readonly string[];
}

/** Every organisation of the service. */
export function OrganisationsPage({ frame, read, part, plans }: OrganisationsProps) {
  const { query, errors, filter } = read;
  const chips = (Object.entries(query) as Array<[FilterName, string]>).map(([name, value]) => ({
    name,
    label: LABELS[name],
    value,
  }));
  return (
    <Page
      frame={frame}
      title="Operator"
      styles={['lists.css', 'figures.css']}
      actions={
        OPERATORS.includes(frame.role) ? (
          <Link class="button main" to={`${ORGANISATIONS_PATH}/new`}>
            Create organisation
          </Link>
        ) : undefined
      }
    >
      <OperatorTabs current={OPERATOR_PATH} />
      <ErrorSummary errors={errors} />
      <Filters path={OPERATOR_PATH} chips={chips} query={query} isOpen={errors.length > 0}>
        <Field
          name="word"
          label={LABELS.word}
          value={query.word ?? ''}
          hint="A part of it"
          {...errorOf(errors, 'word')}
        />
        <Choice
          name="state"
          label={LABELS.state}
          value={query.state ?? ''}
          options={[ANY, ...optionsOf(SUBSCRIPTIONS)]}
          {...errorOf(errors, 'state')}
        />
        <Choice name="plan" label={LABELS.plan} value={query.plan ?? ''} options={[ANY, ...optionsOf(plans)]} />
      </Filters>
      <ListPanel
        caption="Organisations, newest first"
        columns={organisationColumns((id) => ({ path: `${ORGANISATIONS_PATH}/${id}` }))}
        idOf={({ id }) => id}
        part={part}
        path={OPERATOR_PATH}
        query={query}
        isOlderPage={filter.before !== undefined}
      >
        <EmptyState title={chips.length > 0 ? 'No organisation matches' : 'No organisations yet'}>
          <p>
            {chips.length > 0
              ? 'Remove a filter above to see more.'
              : 'Create one, then invite its first owner from its page.'}
          </p>
        </EmptyState>
      </ListPanel>
    </Page>
  );
}
