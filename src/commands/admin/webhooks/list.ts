import type { Context } from '../../../context.js';
import { type ServiceLocation, withLocation } from '../../../contract/command-words.js';
import { ageCell } from '../../../io/output/age-cell.js';
import type { Column } from '../../../io/output/table.js';
import { withAdministration } from '../../../service/administration/open.js';
import { viewEndpoints } from '../../../service/administration/webhooks.js';

export interface ListOptions extends ServiceLocation {
  orgId?: string;
}

/** Lists the endpoints of one organisation, or of all, oldest first, without their secrets. */
export async function list({ env, output, clock }: Context, { orgId, ...location }: ListOptions): Promise<void> {
  const endpoints = await withAdministration(location, env, async (administration) =>
    viewEndpoints(administration, orgId),
  );
  if (output.isJson) return await output.json(endpoints);
  if (endpoints.length === 0)
    return output.note(
      withLocation('No endpoints. Add one: ocr admin webhooks add --org <orgId> --url <url>', location),
    );
  const nowMs = clock.now();
  await output.table(
    COLUMNS,
    endpoints.map(({ endpointId, orgId, orgName, events, createdAt, url }) => [
      endpointId,
      orgId,
      { prose: events.join(', ') },
      ageCell(createdAt, nowMs),
      { path: url },
      { prose: orgName ?? '' },
    ]),
  );
}

const COLUMNS: readonly Column[] = [
  'Endpoint',
  { name: 'Organisation', omitWhen: 'narrow' },
  { name: 'Events', omitWhen: 'narrow' },
  { name: 'Created', omitWhen: 'narrow' },
  'URL',
  { name: 'Organisation name', omitWhen: 'early' },
];
