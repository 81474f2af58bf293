import { countOf } from '../../contract/count-of.js';
import type { OcrFunction } from '../../functions/function.js';
import type { Plan } from '../../store/plans.js';
import { ownerOf } from '../limit-owner.js';

/** Returns what is wrong with a document beyond the lower cap of the function and the plan, naming the owner of the cap. */
export function describeExcessPages(
  pageCount: number,
  target: Pick<OcrFunction, 'id' | 'pageCap'>,
  plan: Pick<Plan, 'name' | 'pageCap' | 'own'> | undefined,
): string | undefined {
  const planCap = plan?.pageCap ?? Infinity;
  const cap = Math.min(planCap, target.pageCap);
  if (pageCount <= cap) return undefined;
  const whose =
    plan !== undefined && planCap < target.pageCap ? `${ownerOf(plan, 'pageCap')} allows` : `${target.id} takes`;
  return `The document has ${countOf(pageCount, 'page')}; ${whose} ${cap} at most`;
}
