import type { JobStatus } from '../contract/envelopes.js';
import { renderFilter } from './filter.js';
import type { JobView } from './queue.js';
import type { Store } from './store.js';
import { all, ids, one, type Unit } from './unit.js';

const VIEW = `
  SELECT id AS "jobId", request_id AS "requestId", organisation_id AS "organisationId", function, status,
    created_at AS "createdAtMs", started_at AS "startedAtMs", finished_at AS "finishedAtMs", pages_done AS "pagesDone",
    page_count AS "pageCount", error_code AS "errorCode", error_message AS "errorMessage", deferred,
    deleted_at AS "deletedAtMs"
  FROM job WHERE id = :jobId`;

/** Reads a job as callers see it. */
export function* readJobView(jobId: string): Unit<JobView | undefined> {
  return yield* one<JobView>(VIEW, { jobId });
}

/** A job as operators see it; queue.ts has the view of a worker. */
export interface JobRow {
  jobId: string;
  organisationId: string;
  requestId: string;
  function: string;
  status: JobStatus;
  /** Runs that began, and runs that ended because the service stopped or died. */
  attempts: number;
  interruptions: number;
  createdAtMs: number;
  startedAtMs: number | null;
  finishedAtMs: number | null;
  /** End of the lease while a worker runs the job. After it the worker counts as dead. */
  leaseUntilMs: number | null;
  pagesDone: number | null;
  pageCount: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  fileName: string | null;
  sizeBytes: number;
  sha256: string;
  mimeType: string;
  /** 1 while its result is stored, else 0. */
  hasResult: number;
  /** Time when its result was deleted on request. */
  deletedAtMs: number | null;
}

/** Selects the columns of JobRow from the jobs, or from some of them under the name `job`. */
export const selectJobs = (from = 'job') => `
  SELECT job.id AS "jobId", job.organisation_id AS "organisationId", job.request_id AS "requestId", job.function AS "function",
    job.status AS "status", attempts, interruptions, job.created_at AS "createdAtMs", started_at AS "startedAtMs",
    finished_at AS "finishedAtMs", lease_until AS "leaseUntilMs", pages_done AS "pagesDone", job.page_count AS "pageCount",
    job.error_code AS "errorCode", job.error_message AS "errorMessage", request.file_name AS "fileName",
    document.size_bytes AS "sizeBytes", document.sha256 AS "sha256", document.mime_type AS "mimeType",
    CASE WHEN result.job_id IS NULL THEN 0 ELSE 1 END AS "hasResult", job.deleted_at AS "deletedAtMs"
  FROM ${from} JOIN document ON document.id = job.document_id
    LEFT JOIN request ON request.id = job.request_id LEFT JOIN result ON result.job_id = job.id`;

export async function findJob(store: Store, jobId: string): Promise<JobRow | undefined> {
  return await store.read(one<JobRow>(`${selectJobs()} WHERE job.id = :jobId`, { jobId }));
}

export interface JobFilter {
  organisationId?: string;
  status?: string;
  /** Earliest creation, in Unix milliseconds. */
  sinceMs?: number;
  function?: string;
  limit: number;
}

/** Lists jobs, newest first. */
export async function listJobs(store: Store, filter: JobFilter): Promise<JobRow[]> {
  const { where, values } = renderFilter(filter, {
    organisationId: 'job.organisation_id = :organisationId',
    status: 'job.status = :status',
    sinceMs: 'job.created_at >= :sinceMs',
    function: 'job.function = :function',
  });
  return await store.read(
    all<JobRow>(`${selectJobs()} ${where} ORDER BY job.created_at DESC, job.id DESC LIMIT :limit`, {
      ...values,
      limit: filter.limit,
    }),
  );
}

/** Selects the documents that unfinished jobs need: one query for each state, because each state has an index of its own. */
export const NEEDED_DOCUMENTS = `SELECT document_id AS id FROM job WHERE status = 'queued'
  UNION ALL SELECT document_id FROM job WHERE status = 'processing'`;

/** Lists the ids of the unfinished jobs. */
export async function listUnfinishedJobs(store: Store): Promise<string[]> {
  const sql = `SELECT id FROM job WHERE status = 'queued' UNION ALL SELECT id FROM job WHERE status = 'processing'`;
  return await store.read(ids(sql));
}

/** Counts unfinished jobs and finds the creation time of the oldest queued one. */
export async function countUnfinishedJobs(store: Store): Promise<{
  queued: number;
  processing: number;
  oldestQueuedAtMs: number | undefined;
}> {
  const waiting = await store.read(
    one<{ n: number; at: number | null }>(
      `SELECT count(*) AS n, min(created_at) AS at FROM job WHERE status = 'queued'`,
    ),
  );
  const processing = await store.read(one<{ n: number }>(`SELECT count(*) AS n FROM job WHERE status = 'processing'`));
  return { queued: waiting?.n ?? 0, processing: processing?.n ?? 0, oldestQueuedAtMs: waiting?.at ?? undefined };
}
