import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { resend as resendDelivery } from '../../../service/administration/webhook-deliveries.js';

export interface ResendOptions extends ServiceLocation {
  deliveryId: string;
}

/** Sends a delivery again, under the same id. */
export async function resend({ env, output }: Context, { deliveryId, ...location }: ResendOptions): Promise<void> {
  await withAdministration(location, env, (administration) => resendDelivery(administration, deliveryId));
  if (output.isJson) return await output.json({ deliveryId, status: 'pending' });
  output.note(`${deliveryId} will be sent again, at once if the service is running`);
}
