import { EVENT_BOUNDS, EVENT_TTL_MS, findSurplusEvents } from './events.js';
import { removeInBatches } from './remove-in-batches.js';
import type { Store } from './store.js';
import { one } from './unit.js';

/** Lifetimes of records. */
export interface Ages {
  resultTtlMs: number;
  cacheTtlMs: number;
  idempotencyTtlMs: number;
  requestLogTtlMs: number;
}

/** Bound on logged calls without a valid key, which anybody can make. The oldest are removed first. */
export const MAX_UNOWNED_REQUESTS = 100_000;

/**
 * Removes expired records, a few rows at a time so that no other write waits long. An aborted `signal` stops after the present
 * batch. Returns how many rows were removed.
 */
export async function removeExpired(store: Store, ages: Ages, nowMs: number, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  const steps: Array<[sql: string, untilMs: number]> = [
    [
      `DELETE FROM idempotency WHERE (organisation_id, idempotency_key) IN (SELECT organisation_id, idempotency_key
         FROM idempotency WHERE created_at < :untilMs LIMIT :limit)`,
      nowMs - ages.idempotencyTtlMs,
    ],
    [
      `DELETE FROM result_cache WHERE (organisation_id, cache_key) IN (SELECT organisation_id, cache_key FROM result_cache
         WHERE created_at < :untilMs LIMIT :limit)`,
      nowMs - ages.cacheTtlMs,
    ],
    [
      'DELETE FROM result WHERE job_id IN (SELECT job_id FROM result WHERE created_at < :untilMs LIMIT :limit)',
      nowMs - ages.resultTtlMs,
    ],
    [
      'DELETE FROM request WHERE id IN (SELECT id FROM request WHERE created_at < :untilMs LIMIT :limit)',
      nowMs - ages.requestLogTtlMs,
    ],
    [
      `DELETE FROM job WHERE id IN (SELECT id FROM job WHERE finished_at < :untilMs
         AND NOT EXISTS (SELECT 1 FROM result WHERE job_id = job.id)
         AND NOT EXISTS (SELECT 1 FROM result_cache WHERE job_id = job.id)
         AND NOT EXISTS (SELECT 1 FROM request WHERE request.id = job.request_id) LIMIT :limit)`,
      nowMs - Math.max(ages.resultTtlMs, ages.requestLogTtlMs),
    ],
    [
      `DELETE FROM document WHERE id IN (SELECT id FROM document WHERE created_at < :untilMs
         AND NOT EXISTS (SELECT 1 FROM job WHERE document_id = document.id) LIMIT :limit)`,
      nowMs - ages.requestLogTtlMs,
    ],
    [
      `DELETE FROM webhook_delivery WHERE id IN (SELECT id FROM webhook_delivery WHERE created_at < :untilMs
         AND status <> 'pending' LIMIT :limit)`,
      nowMs - ages.requestLogTtlMs,
    ],
    [
      `DELETE FROM webhook_endpoint WHERE id IN (SELECT id FROM webhook_endpoint WHERE removed_at < :untilMs
         AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE endpoint_id = webhook_endpoint.id) LIMIT :limit)`,
      nowMs - ages.requestLogTtlMs,
    ],
    [
      `UPDATE webhook_endpoint SET previous_secret = NULL, previous_secret_until = NULL
       WHERE id IN (SELECT id FROM webhook_endpoint WHERE previous_secret_until < :untilMs LIMIT :limit)`,
      nowMs,
    ],
    [
      'DELETE FROM event WHERE number IN (SELECT number FROM event WHERE created_at < :untilMs LIMIT :limit)',
      nowMs - EVENT_TTL_MS,
    ],
  ];
  for (const [sql, untilMs] of steps) removed += await removeInBatches(store, sql, { untilMs }, signal);
  removed += await removeSurplusEvents(store, EVENT_BOUNDS, signal);
  return removed + (await removeUnownedRequests(store, MAX_UNOWNED_REQUESTS, signal));
}

/** Removes events beyond the bounds. Returns how many were removed. */
export async function removeSurplusEvents(
  store: Store,
  bounds: typeof EVENT_BOUNDS,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  const sql = `DELETE FROM event WHERE number IN (SELECT number FROM event
     WHERE organisation_id = :organisationId AND number <= :untilNumber LIMIT :limit)`;
  for (const { organisationId, untilNumber } of await findSurplusEvents(store, bounds))
    removed += await removeInBatches(store, sql, { organisationId, untilNumber }, signal);
  return removed;
}

/**
 * Removes the oldest calls without an organisation beyond the newest `kept`; those with a support key stay. Returns how many
 * were removed.
 */
export async function removeUnownedRequests(store: Store, kept: number, signal?: AbortSignal): Promise<number> {
  const newestBeyond = await store.read(
    one<{ createdAtMs: number }>(
      `SELECT created_at AS "createdAtMs" FROM request WHERE organisation_id IS NULL
     ORDER BY created_at DESC LIMIT 1 OFFSET :kept`,
      { kept },
    ),
  );
  if (newestBeyond === undefined) return 0;
  const sql = `DELETE FROM request WHERE id IN (SELECT id FROM request WHERE organisation_id IS NULL
     AND key_id IS NULL AND created_at <= :untilMs LIMIT :limit)`;
  return await removeInBatches(store, sql, { untilMs: newestBeyond.createdAtMs }, signal);
}
