import type { Store } from './store.js';
import type { SqlValues } from './unit.js';
import { run } from './unit.js';

const BATCH_ROWS = 500;

/**
 * Removes rows by a statement that takes `:limit` of them, a few at a time so that no other write waits long. An aborted `signal`
 * stops after the present batch. Returns how many rows were removed.
 */
export async function removeInBatches(
  store: Store,
  sql: string,
  values: SqlValues,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let count = BATCH_ROWS; count >= BATCH_ROWS && signal?.aborted !== true; removed += count)
    count = await store.write(() => run(sql, { ...values, limit: BATCH_ROWS }), { isErasure: true });
  return removed;
}
