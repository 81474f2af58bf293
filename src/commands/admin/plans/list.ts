import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { listPlans } from '../../../service/administration/plans.js';
import { PLAN_LIST_COLUMNS, planRow } from './rows.js';

/** Lists the plans of a service, from the smallest to the largest. */
export async function list({ env, output }: Context, location: ServiceLocation): Promise<void> {
  const plans = await withAdministration(location, env, async ({ store }) => await listPlans(store));
  if (output.isJson) return await output.json(plans);
  await output.table(PLAN_LIST_COLUMNS, plans.map(planRow));
}
