import type { ClientConfig, Pool, PoolClient } from 'pg';

/** Time to connect, and for one statement. A service that cannot reach its database soon says so. */
export const CONNECT_TIMEOUT_MS = 2_000;
export const QUERY_TIMEOUT_MS = 5_000;
/** Time to wait until a connection is free: many calls at once are no sign that the database is away. */
const FREE_TIMEOUT_MS = 10_000;

/** Object ids of the types that the library would return as text: int8, and numeric, which sums of int8 are. */
const NUMBERS = new Set([20, 1700]);

export interface PoolOptions {
  /** postgres://user:password@host:port/database */
  url: string;
  maxConnections: number;
  /** Name of the process in `pg_stat_activity`. */
  applicationName: string;
  /** Longest time to connect, and for one statement. */
  timeoutsMs?: { connect: number; statement: number };
}

const TIMEOUTS_MS = { connect: CONNECT_TIMEOUT_MS, statement: QUERY_TIMEOUT_MS };

/** Opens a pool of connections, none of them yet. Every number of the store fits into a JavaScript number. */
export async function openPool(options: PoolOptions): Promise<Pool> {
  const { url, maxConnections, applicationName, timeoutsMs = TIMEOUTS_MS } = options;
  const { default: pg } = await import('pg');
  class Client extends pg.Client {
    constructor(config?: ClientConfig) {
      super({ ...config, connectionTimeoutMillis: timeoutsMs.connect });
      // Its statements fail by themselves. The pool listens to idle connections alone, and without a listener an error would
      // end the process: also one that comes between the pool's lending and the borrower's first turn.
      this.on('error', () => {});
    }
  }
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: Math.max(FREE_TIMEOUT_MS, timeoutsMs.statement),
    query_timeout: timeoutsMs.statement,
    application_name: applicationName,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        NUMBERS.has(oid) ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // The pool drops an idle connection that breaks. Without a listener its error would end the process.
  pool.on('error', () => {});
  return pool;
}

/**
 * Begins a transaction, which the database undoes when it hears nothing of it for the time of one statement. A process that stands
 * still, or whose link is cut, would hold its locks until TCP gives it up, by default after two hours.
 */
export const BEGIN = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${QUERY_TIMEOUT_MS}`;

/** Lends a connection. One whose server is gone, or may still run a statement, is closed and not used again. */
export async function withClient<T>(pool: Pool, use: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await use(client);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure !== undefined && isStatementError(failure) ? undefined : failure);
  }
}

/** True for an error that the server reports about a statement: the connection stays usable (PostgreSQL, appendix A). */
export function isStatementError(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && severity === 'ERROR';
}
