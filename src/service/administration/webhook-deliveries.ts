import { OcrError } from '../../contract/ocr-error.js';
import { formatTime, formatTimeOrNull } from '../../contract/time.js';
import {
  type AttemptRow,
  type DeliveryFilter,
  type DeliveryRow,
  type DeliveryStatus,
  listAttempts,
  listDeliveries,
  resendDelivery,
} from '../../store/webhook-deliveries.js';
import { isKnownEndpoint } from '../../store/webhooks.js';
import type { Administration } from './open.js';
import { requireOrganisation } from './organisations.js';
import { unknownEndpoint } from './webhooks.js';

export interface AttemptView {
  /** From 1, counting on through resends. */
  number: number;
  startedAt: string;
  latencyMs: number;
  /** HTTP status; null where there was no answer, and `error` says why. */
  status: number | null;
  error: string | null;
  /** The first KiB of the answer. */
  answer: string | null;
}

/** Times are RFC 3339 UTC. */
export interface DeliveryView {
  deliveryId: string;
  endpointId: string;
  orgId: string;
  event: string;
  requestId: string;
  status: DeliveryStatus;
  createdAt: string;
  /** Null once it is delivered or dead. */
  nextAttemptAt: string | null;
  finishedAt: string | null;
  attempts: AttemptView[];
}

/** Newest first, each with its attempts in their order. @throws OcrError NOT_FOUND for an organisation or an endpoint that never was */
export async function viewDeliveries({ store }: Administration, filter: DeliveryFilter): Promise<DeliveryView[]> {
  // An empty list would read as "nothing happened".
  if (filter.organisationId !== undefined) await requireOrganisation(store, filter.organisationId);
  if (filter.endpointId !== undefined && !isKnownEndpoint(store, filter.endpointId))
    throw unknownEndpoint(filter.endpointId);
  return listDeliveries(store, filter).map((row) => viewOf(row, listAttempts(store, row.id)));
}

/**
 * Sends a delivery again under its id and with its body, in up to six new attempts; the running service begins within a
 * second or two, else the next one.
 * @throws OcrError NOT_FOUND, WEBHOOK_REFUSED for an endpoint that was removed
 */
export async function resend({ store }: Administration, deliveryId: string): Promise<void> {
  switch (await resendDelivery(store, deliveryId, Date.now())) {
    case 'unknown':
      throw new OcrError('NOT_FOUND', `There is no delivery ${deliveryId}`, {
        status: 404,
        hint: 'ocr admin webhooks deliveries',
      });
    case 'endpoint-removed':
      throw new OcrError('WEBHOOK_REFUSED', `The endpoint of ${deliveryId} was removed`, {
        hint: 'ocr admin webhooks',
      });
    case 'resent':
  }
}

function viewOf(row: DeliveryRow, attempts: AttemptRow[]): DeliveryView {
  return {
    deliveryId: row.id,
    endpointId: row.endpointId,
    orgId: row.organisationId,
    event: row.event,
    requestId: row.requestId,
    status: row.status,
    createdAt: formatTime(row.createdAtMs),
    nextAttemptAt: formatTimeOrNull(row.nextAttemptAtMs),
    finishedAt: formatTimeOrNull(row.finishedAtMs),
    attempts: attempts.map(({ number, startedAtMs, latencyMs, status, error, answer }) => ({
      number,
      startedAt: formatTime(startedAtMs),
      latencyMs,
      status,
      error,
      answer,
    })),
  };
}
