import type { JobStatus } from '../contract/envelopes.js';
import type { SqlValue } from './database.js';
import type { Store } from './store.js';

/** A job as an operator looks at it; what a worker needs of it stands in queue.ts. */
export interface JobRow {
  jobId: string;
  organisationId: string;
  requestId: string;
  function: string;
  status: JobStatus;
  /** Runs that were begun, and those that ended because the service itself did. */
  attempts: number;
  interruptions: number;
  createdAtMs: number;
  startedAtMs: number | null;
  finishedAtMs: number | null;
  /** While it is being worked on: when it is taken for dead unless it is heard of. */
  leaseUntilMs: number | null;
  pagesDone: number | null;
  pageCount: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  fileName: string | null;
  sizeBytes: number;
  sha256: string;
  mimeType: string;
  /** Whether its result is still kept. */
  hasResult: number;
}

const SELECT = `
  SELECT job.id AS "jobId", job.organisation_id AS "organisationId", job.request_id AS "requestId", job.function AS "function",
    job.status AS "status", attempts, interruptions, job.created_at AS "createdAtMs", started_at AS "startedAtMs",
    finished_at AS "finishedAtMs", lease_until AS "leaseUntilMs", pages_done AS "pagesDone", job.page_count AS "pageCount",
    job.error_code AS "errorCode", job.error_message AS "errorMessage", request.file_name AS "fileName",
    document.size_bytes AS "sizeBytes", document.sha256 AS "sha256", document.mime_type AS "mimeType",
    CASE WHEN result.job_id IS NULL THEN 0 ELSE 1 END AS "hasResult"
  FROM job JOIN document ON document.id = job.document_id
    LEFT JOIN request ON request.id = job.request_id LEFT JOIN result ON result.job_id = job.id`;

export function findJob(store: Store, jobId: string): JobRow | undefined {
  return store.read.get<JobRow>(`${SELECT} WHERE job.id = ?`, jobId);
}

export interface JobFilter {
  organisationId?: string;
  status?: string;
  /** Unix milliseconds; not older. */
  sinceMs?: number;
  function?: string;
  limit: number;
}

/** Newest first. */
export function listJobs(store: Store, filter: JobFilter): JobRow[] {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, value: SqlValue) => {
    conditions.push(condition);
    values.push(value);
  };
  if (filter.organisationId !== undefined) add('job.organisation_id = ?', filter.organisationId);
  if (filter.status !== undefined) add('job.status = ?', filter.status);
  if (filter.sinceMs !== undefined) add('job.created_at >= ?', filter.sinceMs);
  if (filter.function !== undefined) add('job.function = ?', filter.function);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return store.read.all<JobRow>(
    `${SELECT}${where} ORDER BY job.created_at DESC, job.id DESC LIMIT ?`,
    ...values,
    filter.limit,
  );
}

/** Documents that unfinished jobs still need. Each state by itself, since that is how the indices know them. */
export const NEEDED_DOCUMENTS = `SELECT document_id AS id FROM job WHERE status = 'queued'
  UNION ALL SELECT document_id FROM job WHERE status = 'processing'`;

/** How many jobs are not done, and since when the oldest waits. */
export function countUnfinishedJobs(store: Store): {
  queued: number;
  processing: number;
  oldestQueuedAtMs: number | undefined;
} {
  const waiting = store.read.get<{ n: number; at: number | null }>(
    `SELECT count(*) AS n, min(created_at) AS at FROM job WHERE status = 'queued'`,
  );
  const processing = store.read.get<{ n: number }>(`SELECT count(*) AS n FROM job WHERE status = 'processing'`);
  return { queued: waiting?.n ?? 0, processing: processing?.n ?? 0, oldestQueuedAtMs: waiting?.at ?? undefined };
}
