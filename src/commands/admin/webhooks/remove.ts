import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { dropEndpoint } from '../../../service/administration/webhooks.js';

export interface EndpointOptions extends ServiceLocation {
  endpointId: string;
}

/** Removes an endpoint. Its pending deliveries become dead letters. */
export async function remove({ env, output }: Context, { endpointId, ...location }: EndpointOptions): Promise<void> {
  await withAdministration(location, env, (administration) => dropEndpoint(administration, endpointId));
  if (output.isJson) return await output.json({ endpointId, removed: true });
  output.note(`Removed ${endpointId}`);
}
