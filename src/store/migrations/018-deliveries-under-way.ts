import { newIndex } from './new-index.js';

/** Finds the deliveries of an endpoint that senders have now, of which there are few, among all that wait. */
export const deliveriesUnderWay = newIndex(
  'webhook_delivery_under_way',
  `webhook_delivery (endpoint_id) WHERE status = 'pending' AND token IS NOT NULL`,
);
