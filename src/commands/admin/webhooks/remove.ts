import type { Context } from '../../../context.js';
import { type Place, withAdministration } from '../../../service/administration/open.js';
import { dropEndpoint } from '../../../service/administration/webhooks.js';

export interface EndpointOptions extends Place {
  endpointId: string;
}

/** Nothing more is sent to it; what waited for it is dead. */
export async function remove({ env, output }: Context, { endpointId, ...place }: EndpointOptions): Promise<void> {
  await withAdministration(place, env, (administration) => dropEndpoint(administration, endpointId));
  if (output.isJson) return await output.json({ endpointId, removed: true });
  output.note(`Removed ${endpointId}`);
}
