import type { Pool } from 'pg';
import { sleep } from '../../contract/sleep.js';

/** Characters of a statement in a message. */
const MAX_STATEMENT_LENGTH = 80;

interface Session {
  pid: number;
  name: string;
  role: string;
  from: string;
  seconds: number;
  statement: string;
}

/** Describes the sessions whose process ids a query finds. Those of other roles show little to a common one. */
export async function describeHolders(pool: Pool, pids: string, values: unknown[] = []): Promise<string> {
  const { rows } = await pool.query<Session>(
    `SELECT pid, coalesce(nullif(application_name, ''), 'a program without a name') AS name, coalesce(usename, '?') AS role,
       coalesce(host(client_addr), 'the database''s machine') AS from,
       CAST(coalesce(extract(epoch FROM clock_timestamp() - xact_start), 0) AS INTEGER) AS seconds,
       coalesce(regexp_replace(query, '\\s+', ' ', 'g'), '') AS statement
     FROM pg_stat_activity WHERE pid IN (${pids}) ORDER BY xact_start`,
    values,
  );
  return rows.map(describe).join('; ');
}

function describe({ pid, name, role, from, seconds, statement }: Session): string {
  const shown =
    statement.length > MAX_STATEMENT_LENGTH ? `${statement.slice(0, MAX_STATEMENT_LENGTH - 1)}…` : statement;
  return `process ${pid} (${name}, role ${role}, from ${from}) has had a transaction for ${seconds} s, last with "${shown}"`;
}

/** Looks now and then for whom a session waits. `stop` returns those of the last look that found any. */
export function watchWait(pool: Pool, pid: number, everyMs: number): { stop(): Promise<string> } {
  const stopping = new AbortController();
  const watching = look();

  async function look(): Promise<string> {
    let found = '';
    while (!stopping.signal.aborted) {
      await sleep(everyMs, stopping.signal).catch(() => {});
      if (stopping.signal.aborted) break;
      found = (await describeHolders(pool, 'SELECT unnest(pg_blocking_pids($1))', [pid]).catch(() => '')) || found;
    }
    return found;
  }

  return {
    stop: () => {
      stopping.abort();
      return watching;
    },
  };
}
