import { idTime, shortIdTimes } from '../../contract/identifiers.js';
import type { Store } from '../store.js';
import { all, exists, one, run, type Unit } from '../unit.js';
import { codeOf, isLockTimeout } from './failure.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Partitions that are made before their time, so that a clean-up may fail for days. */
const DAYS_AHEAD = 7;
/** Bound on partitions, of which a look-up without an id locks each one with its indices. */
const MAX_PARTITIONS = 100;
/** Part of its lifetime that a line may stay longer, so that it is dropped with its day. */
const MAX_GRACE_SHARE = 0.1;
/** Longest wait for the lock of the whole log. Calls wait behind it, and the next clean-up tries again. */
const LOCK_TIMEOUT_MS = 1_000;
/** Key of the lock that one change of the partitions at a time holds. */
const LOCK = 0x726571;

/** A partition of the request log: whole days, in the time of its ids. */
interface RequestDays {
  name: string;
  fromMs: number;
  untilMs: number;
}

/**
 * Drops the days whose lines have all expired, and makes those to come. Returns about how many lines went, and for how long lines
 * that expired are to stay until their day is over.
 */
export async function keepRequestDays(
  store: Store,
  ttlMs: number,
  nowMs: number,
): Promise<{ removed: number; graceMs: number }> {
  await makeRequestDays(store, ttlMs, nowMs, nowMs + DAYS_AHEAD * DAY_MS);
  let removed = 0;
  for (const days of await store.read(listDays()))
    if (days.untilMs <= nowMs - ttlMs) removed += (await unlessBusy(store, () => drop(days, nowMs - ttlMs))) ?? 0;
  return { removed, graceMs: Math.min(spanOf(ttlMs), startOfDay(ttlMs * MAX_GRACE_SHARE)) };
}

/**
 * Makes the partitions that are missing in a span of time. Lines whose partition is missing are kept all the same, in that of all
 * others, where they are deleted one by one.
 */
export async function makeRequestDays(store: Store, ttlMs: number, fromMs: number, untilMs: number): Promise<void> {
  const known = await store.read(listDays());
  for (let atMs = startOfDay(fromMs); atMs < untilMs; ) {
    const at = atMs;
    const covering = known.find((days) => days.fromMs <= at && at < days.untilMs);
    const next = Math.min(...known.map((days) => days.fromMs).filter((ms) => ms > at));
    const end = covering?.untilMs ?? Math.min(at + spanOf(ttlMs), next);
    if (covering === undefined) await unlessBusy(store, () => make(at, end));
    atMs = end;
  }
}

function spanOf(ttlMs: number): number {
  return DAY_MS * Math.max(1, Math.ceil(ttlMs / DAY_MS / MAX_PARTITIONS));
}

function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

function* listDays(): Unit<RequestDays[]> {
  const rows = yield* all<{ name: string; bounds: string }>(
    `SELECT relname AS name, pg_get_expr(relpartbound, pg_class.oid) AS bounds
     FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = to_regclass('request')`,
  );
  return rows.flatMap(({ name, bounds }) => {
    const [, from, until] = /FROM \('(req_\w+)'\) TO \('(req_\w+)'\)/.exec(bounds) ?? [];
    if (from === undefined || until === undefined) return [];
    return [{ name, fromMs: shortIdTimes(from).firstMs, untilMs: shortIdTimes(until).firstMs }];
  });
}

/**
 * Makes a partition apart from the log and attaches it, so that calls need not wait for more than a look at the lines of no
 * partition.
 */
function* make(fromMs: number, untilMs: number): Unit<void> {
  const name = `request_${new Date(fromMs).toISOString().slice(0, 10).replaceAll('-', '')}`;
  yield* lock();
  if (yield* exists('SELECT 1 AS found FROM pg_class WHERE oid = to_regclass(:name)', { name })) return;
  yield* run(`CREATE TABLE ${name} (LIKE request INCLUDING DEFAULTS)`);
  yield* run(
    `ALTER TABLE request ATTACH PARTITION ${name} FOR VALUES FROM ('req_${idTime(fromMs)}') TO ('req_${idTime(untilMs)}')`,
  );
}

/** Drops a partition, unless a line is younger than its id says. */
function* drop({ name }: RequestDays, expiredMs: number): Unit<number> {
  yield* lock();
  const sql = 'SELECT CAST(greatest(reltuples, 0) AS BIGINT) AS lines FROM pg_class WHERE oid = to_regclass(:name)';
  const known = yield* one<{ lines: number }>(sql, { name });
  if (known === undefined) return 0;
  const young = `SELECT 1 AS found FROM ${name} WHERE created_at >= :expiredMs LIMIT 1`;
  if (yield* exists(young, { expiredMs })) return 0;
  yield* run(`DROP TABLE ${name}`);
  return known.lines;
}

function* lock(): Unit<void> {
  yield* run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  yield* one(`SELECT pg_advisory_xact_lock(${LOCK})`);
}

/** SQLSTATE of a partition whose lines are among the others already (appendix A, check_violation). */
const LINES_ELSEWHERE = '23514';

async function unlessBusy<T>(store: Store, work: () => Unit<T>): Promise<T | undefined> {
  try {
    return await store.write(work);
  } catch (error) {
    if (isLockTimeout(error) || codeOf(error) === LINES_ELSEWHERE) return undefined;
    throw error;
  }
}
