import type { Context } from '../../../context.js';
import { withAdministration } from '../../../service/administration/open.js';
import { rotateSecret } from '../../../service/administration/webhooks.js';
import type { EndpointOptions } from './remove.js';

/** Gives an endpoint a new signing secret and prints it, only this once. The old one also signs for a day. */
export async function rotate({ env, output }: Context, { endpointId, ...location }: EndpointOptions): Promise<void> {
  const rotated = await withAdministration(location, env, (administration) => rotateSecret(administration, endpointId));
  if (output.isJson) return await output.json(rotated);
  await output.properties([
    ['Endpoint', endpointId],
    ['Secret', rotated.secret],
    ['The one before signs until', rotated.previousSecretUntil],
  ]);
  output.note('The secret will not be shown again: give it to the receiver now.');
}
