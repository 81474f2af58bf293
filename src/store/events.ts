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
/** Bounds on the events of one organisation, and of all: those of the largest are removed first, and of these the oldest. */
export const EVENT_BOUNDS = { organisation: 20_000, all: 100_000 };
/** Characters of an id that say its millisecond: the prefix and the time of a ULID. */
const ID_TIME_CHARACTERS = 'evt_'.length + 10;

/** Writes an event of a finished document. Part of the transaction that ends the document. */
export function insertEvent(db: Database, organisationId: string, event: DocumentEvent, nowMs: number): void {
  const id = createId('evt', nowMs);
  db.run(
    `INSERT INTO event (id, organisation_id, type, body, created_at) VALUES (:id, :organisationId, :type, :body, :nowMs)`,
    { id, organisationId, type: eventTypeOf(event), body: renderEvent(id, nowMs, event), nowMs },
  );
}

/** Events after a place; `isMissing` is true when some after that place were removed before. */
export interface NextEvents {
  events: EventRow[];
  isMissing: boolean;
}

/** Lists the events of an organisation after a place in the stream, in their order. */
export function listEvents(store: Store, organisationId: string, afterNumber: number, limit: number): NextEvents {
  const events = store.read.all<EventRow>(
    `SELECT number, id, type, body FROM event WHERE organisation_id = :organisationId AND number > :afterNumber
     ORDER BY number LIMIT :limit`,
    { organisationId, afterNumber, limit },
  );
  return { events, isMissing: (findLastRemoved(store, organisationId)?.number ?? 0) > afterNumber };
}

/** Returns the place of the newest event that is kept; 0 where there is none. */
export function findNewestEvent(store: Store): number {
  return store.read.get<{ number: number | null }>('SELECT max(number) AS number FROM event')?.number ?? 0;
}

/** Returns the place after all events of an organisation so far. */
export function findEndOfEvents(store: Store, organisationId: string): number {
  return Math.max(findNewestEvent(store), findLastRemoved(store, organisationId)?.number ?? 0);
}

export interface EventPlace {
  number: number;
  /** True when no event of this id was kept or removed last, so that nobody knows how many after it are gone. */
  isUnknown: boolean;
}

/** Returns the place of an organisation's event. For an unknown one it is the place of the last before its millisecond. */
export function findEventPlace(store: Store, organisationId: string, id: string): EventPlace {
  const known = store.read.get<{ number: number }>(
    'SELECT number FROM event WHERE id = :id AND organisation_id = :organisationId',
    { id, organisationId },
  );
  if (known !== undefined) return { number: known.number, isUnknown: false };
  const removed = findLastRemoved(store, organisationId);
  if (removed?.id === id) return { number: removed.number, isUnknown: false };
  const before = store.read.get<{ number: number }>(
    'SELECT number FROM event WHERE organisation_id = :organisationId AND id < :from ORDER BY id DESC LIMIT 1',
    { organisationId, from: id.slice(0, ID_TIME_CHARACTERS) },
  );
  return { number: before?.number ?? 0, isUnknown: true };
}

function findLastRemoved(store: Store, organisationId: string): { number: number; id: string } | undefined {
  return store.read.get<{ number: number; id: string }>(
    'SELECT number, id FROM event_removal WHERE organisation_id = :organisationId',
    { organisationId },
  );
}

/** The newest event of an organisation that has to go. */
export interface SurplusEvents {
  organisationId: string;
  untilNumber: number;
}

/** Finds the events beyond the bounds: all organisations with more than a common level are cut down to it. */
export function findSurplusEvents(store: Store, { organisation, all }: typeof EVENT_BOUNDS): SurplusEvents[] {
  const counts = store.read.all<{ organisationId: string; n: number }>(
    'SELECT organisation_id AS "organisationId", count(*) AS n FROM event GROUP BY organisation_id',
  );
  const level = Math.min(
    organisation,
    findLevel(
      counts.map(({ n }) => n),
      all,
    ),
  );
  return counts
    .filter(({ n }) => n > level)
    .map(({ organisationId }) => ({ organisationId, untilNumber: findNumber(store, organisationId, level) }));
}

/** Returns the largest level to which counts may be cut so that they have at most `total` in all. */
function findLevel(counts: readonly number[], total: number): number {
  const ascending = [...counts].sort((a, b) => a - b);
  let left = total;
  for (const [index, count] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (count > share) return share;
    left -= count;
  }
  return Number.POSITIVE_INFINITY;
}

/** Returns the number of the newest event of an organisation beyond the newest `kept`. */
function findNumber(store: Store, organisationId: string, kept: number): number {
  const sql = `SELECT number FROM event WHERE organisation_id = :organisationId ORDER BY number DESC LIMIT 1 OFFSET :kept`;
  return store.read.get<{ number: number }>(sql, { organisationId, kept })?.number ?? 0;
}
