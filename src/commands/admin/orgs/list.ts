import type { Context } from '../../../context.js';
import { type Place, withAdministration } from '../../../service/administration/open.js';
import { listOrganisations } from '../../../service/administration/organisations.js';

/** Every organisation of a service, oldest first. */
export async function list({ env, output }: Context, place: Place): Promise<void> {
  const organisations = await withAdministration(place, env, async ({ store }) => listOrganisations(store));
  if (output.isJson) return await output.json(organisations);
  await output.table(
    ['Organisation', 'Name', 'Plan', 'Subscription', 'Created'],
    organisations.map(({ orgId, name, plan, subscription, createdAt }) => [orgId, name, plan, subscription, createdAt]),
  );
}
