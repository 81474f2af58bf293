import type { DocumentEvent } from '../contract/webhook-event.js';
import { bindIdempotencyKey, type EarlierUse, type IdempotentUse } from './idempotency.js';
import { type RequestEntry, writeRequest } from './requests.js';
import type { Store } from './store.js';
import { one, type Unit } from './unit.js';
import { addToDay } from './usage-days.js';
import { isSubscribed, recordEvent } from './webhooks.js';

export interface CachedResult {
  /** The job that the result belongs to. */
  jobId: string;
  documentPageCount: number;
}

/** Finds a result of this organisation for the same file, function, arguments and engine, stored after `newerThanMs`. */
export async function findCachedResult(
  store: Store,
  organisationId: string,
  cacheKey: string,
  newerThanMs: number,
): Promise<CachedResult | undefined> {
  return await store.read(
    one<CachedResult>(
      `SELECT result_cache.job_id AS "jobId", document_page_count AS "documentPageCount" FROM result_cache
     JOIN result ON result.job_id = result_cache.job_id
     WHERE organisation_id = :organisationId AND cache_key = :cacheKey AND result_cache.created_at > :newerThanMs`,
      { organisationId, cacheKey, newerThanMs },
    ),
  );
}

/**
 * Writes the log line of a cached answer and its event, and binds the answer to its Idempotency-Key, whose replays read that
 * line. When a concurrent call with the same key was first, nothing is written and that use is returned. A line without a key
 * and without an event survives the end of the process, though not of the machine: it does not wait for the disk.
 */
export async function rememberCachedAnswer(
  store: Store,
  entry: RequestEntry & { organisationId: string },
  use: IdempotentUse | undefined,
  event: DocumentEvent,
  alsoWrite?: () => Unit<void>,
): Promise<EarlierUse | undefined> {
  const { organisationId, createdAtMs } = entry;
  const isSynced = use !== undefined || (await store.read(isSubscribed(organisationId, event)));
  return await store.write(
    function* () {
      const earlier = use && (yield* bindIdempotencyKey(organisationId, use, entry.id, createdAtMs));
      if (earlier !== undefined) return earlier;
      yield* writeRequest(entry);
      yield* recordEvent(organisationId, event, createdAtMs);
      yield* addToDay(organisationId, createdAtMs, { cached: 1 });
      if (alsoWrite !== undefined) yield* alsoWrite();
      return undefined;
    },
    { isSynced },
  );
}
