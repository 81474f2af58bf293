import type { OcrFunction } from '../../../../functions/function.js';
import type { Plan } from '../../../../store/plans.js';
import { Badge } from '../../components/badge.js';
import { None } from '../../components/data-table.js';

/** Says if a plan includes a function. */
export function InPlan({ id, plan }: { id: string; plan: Plan | undefined }) {
  if (plan === undefined) return <None />;
  const isIncluded = isInPlan(id, plan);
  return <Badge tone={isIncluded ? 'good' : 'wait'}>{isIncluded ? 'in the plan' : 'not in the plan'}</Badge>;
}

export function isInPlan(id: string, { functions }: Plan): boolean {
  return functions?.includes(id) ?? true;
}

/** Returns the pages that a document may have: the lower cap of the function and of the plan. */
export function pageCapOf({ pageCap }: OcrFunction, plan: Plan | undefined): number {
  return Math.min(pageCap, plan?.pageCap ?? Infinity);
}
