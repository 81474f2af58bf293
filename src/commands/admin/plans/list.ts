import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import type { Column } from '../../../io/output/table.js';
import { withAdministration } from '../../../service/administration/open.js';
import { listPlans } from '../../../service/administration/plans.js';
import { PLAN_COLUMNS, planRow } from './rows.js';

/** A list stays a table on 80 columns without the weight, which few plans have. */
const LIST_COLUMNS = PLAN_COLUMNS.map((name): Column => (name === 'Weight' ? { name, omitWhen: 'early' } : name));

/** Lists the plans of a service, from the smallest to the largest. */
export async function list({ env, output }: Context, location: ServiceLocation): Promise<void> {
  const plans = await withAdministration(location, env, async ({ store }) => await listPlans(store));
  if (output.isJson) return await output.json(plans);
  await output.table(LIST_COLUMNS, plans.map(planRow));
}
