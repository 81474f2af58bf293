import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { ageCell } from '../../../io/output/age-cell.js';
import type { Cell, Column } from '../../../io/output/table.js';
import { withAdministration } from '../../../service/administration/open.js';
import { type DeliveryView, viewDeliveries } from '../../../service/administration/webhook-deliveries.js';

export interface DeliveriesOptions extends ServiceLocation {
  orgId?: string;
  endpointId?: string;
  status?: DeliveryView['status'];
  limit: number;
}

/** Lists sent and pending deliveries, newest first, with every attempt. */
export async function deliveries(
  { env, output, clock }: Context,
  { orgId, ...options }: DeliveriesOptions,
): Promise<void> {
  const found = await withAdministration(options, env, (administration) =>
    viewDeliveries(administration, { ...options, ...(orgId === undefined ? {} : { organisationId: orgId }) }),
  );
  if (output.isJson) return await output.json(found);
  if (found.length === 0) return output.note('No such deliveries.');
  const nowMs = clock.now();
  await output.table(
    COLUMNS,
    found.map((delivery) => rowOf(delivery, nowMs)),
  );
}

const COLUMNS: readonly Column[] = [
  'Delivery',
  { name: 'Event', omitWhen: 'narrow' },
  'Status',
  { name: 'Attempts', omitWhen: 'narrowest' },
  { name: 'Endpoint', omitWhen: 'narrow' },
  'Created',
  { name: 'Next attempt', omitWhen: 'narrow' },
  'Last answer',
  { name: 'Organisation name', omitWhen: 'early' },
];

function rowOf(delivery: DeliveryView, nowMs: number): Cell[] {
  const { deliveryId, event, status, attempts, endpointId, createdAt, nextAttemptAt } = delivery;
  const last = attempts.at(-1);
  const answer = last === undefined ? '' : String(last.status ?? last.error ?? '');
  const [created, next] = [createdAt, nextAttemptAt].map((time) => ageCell(time, nowMs));
  const organisation = { prose: delivery.orgName ?? '' };
  return [
    deliveryId,
    event,
    { state: status },
    String(attempts.length),
    endpointId,
    created ?? '',
    next ?? '',
    { prose: answer },
    organisation,
  ];
}
