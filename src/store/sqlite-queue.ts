import { randomBytes } from 'node:crypto';
import type { Database } from './database.js';
import { findIdempotentUse, rememberIdempotentUse } from './idempotency.js';
import { type EndedJob, recordCompletion, recordFailure } from './job-events.js';
import { countUnfinishedJobs, NEEDED_DOCUMENTS } from './jobs.js';
import type { Acceptance, Accepted, Beat, ClaimedJob, JobFailure, JobOutcome, JobView, Queue } from './queue.js';
import type { Store } from './store.js';
import { countDocument, giveDocumentBack } from './usage.js';

/** What a finished job keeps of its arguments: nothing, they may hold what the document says about its reader. */
const NO_ARGS = '{}';

/** How often a service may die over one document before the document is blamed: rarely its fault, so more than attempts. */
const MAX_INTERRUPTIONS = 20;

/** Who has a job is written again every few seconds, and forgotten at the next start: the disk need not keep it. */
const NOT_SYNCED = { isSynced: false };

/** By so much an urgent job goes before an older one: what waits longer is not passed any more. */
const HEAD_START_MS = 30_000;
const URGENT = 0;
const ORDINARY = 1;

const oldestOf = (priority: number, headStartMs: number) => `
  SELECT * FROM (SELECT id, created_at - ${headStartMs} AS place FROM job WHERE status = 'queued' AND priority = ${priority}
    ORDER BY created_at, id LIMIT 1)`;

const CLAIM = `
  UPDATE job SET status = 'processing', attempts = attempts + 1, token = ?, lease_until = ?, started_at = coalesce(started_at, ?)
  WHERE id = (SELECT id FROM (${oldestOf(URGENT, HEAD_START_MS)} UNION ALL ${oldestOf(ORDINARY, 0)}) ORDER BY place, id LIMIT 1)
  RETURNING id, token, organisation_id AS "organisationId", request_id AS "requestId", document_id AS "documentId", function,
    args, cache_key AS "cacheKey", attempts`;

const VIEW = `
  SELECT id AS "jobId", request_id AS "requestId", organisation_id AS "organisationId", function, status,
    created_at AS "createdAtMs", started_at AS "startedAtMs", finished_at AS "finishedAtMs", pages_done AS "pagesDone",
    page_count AS "pageCount", error_code AS "errorCode", error_message AS "errorMessage", deferred
  FROM job WHERE id = ?`;

export function createSqliteQueue(store: Store): Queue {
  const { read, write } = store;
  return {
    accept: (acceptance) => write((db) => accept(db, acceptance)),
    defer: async (jobId) => {
      await write((db) => db.run('UPDATE job SET deferred = 1 WHERE id = ? AND finished_at IS NULL', jobId));
    },
    claim: (leaseMs) => {
      // Looking costs no write; the update decides.
      if (read.get(`SELECT 1 AS found FROM job WHERE status = 'queued' LIMIT 1`) === undefined)
        return Promise.resolve(undefined);
      return write((db) => claim(db, leaseMs), NOT_SYNCED);
    },
    beat: (beats, leaseMs) =>
      write((db) => beats.filter((one) => !beat(db, one, leaseMs)).map((one) => one.jobId), NOT_SYNCED),
    complete: (job, outcome) => write((db) => complete(db, job, outcome)),
    fail: (job, failure) => write((db) => fail(db, job, failure)),
    release: (job, reason) => write((db) => release(db, job, reason)),
    releaseAll: () =>
      write((db) => {
        giveUpInterrupted(db);
        return db.run(
          `UPDATE job SET status = 'queued', token = NULL, lease_until = NULL, attempts = attempts - 1,
             interruptions = interruptions + 1 WHERE status = 'processing'`,
        );
      }),
    releaseExpired: () => {
      const nowMs = Date.now();
      if (
        read.get(`SELECT 1 AS found FROM job WHERE status = 'processing' AND lease_until < ? LIMIT 1`, nowMs) ===
        undefined
      )
        return Promise.resolve(0);
      return write((db) =>
        db.run(
          `UPDATE job SET status = 'queued', token = NULL, lease_until = NULL WHERE status = 'processing' AND lease_until < ?`,
          nowMs,
        ),
      );
    },
    find: async (jobId) => read.get<JobView>(VIEW, jobId),
    findOutcome: async (jobId) =>
      read.get<JobOutcome>(
        `SELECT body, provider, page_count AS "pageCount", duration_ms AS "durationMs" FROM result WHERE job_id = ?`,
        jobId,
      ),
    countUnfinished: async () => {
      const { queued, processing } = countUnfinishedJobs(store);
      return queued + processing;
    },
    listNeededDocuments: async () => new Set(read.all<{ id: string }>(NEEDED_DOCUMENTS).map((row) => row.id)),
  };
}

function accept(db: Database, acceptance: Acceptance): Accepted {
  const { organisationId, requestId, jobId, document, idempotency, allowance, nowMs } = acceptance;
  const earlier = idempotency && findIdempotentUse(db, organisationId, idempotency, nowMs);
  if (earlier !== undefined) return earlier;
  if (!countDocument(db, organisationId, allowance)) return { kind: 'exhausted' };
  if (idempotency !== undefined) rememberIdempotentUse(db, organisationId, idempotency, requestId, nowMs);
  db.run(
    'INSERT INTO document (id, organisation_id, sha256, size_bytes, mime_type, page_count, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    document.id,
    organisationId,
    document.sha256,
    document.sizeBytes,
    document.mimeType,
    document.pageCount,
    nowMs,
  );
  db.run(
    `INSERT INTO request (id, organisation_id, key_id, key_last_four, function, file_name, size_bytes, sha256, mime_type, page_count,
       job_id, cached, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
    requestId,
    organisationId,
    acceptance.keyId,
    acceptance.keyLastFour,
    acceptance.function,
    acceptance.fileName ?? null,
    document.sizeBytes,
    document.sha256,
    document.mimeType,
    document.pageCount,
    jobId,
    nowMs,
  );
  db.run(
    `INSERT INTO job (id, organisation_id, request_id, document_id, function, args, cache_key, status, priority, attempts,
       interruptions, created_at, page_count, usage_period, deferred) VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?, 0, 0, ?, ?, ?, ?)`,
    jobId,
    organisationId,
    requestId,
    document.id,
    acceptance.function,
    acceptance.args,
    acceptance.cacheKey,
    acceptance.isUrgent ? URGENT : ORDINARY,
    nowMs,
    document.pageCount,
    allowance.period,
    acceptance.isUrgent ? 0 : 1,
  );
  return { kind: 'accepted' };
}

function claim(db: Database, leaseMs: number): ClaimedJob | undefined {
  const nowMs = Date.now();
  const row = db.get<Omit<ClaimedJob, 'mimeType' | 'documentPageCount'>>(
    CLAIM,
    randomBytes(12).toString('hex'),
    nowMs + leaseMs,
    nowMs,
  );
  if (row === undefined) return undefined;
  const document = db.get<Pick<ClaimedJob, 'mimeType' | 'documentPageCount'>>(
    'SELECT mime_type AS "mimeType", page_count AS "documentPageCount" FROM document WHERE id = ?',
    row.documentId,
  );
  return document === undefined ? undefined : { ...row, ...document };
}

function beat(db: Database, { jobId, token, pagesDone, pageCount }: Beat, leaseMs: number): boolean {
  return (
    db.run(
      'UPDATE job SET lease_until = ?, pages_done = ?, page_count = ? WHERE id = ? AND token = ?',
      Date.now() + leaseMs,
      pagesDone,
      pageCount,
      jobId,
      token,
    ) === 1
  );
}

function complete(db: Database, job: ClaimedJob, outcome: JobOutcome): boolean {
  if (!finish(db, job, 'completed')) return false;
  const nowMs = Date.now();
  db.run('UPDATE job SET pages_done = ?, page_count = ? WHERE id = ?', outcome.pageCount, outcome.pageCount, job.id);
  // The request log is kept for longer than the result.
  db.run(
    'UPDATE request SET provider = ?, processing_ms = ?, page_count = ? WHERE id = ?',
    outcome.provider,
    outcome.durationMs,
    outcome.pageCount,
    job.requestId,
  );
  db.run(
    'INSERT INTO result (job_id, body, provider, page_count, duration_ms, created_at) VALUES (?, ?, ?, ?, ?, ?)',
    job.id,
    outcome.body,
    outcome.provider,
    outcome.pageCount,
    outcome.durationMs,
    nowMs,
  );
  db.run(
    `INSERT INTO result_cache (organisation_id, cache_key, job_id, document_page_count, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (organisation_id, cache_key) DO UPDATE SET job_id = excluded.job_id, created_at = excluded.created_at`,
    job.organisationId,
    job.cacheKey,
    job.id,
    job.documentPageCount,
    nowMs,
  );
  recordCompletion(db, job, outcome, nowMs);
  return true;
}

function fail(db: Database, job: ClaimedJob, failure: JobFailure): boolean {
  if (!finish(db, job, 'failed', failure)) return false;
  giveDocumentBack(db, job.id);
  recordFailure(db, job, job.documentPageCount, failure);
  return true;
}

function giveUpInterrupted(db: Database): void {
  const message = `The service stopped ${MAX_INTERRUPTIONS} times while reading this document`;
  const jobs = db.all<EndedJob & { pageCount: number }>(
    `UPDATE job SET status = 'failed', finished_at = ?, token = NULL, lease_until = NULL, args = ?, error_code = 'INTERNAL',
       error_message = ? WHERE status = 'processing' AND interruptions >= ?
     RETURNING id, organisation_id AS "organisationId", request_id AS "requestId", function,
       (SELECT page_count FROM document WHERE document.id = job.document_id) AS "pageCount"`,
    Date.now(),
    NO_ARGS,
    message,
    MAX_INTERRUPTIONS,
  );
  for (const job of jobs) {
    giveDocumentBack(db, job.id);
    recordFailure(db, job, job.pageCount, { code: 'INTERNAL', message });
  }
}

/** Zero rows means that the lease was lost and somebody else has the job: a zombie's word does not count. */
function finish(db: Database, job: ClaimedJob, status: 'completed' | 'failed', failure?: JobFailure): boolean {
  return (
    db.run(
      `UPDATE job SET status = ?, finished_at = ?, token = NULL, lease_until = NULL, args = ?, error_code = ?, error_message = ?
       WHERE id = ? AND token = ?`,
      status,
      Date.now(),
      NO_ARGS,
      failure?.code ?? null,
      failure?.message ?? null,
      job.id,
      job.token,
    ) === 1
  );
}

function release(db: Database, job: ClaimedJob, reason: 'worker-died' | 'service-stops'): boolean {
  return (
    db.run(
      `UPDATE job SET status = 'queued', token = NULL, lease_until = NULL, attempts = attempts - ? WHERE id = ? AND token = ?`,
      reason === 'service-stops' ? 1 : 0,
      job.id,
      job.token,
    ) === 1
  );
}
