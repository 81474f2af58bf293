import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { type PlanChange, setPlan } from '../../../service/administration/plans.js';
import { PLAN_COLUMNS, planRow } from './rows.js';

export interface SetOptions extends ServiceLocation {
  plan: string;
  change: PlanChange;
}

/** Changes the limits of a plan, for every organisation that has it. @throws OcrError NOT_FOUND, USAGE */
export async function set({ env, output }: Context, options: SetOptions): Promise<void> {
  const { plan, seenWithinMs } = await withAdministration(options, env, async ({ store, config }) => ({
    plan: await setPlan(store, options.plan, options.change),
    seenWithinMs: config.keyCacheMs,
  }));
  if (output.isJson) return await output.json(plan);
  await output.table(PLAN_COLUMNS, [planRow(plan)]);
  output.note(`A running service picks this up within ${seenWithinMs / 1000} s.`);
}
