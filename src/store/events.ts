import { createId } from '../contract/identifiers.js';
import { type DocumentEvent, eventTypeOf, renderEvent } from '../contract/webhook-event.js';
import type { Database } from './database.js';
import type { Store } from './store.js';

/** An event as it is streamed. */
export interface EventRow {
  /** Place in the stream of all organisations. */
  number: number;
  id: string;
  type: string;
  /** The body of a delivery, under the event's own id. */
  body: string;
}

/** Time that events are kept for callers that come back. */
export const EVENT_TTL_MS = 24 * 60 * 60 * 1000;
/** Bound on the events of all organisations. The oldest are removed first. */
export const MAX_EVENTS = 100_000;

/** Writes an event of a finished document. Part of the transaction that ends the document. */
export function insertEvent(db: Database, organisationId: string, event: DocumentEvent, nowMs: number): void {
  const id = createId('evt', nowMs);
  db.run(
    `INSERT INTO event (id, organisation_id, type, body, created_at) VALUES (:id, :organisationId, :type, :body, :nowMs)`,
    { id, organisationId, type: eventTypeOf(event), body: renderEvent(id, nowMs, event), nowMs },
  );
}

/** Lists the events of an organisation after a place in the stream, in their order. */
export function listEvents(store: Store, organisationId: string, afterNumber: number, limit: number): EventRow[] {
  return store.read.all<EventRow>(
    `SELECT number, id, type, body FROM event WHERE organisation_id = :organisationId AND number > :afterNumber
     ORDER BY number LIMIT :limit`,
    { organisationId, afterNumber, limit },
  );
}

/** Returns the place of the newest event that is kept; 0 where there is none, which is before every later one. */
export function findNewestEvent(store: Store): number {
  return store.read.get<{ number: number | null }>('SELECT max(number) AS number FROM event')?.number ?? 0;
}

/**
 * Returns the place of an organisation's event. One that was removed meanwhile stood before all that are kept of its time and
 * later.
 */
export function findEventPlace(store: Store, organisationId: string, id: string): number {
  const known = store.read.get<{ number: number }>(
    'SELECT number FROM event WHERE id = :id AND organisation_id = :organisationId',
    { id, organisationId },
  );
  if (known !== undefined) return known.number;
  const before = store.read.get<{ number: number | null }>(
    'SELECT max(number) AS number FROM event WHERE organisation_id = :organisationId AND id < :id',
    { id, organisationId },
  );
  return before?.number ?? 0;
}

/** Returns the newest place whose event is beyond the newest `kept`; undefined when there are no more. */
export function findSurplusEvents(store: Store, kept: number): number | undefined {
  return store.read.get<{ number: number }>('SELECT number FROM event ORDER BY number DESC LIMIT 1 OFFSET :kept', {
    kept,
  })?.number;
}
