import { newIndex } from './new-index.js';

/** Finds the dead deliveries of an organisation among those that arrived. */
export const deadDeliveries = newIndex(
  'webhook_delivery_dead',
  `webhook_delivery (organisation_id, created_at) WHERE status = 'dead'`,
);
