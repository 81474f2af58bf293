import { EVENT_BOUNDS, EVENT_TTL_MS, findSurplusEvents } from './events.js';
import { MAX_SESSION_MS } from './portal-sessions.js';
import { keepRequestDays } from './postgres/request-days.js';
import { type Removable, removeInBatches, renderChange } from './remove-in-batches.js';
import type { Store } from './store.js';
import { one } from './unit.js';

/** Lifetimes of records. */
export interface Ages {
  resultTtlMs: number;
  cacheTtlMs: number;
  idempotencyTtlMs: number;
  requestLogTtlMs: number;
}

const FORGET_SECRETS = renderChange(
  { table: 'webhook_endpoint', key: 'id', where: 'previous_secret_until < :untilMs' },
  'UPDATE webhook_endpoint SET previous_secret = NULL, previous_secret_until = NULL',
);

/** Time for which a link that has ended can be told from one that never was. */
const USED_LINK_TTL_MS = 86_400_000;
const AUDIT_TTL_MS = 365 * 86_400_000;

/** Bound on logged calls without a valid key, which anybody can make. The oldest are removed first. */
export const MAX_UNOWNED_REQUESTS = 100_000;

/**
 * Removes expired records, a few rows at a time so that no other write waits long. An aborted `signal` stops after the present
 * batch. Returns how many rows were removed.
 */
export async function removeExpired(store: Store, ages: Ages, nowMs: number, signal?: AbortSignal): Promise<number> {
  const days = store.isShared ? await keepRequestDays(store, ages.requestLogTtlMs, nowMs) : undefined;
  let removed = days?.removed ?? 0;
  const steps: Array<[rows: Removable, untilMs: number]> = [
    [
      { table: 'idempotency', key: 'organisation_id, idempotency_key', where: 'created_at < :untilMs' },
      nowMs - ages.idempotencyTtlMs,
    ],
    [
      { table: 'result_cache', key: 'organisation_id, cache_key', where: 'created_at < :untilMs' },
      nowMs - ages.cacheTtlMs,
    ],
    [{ table: 'result', key: 'job_id', where: 'created_at < :untilMs' }, nowMs - ages.resultTtlMs],
    [
      { table: 'request', key: 'id', where: 'created_at < :untilMs' },
      nowMs - ages.requestLogTtlMs - (days?.graceMs ?? 0),
    ],
    [
      {
        table: 'job',
        key: 'id',
        where: `finished_at < :untilMs AND NOT EXISTS (SELECT 1 FROM result WHERE job_id = job.id)
          AND NOT EXISTS (SELECT 1 FROM result_cache WHERE job_id = job.id)
          AND NOT EXISTS (SELECT 1 FROM request WHERE request.id = job.request_id)`,
      },
      nowMs - Math.max(ages.resultTtlMs, ages.requestLogTtlMs),
    ],
    [
      {
        table: 'document',
        key: 'id',
        where: 'created_at < :untilMs AND NOT EXISTS (SELECT 1 FROM job WHERE document_id = document.id)',
      },
      nowMs - ages.requestLogTtlMs,
    ],
    [
      { table: 'webhook_delivery', key: 'id', where: `created_at < :untilMs AND status <> 'pending'` },
      nowMs - ages.requestLogTtlMs,
    ],
    [
      {
        table: 'webhook_endpoint',
        key: 'id',
        where: `removed_at < :untilMs
          AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE endpoint_id = webhook_endpoint.id)`,
      },
      nowMs - ages.requestLogTtlMs,
    ],
    [{ table: 'event', key: 'number', where: 'created_at < :untilMs' }, nowMs - EVENT_TTL_MS],
    [{ table: 'portal_link', key: 'hash', where: 'expires_at < :untilMs' }, nowMs - USED_LINK_TTL_MS],
    [{ table: 'portal_session', key: 'hash', where: 'created_at < :untilMs' }, nowMs - MAX_SESSION_MS],
    [{ table: 'audit', key: 'id', where: 'created_at < :untilMs' }, nowMs - AUDIT_TTL_MS],
  ];
  for (const [rows, untilMs] of steps) removed += await removeInBatches(store, renderChange(rows), { untilMs }, signal);
  removed += await removeInBatches(store, FORGET_SECRETS, { untilMs: nowMs }, signal);
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
  const where = 'organisation_id = :organisationId AND number <= :untilNumber';
  const sql = renderChange({ table: 'event', key: 'number', where });
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
  const where = 'organisation_id IS NULL AND key_id IS NULL AND created_at <= :untilMs';
  const sql = renderChange({ table: 'request', key: 'id', where });
  return await removeInBatches(store, sql, { untilMs: newestBeyond.createdAtMs }, signal);
}
