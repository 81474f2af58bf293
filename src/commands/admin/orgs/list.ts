import type { Context } from '../../../context.js';
import { type ServiceLocation, withLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { listOrganisations } from '../../../service/administration/organisations.js';

/** Every organisation of a service, oldest first. */
export async function list({ env, output }: Context, location: ServiceLocation): Promise<void> {
  const organisations = await withAdministration(location, env, async ({ store }) => await listOrganisations(store));
  if (output.isJson) return await output.json(organisations);
  if (organisations.length === 0)
    output.note(withLocation('No organisations yet. Create one: ocr admin orgs create --name <name>', location));
  else
    await output.table(
      ['Organisation', 'Name', 'Plan', 'Subscription', 'Created'],
      organisations.map((one) => [one.orgId, one.name, one.plan, one.subscription, one.createdAt]),
    );
}
