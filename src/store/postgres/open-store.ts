import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { SCHEMA_VERSION, StoreTooNewError } from '../schema.js';
import type { Store } from '../store.js';
import { type Clock, Undone, type Unit } from '../unit.js';
import { createBreaker } from './breaker.js';
import { openClock } from './clock.js';
import { openDoorbell } from './doorbell.js';
import { beginNamed, resolveDoubt, type TransactionName } from './doubt.js';
import { DatabaseUnavailableError, explainAbsence, isRepeatable, isUnavailable } from './failure.js';
import { readVersion } from './migrate.js';
import { BEGIN, isStatementError, openPool, type PoolOptions, withClient } from './pool.js';
import { runUnit } from './run-unit.js';

/** Attempts of a transaction that others get in the way of. */
const MAX_ATTEMPTS = 5;
/** Longest pause before the next attempt; the real one is random, so that the two do not meet again. */
const MAX_PAUSE_MS = 50;

export interface SharedStoreOptions extends PoolOptions {
  /** Address of the same database past any pooler; the other one by default. */
  listenUrl?: string | undefined;
  /** Called with the reason when the database is away, and with undefined when it is back. */
  onAvailability?: (reason: string | undefined) => void;
}

/**
 * Opens the store of a PostgreSQL database, which `ocr admin migrate` has given its tables. Each statement of a read is on its
 * own; a write is a transaction (READ COMMITTED), durable when it resolves.
 * @throws StoreTooNewError; SchemaMissingError for an older schema; DatabaseUnavailableError
 */
export async function openStore(options: SharedStoreOptions): Promise<Store> {
  const pool = await openPool(options);
  try {
    const version = await withClient(pool, readVersion);
    if (version > SCHEMA_VERSION + 1)
      throw new StoreTooNewError(`the store has schema ${version}, this version knows ${SCHEMA_VERSION}`);
    if (version < SCHEMA_VERSION) throw new SchemaMissingError(version);
    return await createStore(pool, options);
  } catch (error) {
    await pool.end();
    throw explainAbsence(error);
  }
}

/** Thrown for a database whose tables are those of an older version, or that has none. */
export class SchemaMissingError extends Error {
  override readonly name = 'SchemaMissingError';

  constructor(version: number) {
    super(
      version === 0
        ? 'the database has no tables of this service'
        : `the database has schema ${version}, this version needs ${SCHEMA_VERSION}`,
    );
  }
}

async function createStore(
  pool: Pool,
  { url, listenUrl = url, applicationName, onAvailability }: SharedStoreOptions,
): Promise<Store> {
  const clock = await openClock(pool);
  const breaker = createBreaker(() => pool.query('SELECT 1'), onAvailability);
  const bell = openDoorbell(listenUrl, applicationName);
  let dataVersion = 0;
  bell.listen('access', () => {
    dataVersion++;
  });
  return {
    clock,
    bell,
    isShared: true,
    read: (unit) =>
      breaker.guard(() =>
        withClient(pool, (client) => runUnit((text, values) => client.query(text, values), clock, unit)),
      ),
    write: async (work, { isSynced = true } = {}) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await breaker.guard(() => transact(pool, clock, work(), isSynced));
        } catch (error) {
          if (!isRepeatable(error) || attempt === MAX_ATTEMPTS) throw error;
        }
        await sleep(Math.random() * MAX_PAUSE_MS);
      }
    },
    // Others see a transaction once it is durable.
    synced: async () => {},
    readDataVersion: async () => dataVersion,
    probe: () => breaker.guard(() => withClient(pool, refuseStandby)),
    failed: new Promise(() => {}),
    close: async () => {
      clock.stop();
      breaker.stop();
      await bell.stop();
      await pool.end();
    },
  };
}

/** Refuses a server that takes no writes, and tables of an older version. */
async function refuseStandby(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
  if (rows[0]?.standby) throw new DatabaseUnavailableError('The database is a standby, which takes no writes');
  const version = await readVersion(client);
  if (version < SCHEMA_VERSION) throw new SchemaMissingError(version);
}

async function transact<T>(pool: Pool, clock: Clock, unit: Unit<T>, isSynced: boolean): Promise<T> {
  const { value, doubtful } = await withClient(pool, async (client) => {
    const transaction = await begin(client, isSynced);
    const result = await runUnit((text, values) => client.query(text, values), clock, unit).catch(async (error) => {
      // A database that does not answer would be waited for once more. One that refuses, as a standby does, answers.
      if (isStatementError(error) || !isUnavailable(error)) await client.query('ROLLBACK').catch(() => {});
      if (error instanceof Undone) return error;
      throw error;
    });
    if (result instanceof Undone) return { value: result.value as T, doubtful: undefined };
    return { value: result, doubtful: await commit(client, transaction) };
  });
  if (doubtful !== undefined) await resolveDoubt(pool, doubtful);
  return value;
}

/** Begins a transaction; returns its name where the end is to be durable. */
async function begin(client: PoolClient, isSynced: boolean): Promise<TransactionName | undefined> {
  if (!isSynced) {
    await client.query(`${BEGIN}; SET LOCAL synchronous_commit TO off`);
    return undefined;
  }
  return await beginNamed(client);
}

/** Ends a transaction; returns its name when the connection broke before the answer. @throws PostgreSQL's own error */
async function commit(client: PoolClient, name: TransactionName | undefined): Promise<TransactionName | undefined> {
  try {
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}: a statement of it had failed`);
    return undefined;
  } catch (error) {
    if (name === undefined || !isUnavailable(error)) throw error;
    return name;
  }
}
