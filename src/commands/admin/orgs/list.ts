import type { Context } from '../../../context.js';
import { type ServiceLocation, withLocation } from '../../../contract/command-words.js';
import { ageCell } from '../../../io/output/age-cell.js';
import type { Column } from '../../../io/output/table.js';
import { withAdministration } from '../../../service/administration/open.js';
import { listOrganisations } from '../../../service/administration/organisations.js';
import { describeOwnLimits } from './own-limits.js';

/** Lists every organisation of a service, oldest first. */
export async function list({ env, output, clock }: Context, location: ServiceLocation): Promise<void> {
  const organisations = await withAdministration(location, env, async ({ store }) => await listOrganisations(store));
  if (output.isJson) return await output.json(organisations);
  if (organisations.length === 0)
    output.note(withLocation('No organisations yet. Create one: ocr admin orgs create --name <name>', location));
  else {
    const nowMs = clock.now();
    await output.table(
      COLUMNS,
      organisations.map(({ orgId, name, plan, subscription, createdAt, ...limits }) => [
        orgId,
        { prose: name },
        plan,
        subscription,
        ageCell(createdAt, nowMs),
        { prose: describeOwnLimits(limits) },
      ]),
    );
  }
}

const COLUMNS: readonly Column[] = [
  'Organisation',
  'Name',
  { name: 'Plan', omitWhen: 'narrowest' },
  'Subscription',
  { name: 'Created', omitWhen: 'narrow' },
  { name: 'Own limits', omitWhen: 'empty' },
];
