import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { getPlan } from '../../../service/administration/plans.js';
import { PLAN_COLUMNS, planValues } from './rows.js';

export interface GetOptions extends ServiceLocation {
  plan: string;
}

/** Prints the limits of a plan. @throws OcrError NOT_FOUND */
export async function get({ env, output }: Context, options: GetOptions): Promise<void> {
  const plan = await withAdministration(options, env, async ({ store }) => await getPlan(store, options.plan));
  if (output.isJson) return await output.json(plan);
  const values = planValues(plan);
  await output.properties(PLAN_COLUMNS.map((name, i) => [name, values[i]]));
}
