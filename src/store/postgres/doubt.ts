import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { DatabaseUnavailableError } from './failure.js';
import { BEGIN } from './pool.js';

/** Time to find out what became of a transaction whose end got no answer, and the pause between two questions. */
const DOUBT_TIMEOUT_MS = 10_000;
const DOUBT_PAUSE_MS = 100;

/** Identifies a transaction as long as the database does not crash: the ids of lost transactions are given again. */
export interface TransactionName {
  id: string;
  /** The value of `crash_mark` during the transaction. */
  mark: string;
}

const MARK = 'SELECT value FROM crash_mark';
/** Leaves the value of a process that was first. One that sets it at the same time is waited for. */
const SET_MARK = 'INSERT INTO crash_mark VALUES (1, gen_random_uuid()) ON CONFLICT DO NOTHING';

/** Begins a transaction and names it. */
export async function beginNamed(client: PoolClient): Promise<TransactionName> {
  // One message, and so one round trip; the answer is that of each statement.
  const answers = (await client.query(
    `${BEGIN}; SELECT pg_current_xact_id() AS id, (${MARK}) AS mark`,
  )) as unknown as Array<{
    rows: Array<{ id: string; mark: string | null }>;
  }>;
  const { id = '', mark = null } = answers.at(-1)?.rows[0] ?? {};
  return { id, mark: mark ?? (await setMark(client)) };
}

/** Sets the mark after a crash, as a part of the transaction. */
async function setMark(client: PoolClient): Promise<string> {
  await client.query(SET_MARK);
  return (await client.query<{ value: string }>(MARK)).rows[0]?.value ?? '';
}

/**
 * Finds out what became of a transaction that got no answer to its COMMIT (`pg_xact_status`, PostgreSQL, section 9.27).
 * @throws DatabaseUnavailableError when it was undone, or nobody can say, as after a crash
 */
export async function resolveDoubt(pool: Pool, { id, mark }: TransactionName): Promise<void> {
  const deadline = performance.now() + DOUBT_TIMEOUT_MS;
  while (performance.now() < deadline) {
    try {
      const { rows } = await pool.query<{ status: string | null }>(
        `SELECT CASE WHEN (${MARK}) = $2 THEN pg_xact_status($1) END AS status`,
        [id, mark],
      );
      if (rows[0]?.status === 'committed') return;
      if (rows[0]?.status !== 'in progress') break;
    } catch {
      // The database is not back yet.
    }
    await sleep(DOUBT_PAUSE_MS);
  }
  throw new DatabaseUnavailableError('The database did not say whether it took the last change');
}
