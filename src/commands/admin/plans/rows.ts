import type { Cell, Column } from '../../../io/output/table.js';
import type { PlanView } from '../../../service/administration/plans.js';

const ALWAYS_SHOWN = ['Plan', 'Functions', 'Page cap', 'Documents a period', 'Requests a window', 'Webhooks'];
const WEIGHT = 'Weight';

export const PLAN_COLUMNS = [...ALWAYS_SHOWN, WEIGHT];

/** Columns of a list of plans: on 80 columns it stays a table, without the weight, which few plans have. */
export const PLAN_LIST_COLUMNS: readonly Column[] = [...ALWAYS_SHOWN, { name: WEIGHT, omitWhen: 'early' }];

/** Returns the values in the order of the columns. */
export function planValues(plan: PlanView): string[] {
  return withFunctions(plan, plan.functions?.join(', ') ?? 'all');
}

/** Returns the values as a row of a table; a narrow table shows the number of functions. */
export function planRow(plan: PlanView): Cell[] {
  const { functions } = plan;
  return withFunctions<Cell>(
    plan,
    functions === null ? 'all' : { whole: functions.join(', '), short: `${functions.length} of them` },
  );
}

const withFunctions = <Functions>(plan: PlanView, functions: Functions): (string | Functions)[] => [
  plan.plan,
  functions,
  String(plan.pageCap ?? 'none'),
  String(plan.documentsPerPeriod ?? 'none'),
  String(plan.requestsPerWindow),
  plan.webhooks ? 'yes' : 'no',
  String(plan.weight),
];
