import type { Store } from './store.js';

export interface Ages {
  resultTtlMs: number;
  cacheTtlMs: number;
  idempotencyTtlMs: number;
  requestLogTtlMs: number;
}

const BATCH = 500;
/** Lines of calls without a good key, which anybody can make: older ones than so many are forgotten. */
export const UNOWNED_REQUESTS = 100_000;

/**
 * Forgets what is older than it is kept, a few rows at a time so that nobody waits for it; the rest stays for another time when
 * `signal` is aborted. Returns how many rows went.
 */
export async function removeExpired(store: Store, ages: Ages, nowMs: number, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  const steps: Array<[sql: string, olderThanMs: number]> = [
    [
      'DELETE FROM idempotency WHERE (organisation_id, idempotency_key) IN (SELECT organisation_id, idempotency_key FROM idempotency WHERE created_at < ? LIMIT ?)',
      nowMs - ages.idempotencyTtlMs,
    ],
    [
      'DELETE FROM result_cache WHERE (organisation_id, cache_key) IN (SELECT organisation_id, cache_key FROM result_cache WHERE created_at < ? LIMIT ?)',
      nowMs - ages.cacheTtlMs,
    ],
    [
      'DELETE FROM result WHERE job_id IN (SELECT job_id FROM result WHERE created_at < ? LIMIT ?)',
      nowMs - ages.resultTtlMs,
    ],
    [
      'DELETE FROM request WHERE id IN (SELECT id FROM request WHERE created_at < ? LIMIT ?)',
      nowMs - ages.requestLogTtlMs,
    ],
    [
      `DELETE FROM job WHERE id IN (SELECT id FROM job WHERE finished_at < ? AND NOT EXISTS (SELECT 1 FROM result WHERE job_id = job.id)
         AND NOT EXISTS (SELECT 1 FROM result_cache WHERE job_id = job.id)
         AND NOT EXISTS (SELECT 1 FROM request WHERE request.id = job.request_id) LIMIT ?)`,
      nowMs - Math.max(ages.resultTtlMs, ages.requestLogTtlMs),
    ],
    [
      `DELETE FROM document WHERE id IN (SELECT id FROM document WHERE created_at < ?
         AND NOT EXISTS (SELECT 1 FROM job WHERE document_id = document.id) LIMIT ?)`,
      nowMs - ages.requestLogTtlMs,
    ],
    [
      `DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM webhook_delivery WHERE created_at < ? AND status <> 'pending' LIMIT ?)`,
      nowMs - ages.requestLogTtlMs,
    ],
    [
      `DELETE FROM webhook_endpoint WHERE id IN (SELECT id FROM webhook_endpoint WHERE removed_at < ?
         AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE endpoint_id = webhook_endpoint.id) LIMIT ?)`,
      nowMs - ages.requestLogTtlMs,
    ],
    [
      `UPDATE webhook_endpoint SET previous_secret = NULL, previous_secret_until = NULL
       WHERE id IN (SELECT id FROM webhook_endpoint WHERE previous_secret_until < ? LIMIT ?)`,
      nowMs,
    ],
  ];
  for (const [sql, olderThanMs] of steps) removed += await removeInBatches(store, sql, olderThanMs, signal);
  return removed + (await removeUnownedRequests(store, UNOWNED_REQUESTS, signal));
}

/** Forgets calls of nobody's, the oldest first, so that `most` of them stay. Returns how many went. */
export async function removeUnownedRequests(store: Store, most: number, signal?: AbortSignal): Promise<number> {
  const newestTooMany = store.read.get<{ createdAtMs: number }>(
    `SELECT created_at AS "createdAtMs" FROM request WHERE organisation_id IS NULL ORDER BY created_at DESC LIMIT 1 OFFSET ?`,
    most,
  );
  if (newestTooMany === undefined) return 0;
  const sql =
    'DELETE FROM request WHERE id IN (SELECT id FROM request WHERE organisation_id IS NULL AND created_at <= ? LIMIT ?)';
  return await removeInBatches(store, sql, newestTooMany.createdAtMs, signal);
}

async function removeInBatches(store: Store, sql: string, olderThanMs: number, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  for (let count = BATCH; count === BATCH && signal?.aborted !== true; removed += count)
    count = await store.write((db) => db.run(sql, olderThanMs, BATCH));
  return removed;
}
