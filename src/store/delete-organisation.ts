import { audit } from './audit.js';
import { removeInBatches } from './remove-in-batches.js';
import type { Store } from './store.js';
import { ids } from './unit.js';

/** Rows of an organisation, in an order in which none refers to a row that is gone. The request log is no part of them. */
const OWN_ROWS: ReadonlyArray<readonly [table: string, key: string, condition: string]> = [
  ['event', 'number', 'organisation_id = :id'],
  ['event_removal', 'organisation_id', 'organisation_id = :id'],
  ['webhook_delivery', 'id', 'organisation_id = :id'],
  ['webhook_endpoint', 'id', 'organisation_id = :id'],
  ['result_cache', 'cache_key', 'organisation_id = :id'],
  ['result', 'job_id', 'job_id IN (SELECT id FROM job WHERE organisation_id = :id)'],
  ['idempotency', 'idempotency_key', 'organisation_id = :id'],
  ['job', 'id', 'organisation_id = :id'],
  ['blob', 'id', 'id IN (SELECT id FROM document WHERE organisation_id = :id)'],
  ['document', 'id', 'organisation_id = :id'],
  ['usage', 'period', 'organisation_id = :id'],
  ['usage_day', 'day', 'organisation_id = :id'],
  ['worker_time', 'organisation_id', 'organisation_id = :id'],
  ['api_key', 'id', 'organisation_id = :id'],
  ['portal_session', 'hash', 'organisation_id = :id'],
  ['portal_link', 'hash', 'organisation_id = :id'],
  ['member_identity', 'subject', 'organisation_id = :id'],
  ['member', 'id', 'organisation_id = :id'],
  ['organisation', 'id', 'id = :id'],
];

/** Lists the ids of keys that still work. */
export async function listActiveKeys(store: Store, organisationId: string, nowMs: number): Promise<string[]> {
  return await store.read(
    ids(
      `SELECT id FROM api_key WHERE organisation_id = :organisationId AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > :nowMs) ORDER BY created_at, id`,
      { organisationId, nowMs },
    ),
  );
}

/** Lists the documents of an organisation that may be stored: those of unfinished jobs, and of jobs that ended a while ago. */
export async function listStoredDocuments(
  store: Store,
  organisationId: string,
  endedSinceMs: number,
): Promise<string[]> {
  return await store.read(
    ids(
      `SELECT document_id AS id FROM job WHERE organisation_id = :organisationId
         AND (finished_at IS NULL OR finished_at >= :endedSinceMs)`,
      { organisationId, endedSinceMs },
    ),
  );
}

/** Lists the results of an organisation that are not in their rows. */
export async function listLargeResults(store: Store, organisationId: string): Promise<string[]> {
  return await store.read(
    ids(
      `SELECT blob_id AS id FROM result JOIN job ON job.id = result.job_id
       WHERE organisation_id = :organisationId AND blob_id IS NOT NULL`,
      { organisationId },
    ),
  );
}

/**
 * Removes an organisation and all its rows, a few at a time so that no other write waits long. An interrupted removal goes on
 * when it is called again.
 */
export async function deleteOrganisation(store: Store, id: string): Promise<void> {
  await store.write(() => audit(store, { action: 'organisation.delete', organisationId: id, subjectId: id }));
  for (const [table, key, condition] of OWN_ROWS) {
    const sql = `DELETE FROM ${table} WHERE ${condition} AND ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT :limit)`;
    await removeInBatches(store, sql, { id });
  }
}
