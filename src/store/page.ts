import { idTime, timeOfId } from '../contract/identifiers.js';
import { all, one, type SqlValues, type Unit } from './unit.js';

/** Rows of one page. */
const PAGE_ROWS = 50;
/** Rows that one page looks at when conditions without an index leave out most of them. */
const MAX_SCANNED_ROWS = 10_000;

/** A part of a list that has the newest rows first. */
export interface Page<Row> {
  rows: Row[];
  /**
   * Begins the next part, as `before`; undefined at the end of the list. Rows may be missing before it when few match: each page
   * looks at a bounded part of the table.
   */
  olderThan: string | undefined;
}

/** The part of a list that is read. */
export interface PageBounds {
  /** The id after which the page begins, or another page's `olderThan`. */
  before?: string | undefined;
  /** Both ends included, in Unix milliseconds. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
  /** PAGE_ROWS by default. */
  limit?: number | undefined;
}

/** A table whose rows have an organisation, a time and an id that sorts by its time. */
export interface PagedTable {
  name: 'request' | 'job' | 'webhook_delivery' | 'api_key';
  prefix: 'req' | 'job' | 'dlv' | 'key';
  /** Columns and joins, with `id` and `created_at` of the table as `createdAtMs` and under the name `id`. */
  select: string;
  id: string;
}

export interface PageConditions {
  /** Conditions on the table alone, of which one index has all, behind the organisation and before the time. */
  indexed: readonly string[];
  others: readonly string[];
  values: SqlValues;
}

interface Position {
  atMs: number;
  id: string;
}

/** Ends every id of a time. */
const LAST = 'Z'.repeat(16);
const FIRST = '0'.repeat(16);
const LATEST_MS = 2 ** 47;

/** Reads one page of an organisation's rows, by its place and not by a count of rows before it. */
export function* readPage<Row extends object>(
  { name, prefix, select, id }: PagedTable,
  organisationId: string,
  { before, fromMs = 0, toMs = LATEST_MS, limit = PAGE_ROWS }: PageBounds,
  { indexed, others, values }: PageConditions,
): Unit<Page<Row>> {
  const end = { atMs: toMs, id: `${prefix}_${idTime(LATEST_MS)}${LAST}` };
  const given = before === undefined ? end : yield* findPosition(name, organisationId, before);
  if (given === undefined) return { rows: [], olderThan: undefined };
  const place = given.atMs <= toMs ? given : end;
  const known = [`${name}.organisation_id = :organisationId`, `${name}.created_at <= :atMs`, ...indexed];
  const shared = { ...values, organisationId, atMs: place.atMs };
  const floorMs =
    others.length === 0
      ? undefined
      : yield* findFloor(`FROM ${name} WHERE ${known.join(' AND ')} AND ${name}.created_at >= :fromMs`, {
          ...shared,
          fromMs,
        });
  const where = [
    ...known,
    `(${name}.created_at < :atMs OR ${name}.id < :placeId)`,
    `${name}.created_at >= :fromMs`,
    ...others,
  ];
  const rows = yield* all<Row>(
    `${select} WHERE ${where.join(' AND ')} ORDER BY ${name}.created_at DESC, ${name}.id DESC LIMIT :limit`,
    { ...shared, placeId: place.id, fromMs: Math.max(fromMs, floorMs ?? 0), limit: limit + 1 },
  );
  if (rows.length > limit) {
    rows.length = limit;
    return { rows, olderThan: (rows.at(-1) as Record<string, string>)[id] };
  }
  return { rows, olderThan: floorMs === undefined ? undefined : `${prefix}_${idTime(floorMs)}${FIRST}` };
}

/** Finds the place of a row; that of its time when the row is gone. Undefined for a text that is no id. */
function* findPosition(table: string, organisationId: string, id: string): Unit<Position | undefined> {
  const sql = `SELECT created_at AS "atMs" FROM ${table} WHERE organisation_id = :organisationId AND id = :id`;
  const atMs = (yield* one<{ atMs: number }>(sql, { organisationId, id }))?.atMs ?? timeOfId(id);
  return atMs === undefined ? undefined : { atMs, id };
}

/** Returns the time of the last row that a page looks at; undefined when it may look at all of them. */
function* findFloor(from: string, values: SqlValues): Unit<number | undefined> {
  const scanned = yield* one<{ n: number; atMs: number | null }>(
    `SELECT count(*) AS n, min(at) AS "atMs"
     FROM (SELECT created_at AS at ${from} ORDER BY created_at DESC LIMIT :scanned) AS newest`,
    { ...values, scanned: MAX_SCANNED_ROWS },
  );
  return scanned === undefined || scanned.n < MAX_SCANNED_ROWS ? undefined : (scanned.atMs ?? undefined);
}
