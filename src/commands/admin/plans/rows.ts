import type { PlanView } from '../../../service/administration/plans.js';

export const PLAN_COLUMNS = ['Plan', 'Functions', 'Page cap', 'Documents a period', 'Requests a window', 'Webhooks'];

export function planRow(plan: PlanView): string[] {
  return [
    plan.plan,
    plan.functions?.join(', ') ?? 'all',
    String(plan.pageCap ?? 'none'),
    String(plan.documentsPerPeriod ?? 'none'),
    String(plan.requestsPerWindow),
    plan.webhooks ? 'yes' : 'no',
  ];
}
