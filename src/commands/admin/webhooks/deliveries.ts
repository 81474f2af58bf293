import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { withAdministration } from '../../../service/administration/open.js';
import { type DeliveryView, viewDeliveries } from '../../../service/administration/webhook-deliveries.js';

export interface DeliveriesOptions extends ServiceLocation {
  orgId?: string;
  endpointId?: string;
  status?: DeliveryView['status'];
  limit: number;
}

/** What was sent and what waits, newest first, with every attempt. */
export async function deliveries({ env, output }: Context, { orgId, ...options }: DeliveriesOptions): Promise<void> {
  const found = await withAdministration(options, env, (administration) =>
    viewDeliveries(administration, { ...options, ...(orgId === undefined ? {} : { organisationId: orgId }) }),
  );
  if (output.isJson) return await output.json(found);
  if (found.length === 0) return output.note('No such deliveries.');
  await output.table(
    ['Delivery', 'Event', 'Status', 'Attempts', 'Endpoint', 'Created', 'Next attempt', 'Last answer'],
    found.map(rowOf),
  );
}

function rowOf(delivery: DeliveryView): string[] {
  const { deliveryId, event, status, attempts, endpointId, createdAt, nextAttemptAt } = delivery;
  const last = attempts.at(-1);
  const answer = last === undefined ? '' : String(last.status ?? last.error ?? '');
  return [deliveryId, event, status, String(attempts.length), endpointId, createdAt, nextAttemptAt ?? '', answer];
}
