import { idTime, timeOfId } from '../contract/identifiers.js';
import { CLOCK_STEP_MS } from './short-ids.js';
import { now, one, all as readAll, type SqlValues, type Unit } from './unit.js';

/** Rows of one page. */
const PAGE_ROWS = 50;
/** Rows that one page looks at when conditions without an index leave out most of them. */
const MAX_SCANNED_ROWS = 5_000;

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
  name: 'request' | 'job' | 'webhook_delivery' | 'api_key' | 'member' | 'audit';
  prefix: 'req' | 'job' | 'dlv' | 'key' | 'mem' | 'aud';
  /** Returns a statement of its columns and joins, up to the conditions; `from` is the table, or its rows under the same name. */
  select(from: string): string;
  /** The column of its id. */
  id: string;
}

export interface PageConditions {
  /** Conditions on the table alone, of which one index has all, behind the organisation and before the time. */
  indexed: readonly string[];
  others: readonly string[];
  /** True when other conditions look at a joined table. Otherwise the rows of the page alone are joined. */
  isJoined?: boolean;
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

const DAY_MS = 24 * 60 * 60 * 1000;
/** The span that a page looks at first. Beyond the last bound it looks at everything. */
const FIRST_SPAN_MS = DAY_MS;
const MAX_SPAN_MS = 60 * DAY_MS;
/** Growth of a span without rows; the least growth of others, and its part beyond what their rows let expect. */
const EMPTY_SPAN_GROWTH = 10;
const MIN_SPAN_GROWTH = 5;
const SPAN_MARGIN = 1.5;

/**
 * Reads one page of an organisation's rows, or of those that are of none (null), by its place and not by a count of rows before
 * it. It looks at the last day first, and when that does not fill the page as far back as its rows let expect: PostgreSQL plans
 * a statement for each partition of the request log.
 */
export function* readPage<Row extends object>(
  table: PagedTable,
  organisationId: string | null,
  { before, fromMs = 0, toMs = LATEST_MS, limit = PAGE_ROWS }: PageBounds,
  conditions: PageConditions,
): Unit<Page<Row>> {
  const { prefix, id } = table;
  const end = { atMs: toMs, id: `${prefix}_${idTime(LATEST_MS)}${LAST}` };
  const given = before === undefined ? end : yield* findPosition(table.name, organisationId, before);
  if (given === undefined) return { rows: [], olderThan: undefined };
  const place = given.atMs <= toMs ? given : end;
  const newestMs = Math.min(place.atMs, yield* now());
  for (let spanMs = FIRST_SPAN_MS; ; ) {
    const sinceMs = Math.max(fromMs, newestMs - spanMs);
    const { rows, floorMs, filled } = yield* readSpan<Row>(
      table,
      { organisationId, place, sinceMs, limit: limit + 1 },
      conditions,
    );
    if (rows.length > limit) {
      rows.length = limit;
      return { rows, olderThan: (rows.at(-1) as Record<string, string>)[id] };
    }
    if (floorMs !== undefined) return { rows, olderThan: `${prefix}_${idTime(floorMs)}${FIRST}` };
    if (sinceMs <= fromMs) return { rows, olderThan: undefined };
    spanMs = growSpan(spanMs, filled);
  }
}

function growSpan(spanMs: number, filled: number): number {
  const grownMs = spanMs * (filled === 0 ? EMPTY_SPAN_GROWTH : Math.max(MIN_SPAN_GROWTH, SPAN_MARGIN / filled));
  return grownMs > MAX_SPAN_MS ? LATEST_MS : Math.ceil(grownMs);
}

interface Span {
  organisationId: string | null;
  place: Position;
  sinceMs: number;
  limit: number;
}

/** Reads the rows of a span of time, where it was cut off, and the part of a page that it filled or looked at. */
function* readSpan<Row extends object>(
  { name, select }: PagedTable,
  { organisationId, place, sinceMs, limit }: Span,
  { indexed, others, values, isJoined = false }: PageConditions,
): Unit<{ rows: Row[]; floorMs: number | undefined; filled: number }> {
  const { where, values: bounds } = boundIds(name, sinceMs, place.atMs);
  const { where: whose, values: owner } = ownedBy(name, organisationId);
  const own = [whose, `${name}.created_at <= :atMs`, `${name}.created_at >= :sinceMs`];
  const known = [...own, ...where, ...indexed].join(' AND ');
  const shared = { ...values, ...bounds, ...owner, atMs: place.atMs };
  const order = `ORDER BY ${name}.created_at DESC, ${name}.id DESC`;
  const scanned =
    others.length === 0 ? undefined : yield* scan(`FROM ${name} WHERE ${known} ${order}`, { ...shared, sinceMs });
  const floorMs = scanned?.floorMs;
  const all = [known, `(${name}.created_at < :atMs OR ${name}.id < :placeId)`, ...others].join(' AND ');
  const part = `WHERE ${all} ${order} LIMIT :limit`;
  const sql = isJoined ? `${select(name)} ${part}` : `${select(`(SELECT * FROM ${name} ${part}) AS ${name}`)} ${order}`;
  const rows = yield* readAll<Row>(sql, { ...shared, placeId: place.id, sinceMs: floorMs ?? sinceMs, limit });
  return { rows, floorMs, filled: scanned === undefined ? rows.length / limit : scanned.n / MAX_SCANNED_ROWS };
}

/**
 * Returns bounds on the ids of calls in a span of time, which lead PostgreSQL to the partitions of these days; none for other tables.
 */
export function boundIds(name: string, sinceMs: number, untilMs: number): { where: string[]; values: SqlValues } {
  if (name !== 'request') return { where: [], values: {} };
  const [lowMs, highMs] = [Math.max(0, sinceMs - CLOCK_STEP_MS), Math.min(LATEST_MS, untilMs + CLOCK_STEP_MS)];
  return {
    where: ['request.id >= :lowId', 'request.id <= :highId'],
    values: { lowId: `req_${idTime(lowMs)}${FIRST}`, highId: `req_${idTime(highMs)}${LAST}` },
  };
}

function ownedBy(table: string, organisationId: string | null): { where: string; values: SqlValues } {
  if (organisationId === null) return { where: `${table}.organisation_id IS NULL`, values: {} };
  return { where: `${table}.organisation_id = :organisationId`, values: { organisationId } };
}

/** Finds the place of a row; that of its time when the row is gone. Undefined for a text that is no id. */
function* findPosition(table: string, organisationId: string | null, id: string): Unit<Position | undefined> {
  const { where, values } = ownedBy(table, organisationId);
  const sql = `SELECT created_at AS "atMs" FROM ${table} WHERE ${where} AND id = :id`;
  const atMs = (yield* one<{ atMs: number }>(sql, { ...values, id }))?.atMs ?? timeOfId(id);
  return atMs === undefined ? undefined : { atMs, id };
}

/** Counts the rows that a page looks at, and returns the time of the last one; undefined when it may look at all of them. */
function* scan(from: string, values: SqlValues): Unit<{ n: number; floorMs: number | undefined }> {
  const scanned = yield* one<{ n: number; atMs: number | null }>(
    `SELECT count(*) AS n, min(at) AS "atMs"
     FROM (SELECT created_at AS at ${from} LIMIT :scanned) AS newest`,
    { ...values, scanned: MAX_SCANNED_ROWS },
  );
  const { n, atMs } = scanned ?? { n: 0, atMs: null };
  return { n, floorMs: n < MAX_SCANNED_ROWS ? undefined : (atMs ?? undefined) };
}
