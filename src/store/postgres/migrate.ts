import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { NewIndex } from '../migrations/new-index.js';
import { migrationTo, SCHEMA_VERSION, StoreTooNewError } from '../schema.js';
import type { Clock } from '../unit.js';
import { openClock } from './clock.js';
import { isLockTimeout, isRepeatable } from './failure.js';
import { describeHolders, watchWait } from './lock-holders.js';
import { BEGIN, withClient } from './pool.js';
import { runUnit } from './run-unit.js';

/** Key of the lock that one migration at a time holds; any number that no other program of the database uses. */
const LOCK = 0x6f6372;

interface MigrationLimits {
  /** Longest wait for a lock. Every call that comes after the waiting change waits for it too. */
  lockTimeoutMs: number;
  /** Attempts of one migration, and the pause in which the calls go on. */
  attempts: number;
  pauseMs: number;
  /** Longest wait for another migration. */
  turnMs: number;
}

const LIMITS: MigrationLimits = { lockTimeoutMs: 3_000, attempts: 20, pauseMs: 2_000, turnMs: 600_000 };
const LOOK_AGAIN_MS = 100;

/** Thrown when others held what a migration needs. The schema is that of the last complete migration. */
export class MigrationBlockedError extends Error {
  override readonly name = 'MigrationBlockedError';
}

/**
 * Brings the schema to this version beside processes of the version before. Of two migrations one waits, and finds the work
 * done. The pool lends three connections at once, which lead past any pooler.
 * @throws StoreTooNewError, MigrationBlockedError
 */
export async function migrate(pool: Pool, limits = LIMITS): Promise<{ from: number; to: number }> {
  const clock = await openClock(pool);
  try {
    return await withClient(pool, async (guard) => {
      await takeTurn(guard, pool, limits);
      try {
        return await upgrade(pool, clock, limits);
      } finally {
        await guard.query('ROLLBACK');
      }
    });
  } finally {
    clock.stop();
  }
}

/**
 * Holds a lock until the transaction of this connection ends. It asks again and again: a statement that waits has a snapshot, and
 * the other's index would wait for that.
 */
async function takeTurn(guard: PoolClient, pool: Pool, { turnMs }: MigrationLimits): Promise<void> {
  await guard.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
  const deadline = performance.now() + turnMs;
  while (true) {
    const { rows } = await guard.query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS taken`);
    if (rows[0]?.taken) return;
    if (performance.now() > deadline) {
      const sql = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = ${LOCK}`;
      throw new MigrationBlockedError(`another migration has not ended: ${await describeHolders(pool, sql)}`);
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

async function upgrade(pool: Pool, clock: Clock, limits: MigrationLimits): Promise<{ from: number; to: number }> {
  const from = await readVersion(pool);
  if (from > SCHEMA_VERSION)
    throw new StoreTooNewError(`the store has schema ${from}, this version knows ${SCHEMA_VERSION}`);
  for (let version = from + 1; version <= SCHEMA_VERSION; version++) {
    const migration = migrationTo(version, 'postgres');
    const index = typeof migration === 'object' ? migration : undefined;
    const isPartitioned = index !== undefined && (await withClient(pool, (client) => createIndex(client, index)));
    await insist(pool, limits, async (client) => {
      // It finds the indexes of the partitions, and builds those of partitions that were made meanwhile.
      if (isPartitioned) await client.query(`CREATE INDEX ${index.name} ON ${index.table} ${index.columns}`);
      if (typeof migration === 'string') await client.query(migration);
      if (typeof migration === 'function')
        await runUnit((text, values) => client.query(text, values), clock, migration());
      await client.query(
        'CREATE TABLE IF NOT EXISTS schema_migration (version INTEGER PRIMARY KEY, applied_at BIGINT NOT NULL)',
      );
      await client.query('INSERT INTO schema_migration (version, applied_at) VALUES ($1, $2)', [version, clock.now()]);
    });
  }
  return { from, to: SCHEMA_VERSION };
}

/**
 * Creates an index without a lock that calls wait for. It cannot be part of a transaction. True for a partitioned table, of which
 * only the partitions have their indexes then: the one of the whole cannot be created so.
 */
async function createIndex(client: PoolClient, { name, table, columns }: NewIndex): Promise<boolean> {
  // The limits of the service's role are not meant for this.
  await client.query('SET statement_timeout = 0');
  try {
    const sql =
      'SELECT relname AS part FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = to_regclass($1)';
    const parts = (await client.query<{ part: string }>(sql, [table])).rows;
    for (const { part } of parts.length === 0 ? [{ part: table }] : parts)
      await createOnTable(client, name.replace(table, part), `${part} ${columns}`);
    return parts.length > 0;
  } finally {
    await client.query('RESET statement_timeout').catch(() => {});
  }
}

async function createOnTable(client: PoolClient, name: string, on: string): Promise<void> {
  const sql = 'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)';
  const [known] = (await client.query<{ valid: boolean }>(sql, [name])).rows;
  // An attempt that was cut off leaves an index that nothing uses.
  if (known?.valid === false) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
  if (known?.valid !== true) await client.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
}

/** Runs work in a transaction that waits for each lock only briefly, and again after a pause. @throws MigrationBlockedError */
async function insist(
  pool: Pool,
  { lockTimeoutMs, attempts, pauseMs }: MigrationLimits,
  work: (client: PoolClient) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { blockedBy, error } = await withClient(pool, (client) => attemptOnce(client, pool, lockTimeoutMs, work));
    if (error === undefined) return;
    if (attempt === attempts)
      throw new MigrationBlockedError(
        `its tables are in use, and ${attempts} attempts to change them were in vain: ${blockedBy || 'nobody knows by whom'}`,
        { cause: error },
      );
    await sleep(pauseMs);
  }
}

/** Returns the error of an attempt that others got in the way of, and who they were. */
async function attemptOnce(
  client: PoolClient,
  pool: Pool,
  lockTimeoutMs: number,
  work: (client: PoolClient) => Promise<void>,
): Promise<{ blockedBy: string; error: unknown }> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const wait = watchWait(pool, rows[0]?.pid ?? 0, lockTimeoutMs / 4);
  try {
    await client.query(`${BEGIN}; SET LOCAL lock_timeout = ${lockTimeoutMs}; SET LOCAL statement_timeout = 0`);
    await work(client);
    await client.query('COMMIT');
    return { blockedBy: '', error: undefined };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    if (!isLockTimeout(error) && !isRepeatable(error)) throw error;
    return { blockedBy: await wait.stop(), error };
  } finally {
    await wait.stop();
  }
}

/** Returns the schema version; 0 for a database without tables. */
export async function readVersion(client: Pick<PoolClient, 'query'> | Pool): Promise<number> {
  const { rows } = await client.query<{ found: string | null }>(`SELECT to_regclass('schema_migration') AS found`);
  if ((rows[0]?.found ?? null) === null) return 0;
  const versions = await client.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM schema_migration',
  );
  return versions.rows[0]?.version ?? 0;
}
