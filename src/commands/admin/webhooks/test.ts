import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { sendTest } from '../../../service/administration/webhook-deliveries.js';

export interface TestOptions extends ServiceLocation {
  endpointId: string;
}

/** Sends a sample delivery, marked as a test, to an endpoint. */
export async function test({ env, output }: Context, { endpointId, ...location }: TestOptions): Promise<void> {
  const delivery = await withAdministration(location, env, (administration) => sendTest(administration, endpointId));
  if (output.isJson) return await output.json({ ...delivery, endpointId, status: 'pending', test: true });
  output.note(`${delivery.deliveryId} will be sent as a test, at once if the service is running`);
  output.note(`Its attempts: ocr admin webhooks deliveries --endpoint ${endpointId} --limit 1 --json`);
}
