import type { DocumentEvent } from '../contract/webhook-event.js';
import { type EarlierUse, findIdempotentUse, type IdempotentUse, rememberIdempotentUse } from './idempotency.js';
import { type RequestEntry, writeRequest } from './requests.js';
import type { Store } from './store.js';
import { recordEvent } from './webhooks.js';

export interface CachedResult {
  /** The job whose result it is. */
  jobId: string;
  documentPageCount: number;
}

/** A result of this organisation for the same file, function, arguments and engine, not older than `newerThanMs`. */
export async function findCachedResult(
  store: Store,
  organisationId: string,
  cacheKey: string,
  newerThanMs: number,
): Promise<CachedResult | undefined> {
  return store.read.get<CachedResult>(
    `SELECT result_cache.job_id AS "jobId", document_page_count AS "documentPageCount" FROM result_cache
     JOIN result ON result.job_id = result_cache.job_id
     WHERE organisation_id = ? AND cache_key = ? AND result_cache.created_at > ?`,
    organisationId,
    cacheKey,
    newerThanMs,
  );
}

/**
 * Remembers a cached answer under its Idempotency-Key, with the log line that it is answered from again, and its event. Where
 * another call with the key was first, in the same moment, nothing is written: that one is the answer.
 */
export async function rememberCachedAnswer(
  store: Store,
  entry: RequestEntry & { organisationId: string },
  use: IdempotentUse,
  event: DocumentEvent,
): Promise<EarlierUse | undefined> {
  return await store.write((db) => {
    const { organisationId, createdAtMs } = entry;
    const earlier = findIdempotentUse(db, organisationId, use, createdAtMs);
    if (earlier !== undefined) return earlier;
    rememberIdempotentUse(db, organisationId, use, entry.id, createdAtMs);
    writeRequest(db, entry);
    recordEvent(db, organisationId, event, createdAtMs);
    return undefined;
  });
}
