import type { Context } from '../../../context.js';
import { type Place, withAdministration } from '../../../service/administration/open.js';
import { resend as resendDelivery } from '../../../service/administration/webhook-deliveries.js';

export interface ResendOptions extends Place {
  deliveryId: string;
}

/** Sends a delivery again, under the same id. */
export async function resend({ env, output }: Context, { deliveryId, ...place }: ResendOptions): Promise<void> {
  await withAdministration(place, env, (administration) => resendDelivery(administration, deliveryId));
  if (output.isJson) return await output.json({ deliveryId, status: 'pending' });
  output.note(`${deliveryId} will be sent again, at once if the service is running`);
}
