import type { Store } from './store.js';
import type { SqlValues } from './unit.js';
import { run } from './unit.js';

const BATCH_ROWS = 500;

/** Rows that may go: those that meet a condition on their table, `:limit` at a time. */
export interface Removable {
  table: string;
  /** The columns of its primary key. */
  key: string;
  where: string;
}

/**
 * Renders a statement for rows that may go. What another process changes at the same time it passes over, because it may have to
 * stay then; PostgreSQL would compare the row of before.
 */
export function renderChange({ table, key, where }: Removable, change = `DELETE FROM ${table}`): string {
  return `WITH picked AS MATERIALIZED (SELECT ${key} FROM ${table} WHERE ${where} LIMIT :limit FOR UPDATE SKIP LOCKED)
    ${change} WHERE (${key}) IN (SELECT ${key} FROM picked)`;
}

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
