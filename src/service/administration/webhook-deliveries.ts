import { createId } from '../../contract/identifiers.js';
import { OcrError } from '../../contract/ocr-error.js';
import { formatTime, formatTimeOrNull } from '../../contract/time.js';
import { describeJobError, type EventType } from '../../contract/webhook-event.js';
import { findNames } from '../../store/names.js';
import type { Store } from '../../store/store.js';
import {
  type AttemptRow,
  type DeliveryFilter,
  type DeliveryRow,
  type DeliveryStatus,
  listAttempts,
  listDeliveries,
  resendDelivery,
} from '../../store/webhook-deliveries.js';
import { insertTestDelivery, isKnownEndpoint } from '../../store/webhooks.js';
import type { Administration } from './open.js';
import { nameOrganisation } from './organisations.js';
import { unknownEndpoint } from './webhooks.js';

interface AttemptView {
  /** Number of the attempt, from 1; resends continue the count. */
  number: number;
  startedAt: string;
  latencyMs: number;
  /** HTTP status; null without an answer, and `error` gives the reason. */
  status: number | null;
  error: string | null;
  /** The first KiB of the answer. */
  answer: string | null;
}

/** A delivery with its attempts. Times are RFC 3339 UTC. */
export interface DeliveryView {
  deliveryId: string;
  endpointId: string;
  orgId: string;
  orgName: string | null;
  event: string;
  requestId: string;
  status: DeliveryStatus;
  createdAt: string;
  /** Null for a delivered or dead delivery. */
  nextAttemptAt: string | null;
  finishedAt: string | null;
  attempts: AttemptView[];
}

/**
 * Lists deliveries, newest first, each with its attempts in order. @throws OcrError NOT_FOUND for an unknown organisation or
 * endpoint
 */
export async function viewDeliveries({ store }: Administration, filter: DeliveryFilter): Promise<DeliveryView[]> {
  // An empty list would look like "nothing happened".
  const named = await nameOrganisation(store, filter);
  const { endpointId } = filter;
  if (endpointId !== undefined && !(await isKnownEndpoint(store, endpointId))) throw unknownEndpoint(endpointId);
  return await describeDeliveries(store, named);
}

/** Lists deliveries by ids that are known to be right. */
export async function describeDeliveries(store: Store, filter: DeliveryFilter): Promise<DeliveryView[]> {
  const rows = await listDeliveries(store, filter);
  const names = await findNames(
    store,
    rows.map(({ organisationId }) => organisationId),
  );
  const views: DeliveryView[] = [];
  for (const row of rows)
    views.push(viewOf(row, names.organisation(row.organisationId), await listAttempts(store, row.id)));
  return views;
}

/**
 * Sends a sample of an event that the endpoint gets, marked as a test, as a delivery of its own. No document was read, and
 * no other endpoint gets it. It is sent once. With an organisation, endpoints of others are unknown.
 * @throws OcrError NOT_FOUND
 */
export async function sendTest(
  { store }: Pick<Administration, 'store'>,
  endpointId: string,
  organisationId?: string,
): Promise<{ deliveryId: string; event: EventType }> {
  const nowMs = store.clock.now();
  const head = {
    requestId: createId('req', nowMs),
    jobId: createId('job', nowMs),
    function: 'TEXT_EXTRACTION',
    pageCount: 1,
  };
  const meta = { provider: 'test', pageCount: 1, confidence: null, cached: false, durationMs: 0 };
  const error = describeJobError('INVALID_DOCUMENT', 'This is a test: no document was read');
  const samples = {
    'document.processed': { ...head, status: 'completed', meta },
    'document.failed': { ...head, status: 'failed', error },
  } as const;
  const sent = await insertTestDelivery(store, endpointId, samples, nowMs, organisationId);
  if (sent === undefined) throw unknownEndpoint(endpointId);
  return sent;
}

/**
 * Sends a delivery again with its id and body, in up to six new attempts. A running service starts within a second or two,
 * otherwise the next service does.
 * @throws OcrError NOT_FOUND, WEBHOOK_REFUSED for a removed endpoint
 */
export async function resend({ store }: Administration, deliveryId: string): Promise<void> {
  switch (await resendDelivery(store, deliveryId, store.clock.now())) {
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

function viewOf(row: DeliveryRow, orgName: string | null, attempts: AttemptRow[]): DeliveryView {
  return {
    deliveryId: row.id,
    endpointId: row.endpointId,
    orgId: row.organisationId,
    orgName,
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
