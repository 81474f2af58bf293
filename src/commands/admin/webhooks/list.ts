import type { Context } from '../../../context.js';
import { type Place, withAdministration } from '../../../service/administration/open.js';
import { viewEndpoints } from '../../../service/administration/webhooks.js';

export interface ListOptions extends Place {
  orgId?: string;
}

/** The endpoints of one organisation, or of all; oldest first, without their secrets. */
export async function list({ env, output }: Context, { orgId, ...place }: ListOptions): Promise<void> {
  const endpoints = await withAdministration(place, env, async (administration) =>
    viewEndpoints(administration, orgId),
  );
  if (output.isJson) return await output.json(endpoints);
  await output.table(
    ['Endpoint', 'Organisation', 'Events', 'Created', 'URL'],
    endpoints.map(({ endpointId, orgId, events, createdAt, url }) => [
      endpointId,
      orgId,
      events.join(', '),
      createdAt,
      url,
    ]),
  );
}
