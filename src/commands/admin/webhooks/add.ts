import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import type { EventType } from '../../../contract/webhook-event.js';
import { withAdministration } from '../../../service/administration/open.js';
import { addEndpoint } from '../../../service/administration/webhooks.js';

export interface AddOptions extends ServiceLocation {
  orgId: string;
  url: string;
  /** An empty list stands for all. */
  events: EventType[];
}

/** Registers an endpoint and prints its signing secret, only this once. */
export async function add({ env, output }: Context, { orgId, url, events, ...location }: AddOptions) {
  const endpoint = await withAdministration(location, env, (administration) =>
    addEndpoint(administration, { orgId, url, events }),
  );
  if (output.isJson) return await output.json(endpoint);
  await output.properties([
    ['Endpoint', endpoint.endpointId],
    ['URL', endpoint.url],
    ['Events', endpoint.events.join(', ')],
    ['Secret', endpoint.secret],
  ]);
  output.note('The secret will not be shown again: give it to the receiver now.');
}
