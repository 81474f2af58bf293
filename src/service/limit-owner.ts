import type { OwnLimit, Plan } from '../store/plans.js';

/** Names the owner of a limit, for the middle of a sentence: "the plan STARTER", or the organisation with a limit of its own. */
export function ownerOf({ name, own = [] }: Pick<Plan, 'name' | 'own'>, limit: OwnLimit): string {
  return own.includes(limit) ? "this organisation's own limit" : `the plan ${name}`;
}

/** The same at the beginning of a sentence. */
export function ownerAtStart(plan: Pick<Plan, 'name' | 'own'>, limit: OwnLimit): string {
  const owner = ownerOf(plan, limit);
  return owner.charAt(0).toUpperCase() + owner.slice(1);
}
