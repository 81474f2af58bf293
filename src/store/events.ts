import { createId } from '../contract/identifiers.js';
import { type DocumentEvent, eventTypeOf, renderEvent } from '../contract/webhook-event.js';
import { lockOrganisation } from './organisations.js';
import type { Store } from './store.js';
import { all, one, run, type Unit } from './unit.js';

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
export function* insertEvent(organisationId: string, event: DocumentEvent, nowMs: number): Unit<void> {
  // Events of an organisation get their numbers in the order in which they are committed, so that no reader misses one.
  yield* lockOrganisation(organisationId);
  const id = createId('evt', nowMs);
  yield* run(
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
export async function listEvents(
  store: Store,
  organisationId: string,
  afterNumber: number,
  limit: number,
): Promise<NextEvents> {
  return await store.read(readEvents(organisationId, afterNumber, limit));
}

function* readEvents(organisationId: string, afterNumber: number, limit: number): Unit<NextEvents> {
  const events = yield* all<EventRow>(
    `SELECT number, id, type, body FROM event WHERE organisation_id = :organisationId AND number > :afterNumber
     ORDER BY number LIMIT :limit`,
    { organisationId, afterNumber, limit },
  );
  return { events, isMissing: ((yield* readLastRemoved(organisationId))?.number ?? 0) > afterNumber };
}

/** Returns the place of the newest event that is kept, of all organisations; 0 where there is none. */
export async function findNewestEvent(store: Store): Promise<number> {
  return (await store.read(one<{ number: number | null }>('SELECT max(number) AS number FROM event')))?.number ?? 0;
}

/**
 * Lists the places of all events after a place, with their organisations. Events of several organisations are committed in another
 * order than their numbers have, so whoever follows them all looks some numbers back.
 */
export async function listPlacesAfter(
  store: Store,
  afterNumber: number,
): Promise<Array<{ number: number; organisationId: string }>> {
  const sql =
    'SELECT number, organisation_id AS "organisationId" FROM event WHERE number > :afterNumber ORDER BY number';
  return await store.read(all(sql, { afterNumber }));
}

/** Returns the place after all events of an organisation so far. */
export async function findEndOfEvents(store: Store, organisationId: string): Promise<number> {
  return await store.read(readEnd(organisationId));
}

function* readEnd(organisationId: string): Unit<number> {
  // Another organisation's newest event may have a greater number than one of this organisation that comes after.
  const newest = yield* one<{ number: number | null }>(
    'SELECT max(number) AS number FROM event WHERE organisation_id = :organisationId',
    { organisationId },
  );
  return Math.max(newest?.number ?? 0, (yield* readLastRemoved(organisationId))?.number ?? 0);
}

export interface EventPlace {
  number: number;
  /** True when no event of this id was kept or removed last, so that nobody knows how many after it are gone. */
  isUnknown: boolean;
}

/** Returns the place of an organisation's event. For an unknown one it is the place of the last before its millisecond. */
export async function findEventPlace(store: Store, organisationId: string, id: string): Promise<EventPlace> {
  return await store.read(readPlace(organisationId, id));
}

function* readPlace(organisationId: string, id: string): Unit<EventPlace> {
  const known = yield* one<{ number: number }>(
    'SELECT number FROM event WHERE id = :id AND organisation_id = :organisationId',
    { id, organisationId },
  );
  if (known !== undefined) return { number: known.number, isUnknown: false };
  const removed = yield* readLastRemoved(organisationId);
  if (removed?.id === id) return { number: removed.number, isUnknown: false };
  const before = yield* one<{ number: number }>(
    'SELECT number FROM event WHERE organisation_id = :organisationId AND id < :from ORDER BY id DESC LIMIT 1',
    { organisationId, from: id.slice(0, ID_TIME_CHARACTERS) },
  );
  return { number: before?.number ?? 0, isUnknown: true };
}

function* readLastRemoved(organisationId: string): Unit<{ number: number; id: string } | undefined> {
  return yield* one<{ number: number; id: string }>(
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
export async function findSurplusEvents(store: Store, bounds: typeof EVENT_BOUNDS): Promise<SurplusEvents[]> {
  return await store.read(readSurplus(bounds));
}

function* readSurplus(bounds: typeof EVENT_BOUNDS): Unit<SurplusEvents[]> {
  const counts = yield* all<{ organisationId: string; n: number }>(
    'SELECT organisation_id AS "organisationId", count(*) AS n FROM event GROUP BY organisation_id',
  );
  const total = findLevel(
    counts.map(({ n }) => n),
    bounds.all,
  );
  const level = Math.min(bounds.organisation, total);
  const surplus: SurplusEvents[] = [];
  for (const { organisationId, n } of counts) {
    if (n <= level) continue;
    const sql = `SELECT number FROM event WHERE organisation_id = :organisationId ORDER BY number DESC LIMIT 1 OFFSET :level`;
    const newest = yield* one<{ number: number }>(sql, { organisationId, level });
    surplus.push({ organisationId, untilNumber: newest?.number ?? 0 });
  }
  return surplus;
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
