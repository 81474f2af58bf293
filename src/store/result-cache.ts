import type { DocumentEvent } from '../contract/webhook-event.js';
import { type Accepted, IDEMPOTENCY_TTL_MS } from './queue.js';
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

export interface IdempotentUse {
  key: string;
  contentHash: string;
}

/** Looks up what an Idempotency-Key was used for. */
export async function findIdempotentUse(
  store: Store,
  organisationId: string,
  use: IdempotentUse,
  nowMs: number,
): Promise<Extract<Accepted, { kind: 'replay' | 'conflict' }> | undefined> {
  const earlier = store.read.get<{ contentHash: string; requestId: string }>(
    `SELECT content_hash AS "contentHash", request_id AS "requestId" FROM idempotency
     WHERE organisation_id = ? AND idempotency_key = ? AND created_at >= ?`,
    organisationId,
    use.key,
    nowMs - IDEMPOTENCY_TTL_MS,
  );
  if (earlier === undefined) return undefined;
  return earlier.contentHash === use.contentHash
    ? { kind: 'replay', requestId: earlier.requestId }
    : { kind: 'conflict' };
}

/** Remembers a cached answer under its Idempotency-Key, with the log line that it is answered from again, and its event. */
export async function rememberCachedAnswer(
  store: Store,
  entry: RequestEntry,
  use: IdempotentUse,
  event: DocumentEvent,
): Promise<void> {
  await store.write((db) => {
    const remembered = db.run(
      `INSERT INTO idempotency (organisation_id, idempotency_key, content_hash, request_id, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (organisation_id, idempotency_key) DO NOTHING`,
      entry.organisationId ?? '',
      use.key,
      use.contentHash,
      entry.id,
      entry.createdAtMs,
    );
    writeRequest(db, entry);
    // Of two calls in the same moment one is the answer that is given again.
    if (remembered === 1) recordEvent(db, entry.organisationId ?? '', event, entry.createdAtMs);
  });
}
