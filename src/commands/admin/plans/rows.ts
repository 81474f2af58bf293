import type { Cell } from '../../../io/output/table.js';
import type { PlanView } from '../../../service/administration/plans.js';

export const PLAN_COLUMNS = [
  'Plan',
  'Functions',
  'Page cap',
  'Documents a period',
  'Requests a window',
  'Webhooks',
  'Weight',
];

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
