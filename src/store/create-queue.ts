import { createId } from '../contract/identifiers.js';
import { audit } from './audit.js';
import type { Blobs } from './blobs/blobs.js';
import { type LargeResults, MAX_RESULT_ROW_BYTES } from './blobs/large-results.js';
import { insertSmallDocument, MAX_ROW_BYTES, removeSmallDocument } from './blobs/small-documents.js';
import { BlobMissingError, BlobsUnavailableError } from './blobs/storage.js';
import { claim, mayClaim } from './claims.js';
import { createIdList } from './id-list.js';
import { bindIdempotencyKey } from './idempotency.js';
import { hasExpired, releaseAll, releaseExpired } from './interrupted-jobs.js';
import {
  END_COLUMNS,
  FROM_START,
  findPageCount,
  NOT_COUNTED,
  QUEUED_AGAIN,
  recordCompletion,
  recordFailure,
} from './job-events.js';
import { countUnfinishedJobs, readJobView } from './jobs.js';
import type { Effort } from './lanes.js';
import type { Acceptance, Accepted, Beat, ClaimedJob, FailedRun, JobFailure, JobOutcome, Queue, Run } from './queue.js';
import { removeJob } from './remove-job.js';
import type { Store } from './store.js';
import { ANY, HEAD_START_MS, noteWorkerTime, ORDINARY, URGENT } from './turns.js';
import { exists, ids, now, one, run, steadyNow, type Unit, undo } from './unit.js';
import { countDocument, giveDocumentBack } from './usage.js';
import { addToDay } from './usage-days.js';

/** Leases are rewritten every few seconds and dropped at the next start, so a power cut may lose them. */
const NOT_SYNCED = { isSynced: false };

/** A job that the run with this token has. */
const HELD = `id = :jobId AND token = :token AND status = 'processing'`;

/** Columns of a job whose effort is known better than before. Its place depends on nothing else, so corrections do not add up. */
const EFFORT = `lane = CASE WHEN lane > :lane THEN lane ELSE :lane END,
  place = created_at + :delayMs - CASE priority WHEN ${URGENT} THEN ${HEAD_START_MS} ELSE 0 END`;

export interface QueueStorages {
  /** Keeps results that are too large for their row. Without it, all are in their rows. */
  results?: LargeResults | undefined;
  /** Keeps the documents that are not in rows. Without it, theirs stay when jobs end. */
  documents?: Pick<Blobs, 'release'>;
}

export function createQueue(store: Store, { results, documents }: QueueStorages = {}): Queue {
  const { read, write } = store;
  /** Ids of large results whose row could not be written yet. */
  const stored = new WeakMap<ClaimedJob, string>();

  async function storeLarge(job: ClaimedJob, body: string): Promise<string | undefined> {
    if (results === undefined || Buffer.byteLength(body) <= MAX_RESULT_ROW_BYTES) return undefined;
    const known = stored.get(job);
    if (known !== undefined) return known;
    const id = createId('res', store.clock.now());
    await results.put(id, body);
    stored.set(job, id);
    return id;
  }

  /** Writes the end of a job with `end`. Its document goes with it: a row in the same transaction. */
  async function writeEnd(job: ClaimedJob, end: () => Unit<boolean>): Promise<boolean> {
    let wasRow = false;
    const isOurs = await write(
      function* () {
        if (!(yield* end())) return false;
        wasRow = job.sizeBytes <= MAX_ROW_BYTES && (yield* removeSmallDocument(job.documentId));
        return true;
      },
      { isErasure: true },
    );
    // A document that cannot be removed now is removed by a later sweep.
    if (isOurs && !wasRow) await documents?.release(job.documentId).catch(() => {});
    return isOurs;
  }

  /** An object that cannot be removed now is removed by a later sweep. */
  async function removeLarge(id: string | null | undefined): Promise<void> {
    if (id != null) await results?.remove(id).catch(() => {});
  }

  /** Brings the text of a large result; undefined when it is gone. */
  async function fetchLarge(id: string): Promise<string | undefined> {
    if (results === undefined)
      throw new BlobsUnavailableError(`The result ${id} is in a bucket, and the service has no blobsUrl`);
    try {
      return await results.get(id);
    } catch (error) {
      if (error instanceof BlobMissingError) return undefined;
      throw error;
    }
  }

  return {
    accept: (acceptance) => write(() => accept(acceptance)),
    defer: async (jobId) => {
      await write(() => run('UPDATE job SET deferred = 1 WHERE id = :jobId AND finished_at IS NULL', { jobId }));
    },
    claim: async (leaseMs, opening = ANY, count = 1) => {
      // This read saves a write when there is nothing to claim. The update decides.
      if (!(await read(mayClaim(opening)))) return [];
      return await write(() => claim(leaseMs, opening, count, store.isShared), NOT_SYNCED);
    },
    noteCount: (job, pageCount, effort) => write(() => noteCount(job, pageCount, effort), NOT_SYNCED),
    correctEffort: (job, effort) => write(() => correctEffort(job, effort), NOT_SYNCED),
    beat: (beats, leaseMs) =>
      write(function* () {
        const lost: string[] = [];
        for (const one of beats) if (!(yield* beat(one, leaseMs))) lost.push(one.jobId);
        return lost;
      }, NOT_SYNCED),
    complete: async (job, outcome, isCacheable = true) => {
      const blobId = await storeLarge(job, outcome.body);
      const isOurs = await writeEnd(job, () => complete(job, outcome, { blobId, isCacheable }));
      // A repeated write may find that the first one was done.
      if (!isOurs && blobId !== undefined && !(await read(hasRow(blobId)))) await removeLarge(blobId);
      return isOurs;
    },
    fail: (job, failure, ran) => writeEnd(job, () => fail(job, failure, ran)),
    release: (job, reason, ran) => write(() => release(job, reason, ran)),
    postpone: (job, effort, ran) => write(() => postpone(job, effort, ran)),
    remove: async (request) => {
      const { blobId, ...removal } = await write(
        function* () {
          const removed = yield* removeJob(request);
          if (removed.kind === 'cancelled' || removed.kind === 'deleted') {
            const { organisationId, jobId } = removed.view;
            const action = removed.kind === 'deleted' ? 'job.delete' : 'job.cancel';
            yield* audit(store, { action, organisationId, subjectId: jobId });
          }
          return removed;
        },
        { isErasure: true },
      );
      await removeLarge(blobId);
      return removal;
    },
    noteDiscardedRun: ({ organisationId }, { durationMs }) =>
      write(() => noteWorkerTime(organisationId, durationMs), NOT_SYNCED),
    releaseAll: () => write(releaseAll),
    hasExpired: () => read(hasExpired()),
    releaseExpired: () => write(releaseExpired),
    find: async (jobId) => {
      const view = await read(readJobView(jobId));
      if (view !== undefined && view.finishedAtMs !== null) await store.synced();
      return view;
    },
    listEnded: (jobIds) => read(listEnded(jobIds)),
    findOutcome: async (jobId) => {
      const row = await read(
        one<JobOutcome & { blobId: string | null }>(
          `SELECT body, provider, page_count AS "pageCount", confidence, duration_ms AS "durationMs", blob_id AS "blobId"
           FROM result WHERE job_id = :jobId`,
          { jobId },
        ),
      );
      if (row === undefined) return undefined;
      const { blobId, ...outcome } = row;
      const body = blobId === null ? outcome.body : await fetchLarge(blobId);
      return body === undefined ? undefined : { ...outcome, body };
    },
    countUnfinished: async () => {
      const { queued, processing } = await countUnfinishedJobs(store);
      return queued + processing;
    },
  };
}

function* accept(acceptance: Acceptance): Unit<Accepted> {
  const { organisationId, requestId, jobId, document, isUrgent, effort, idempotency, allowance, nowMs } = acceptance;
  const earlier = idempotency && (yield* bindIdempotencyKey(organisationId, idempotency, requestId, nowMs));
  if (earlier !== undefined) return earlier;
  const { sha256, sizeBytes, mimeType, pageCount, bytes } = document;
  yield* run(
    `INSERT INTO document (id, organisation_id, sha256, size_bytes, mime_type, page_count, created_at)
     VALUES (:id, :organisationId, :sha256, :sizeBytes, :mimeType, :pageCount, :nowMs)`,
    { id: document.id, organisationId, sha256, sizeBytes, mimeType, pageCount: pageCount ?? NOT_COUNTED, nowMs },
  );
  if (bytes !== undefined) yield* insertSmallDocument(document.id, bytes);
  yield* run(
    `INSERT INTO request (id, organisation_id, key_id, key_last_four, function, file_name, size_bytes, sha256, mime_type, page_count,
       job_id, cached, created_at)
     VALUES (:requestId, :organisationId, :keyId, :keyLastFour, :function, :fileName, :sizeBytes, :sha256, :mimeType, :pageCount,
       :jobId, 0, :nowMs)`,
    {
      requestId,
      organisationId,
      keyId: acceptance.keyId,
      keyLastFour: acceptance.keyLastFour,
      function: acceptance.function,
      fileName: acceptance.fileName ?? null,
      sizeBytes,
      sha256,
      mimeType,
      pageCount: pageCount ?? null,
      jobId,
      nowMs,
    },
  );
  yield* run(
    `INSERT INTO job (id, organisation_id, request_id, document_id, function, args, cache_key, engine, status, priority, lane, place,
       attempts, interruptions, created_at, page_count, usage_period, deferred)
     VALUES (:jobId, :organisationId, :requestId, :documentId, :function, :args, :cacheKey, :engine, 'queued', :priority, :lane, :place, 0, 0, :nowMs,
       :pageCount, :period, :deferred)`,
    {
      jobId,
      organisationId,
      requestId,
      documentId: document.id,
      function: acceptance.function,
      args: acceptance.args,
      cacheKey: acceptance.cacheKey,
      engine: acceptance.engine,
      priority: isUrgent ? URGENT : ORDINARY,
      lane: effort.lane,
      place: nowMs + effort.delayMs - (isUrgent ? HEAD_START_MS : 0),
      nowMs,
      pageCount: pageCount ?? null,
      period: allowance.period,
      deferred: isUrgent ? 0 : 1,
    },
  );
  if (acceptance.alsoWrite !== undefined) yield* acceptance.alsoWrite();
  // The last statements, because all documents of the organisation wait for these rows until the end of the transaction.
  if (!(yield* countDocument(organisationId, allowance, nowMs))) undo<Accepted>({ kind: 'exhausted' });
  return { kind: 'accepted' };
}

function* noteCount(job: ClaimedJob, pageCount: number, effort: Effort): Unit<boolean> {
  if (!(yield* correctEffort(job, effort))) return false;
  const { id, requestId, documentId } = job;
  yield* run('UPDATE job SET page_count = :pageCount WHERE id = :id', { id, pageCount });
  yield* run('UPDATE document SET page_count = :pageCount WHERE id = :documentId', { documentId, pageCount });
  yield* run('UPDATE request SET page_count = :pageCount WHERE id = :requestId', { requestId, pageCount });
  return true;
}

function* correctEffort({ id, token }: ClaimedJob, { lane, delayMs }: Effort): Unit<boolean> {
  const sql = `UPDATE job SET ${EFFORT} WHERE ${HELD}`;
  return (yield* run(sql, { jobId: id, token, lane, delayMs })) === 1;
}

function* beat({ jobId, token, pagesDone, pageCount }: Beat, leaseMs: number): Unit<boolean> {
  return (
    (yield* run(
      `UPDATE job SET lease_until = :leaseUntilMs, pages_done = :pagesDone, page_count = coalesce(:pageCount, page_count)
       WHERE ${HELD}`,
      { jobId, token, leaseUntilMs: (yield* steadyNow()) + leaseMs, pagesDone, pageCount },
    )) === 1
  );
}

interface Storing {
  /** Id of the text, where it is not to be in its row. */
  blobId: string | undefined;
  isCacheable: boolean;
}

function* complete(job: ClaimedJob, outcome: JobOutcome, { blobId, isCacheable }: Storing): Unit<boolean> {
  const { body, provider, pageCount, confidence = null, durationMs } = outcome;
  const finished = yield* finish(job, 'completed', { pageCount });
  if (finished === undefined) return yield* hasFinished(job, 'completed');
  const nowMs = yield* now();
  const { id: jobId, organisationId, requestId, cacheKey, documentId } = job;
  // The request log outlives the result.
  yield* run(
    `UPDATE request SET provider = :provider, processing_ms = :durationMs, page_count = :pageCount WHERE id = :requestId`,
    { requestId, provider, durationMs, pageCount },
  );
  yield* run(
    `INSERT INTO result (job_id, body, blob_id, provider, page_count, confidence, duration_ms, created_at)
     VALUES (:jobId, :body, :blobId, :provider, :pageCount, :confidence, :durationMs, :nowMs)`,
    {
      jobId,
      body: blobId === undefined ? body : '',
      blobId: blobId ?? null,
      provider,
      pageCount,
      confidence,
      durationMs,
      nowMs,
    },
  );
  if (isCacheable)
    yield* run(
      `INSERT INTO result_cache (organisation_id, cache_key, job_id, document_page_count, created_at)
       SELECT :organisationId, :cacheKey, :jobId, page_count, :nowMs FROM document WHERE id = :documentId
       ON CONFLICT (organisation_id, cache_key) DO UPDATE SET job_id = excluded.job_id, created_at = excluded.created_at`,
      { organisationId, cacheKey, jobId, documentId, nowMs },
    );
  yield* recordCompletion(job, outcome, nowMs);
  yield* noteWorkerTime(organisationId, durationMs);
  yield* addToDay(organisationId, finished.createdAtMs, { pages: pageCount });
  return true;
}

function* hasRow(blobId: string): Unit<boolean> {
  return yield* exists('SELECT 1 AS found FROM result WHERE blob_id = :blobId', { blobId });
}

function* fail(job: ClaimedJob, failure: JobFailure, { durationMs, isBilled }: FailedRun): Unit<boolean> {
  if ((yield* finish(job, 'failed', { failure })) === undefined) return yield* hasFinished(job, 'failed');
  yield* recordFailure(job, yield* findPageCount(job.documentId), failure);
  yield* noteWorkerTime(job.organisationId, durationMs);
  if (!isBilled) yield* giveDocumentBack(job.id);
  return true;
}

const ASKED = createIdList(50);
const ENDED_OF_MANY = `SELECT id FROM job WHERE finished_at IS NOT NULL AND id IN ${ASKED.sql}`;

function* listEnded(jobIds: readonly string[]): Unit<string[]> {
  const ended: string[] = [];
  for (const part of ASKED.partsOf(jobIds)) ended.push(...(yield* ids(ENDED_OF_MANY, ASKED.valuesOf(part))));
  return ended;
}

/**
 * True when this run has ended the job before: its process did not learn so when the connection broke. A finished job keeps the
 * token of the run that ended it.
 */
function* hasFinished({ id: jobId, token }: ClaimedJob, status: 'completed' | 'failed'): Unit<boolean> {
  const sql = 'SELECT 1 AS found FROM job WHERE id = :jobId AND token = :token AND status = :status';
  return yield* exists(sql, { jobId, token, status });
}

const FINISH = `
  UPDATE job SET status = :status, ${END_COLUMNS}, pages_done = coalesce(:pageCount, pages_done),
    page_count = coalesce(:pageCount, page_count)
  WHERE ${HELD} RETURNING created_at AS "createdAtMs"`;

/** Ends a job; undefined when the lease was lost to another worker, whose report counts instead. */
function* finish(
  { id: jobId, token }: ClaimedJob,
  status: 'completed' | 'failed',
  { pageCount, failure }: { pageCount?: number; failure?: JobFailure },
): Unit<{ createdAtMs: number } | undefined> {
  return yield* one<{ createdAtMs: number }>(FINISH, {
    jobId,
    token,
    status,
    nowMs: yield* now(),
    pageCount: pageCount ?? null,
    errorCode: failure?.code ?? null,
    errorMessage: failure?.message ?? null,
  });
}

function* release(job: ClaimedJob, reason: 'worker-died' | 'service-stops', { durationMs }: Run): Unit<boolean> {
  const isOurs =
    (yield* run(`UPDATE job SET ${FROM_START}, attempts = attempts - :uncounted WHERE ${HELD}`, {
      jobId: job.id,
      token: job.token,
      uncounted: reason === 'service-stops' ? 1 : 0,
    })) === 1;
  if (isOurs) yield* noteWorkerTime(job.organisationId, durationMs);
  return isOurs;
}

function* postpone(job: ClaimedJob, effort: Effort, { durationMs }: Run): Unit<boolean> {
  if (!(yield* correctEffort(job, effort))) return false;
  yield* run(`UPDATE job SET ${QUEUED_AGAIN}, attempts = attempts - 1 WHERE id = :jobId`, { jobId: job.id });
  yield* noteWorkerTime(job.organisationId, durationMs);
  return true;
}
