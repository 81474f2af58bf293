import type { Store } from './store.js';
import { all, one } from './unit.js';

// SQLite numbers the rows of a table itself; PostgreSQL has a column of this name (migrations/015-shared-store.ts).

/** Returns the number of the newest line: lines are numbered as they are added, and a call's may be added when it is answered. */
export async function findNewestLine(store: Store): Promise<number> {
  return (await store.read(one<{ line: number | null }>('SELECT max(rowid) AS line FROM request')))?.line ?? 0;
}

/** Lists the lines after `line`, in the order in which they were added, at most `limit`. */
export async function listLinesAfter(
  store: Store,
  line: number,
  limit: number,
): Promise<Array<{ line: number; requestId: string }>> {
  return await store.read(
    all('SELECT rowid AS line, id AS "requestId" FROM request WHERE rowid > :line ORDER BY rowid LIMIT :limit', {
      line,
      limit,
    }),
  );
}
