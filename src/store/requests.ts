import type { JobStatus } from '../contract/envelopes.js';
import type { Database, SqlValue } from './database.js';
import type { Store } from './store.js';

/** One line of the request log: never document text, never a raw key. */
export interface RequestEntry {
  id: string;
  /** Empty where HTTP could not be parsed. */
  method: string;
  /** Without its query. */
  path: string | undefined;
  organisationId: string | undefined;
  keyId: string | undefined;
  keyLastFour: string | undefined;
  /** Empty where the call names none. */
  function: string;
  fileName: string | undefined;
  sizeBytes: number | undefined;
  /** Lower-case hex. */
  sha256: string | undefined;
  mimeType: string | undefined;
  pageCount: number | undefined;
  jobId: string | undefined;
  isCached: boolean;
  /** The request whose answer was given again under the same Idempotency-Key. */
  replayOf: string | undefined;
  status: number;
  errorCode: string | undefined;
  errorMessage: string | undefined;
  provider: string | undefined;
  /** What the answer says in meta.durationMs. */
  processingMs: number | undefined;
  createdAtMs: number;
  /** From the call to its answer. */
  durationMs: number;
}

const INSERT = `
  INSERT INTO request (id, method, path, organisation_id, key_id, key_last_four, function, file_name, size_bytes, sha256, mime_type,
    page_count, job_id, cached, replay_of, status, error_code, error_message, provider, processing_ms, created_at, duration_ms)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET method = excluded.method, path = excluded.path, status = excluded.status,
    error_code = excluded.error_code, error_message = excluded.error_message, duration_ms = excluded.duration_ms,
    provider = coalesce(request.provider, excluded.provider),
    processing_ms = coalesce(request.processing_ms, excluded.processing_ms)`;

/** Writes a call's line; an accepted call has one since its job began, which is now completed by the answer. */
export function writeRequest(db: Database, entry: RequestEntry): void {
  db.run(
    INSERT,
    entry.id,
    entry.method,
    entry.path ?? null,
    entry.organisationId ?? null,
    entry.keyId ?? null,
    entry.keyLastFour ?? null,
    entry.function,
    entry.fileName ?? null,
    entry.sizeBytes ?? null,
    entry.sha256 ?? null,
    entry.mimeType ?? null,
    entry.pageCount ?? null,
    entry.jobId ?? null,
    entry.isCached ? 1 : 0,
    entry.replayOf ?? null,
    entry.status,
    entry.errorCode ?? null,
    entry.errorMessage ?? null,
    entry.provider ?? null,
    entry.processingMs ?? null,
    entry.createdAtMs,
    entry.durationMs,
  );
}

/** A line as it is read again, with what became of its job since. */
export interface RequestRow {
  requestId: string;
  organisationId: string | null;
  keyId: string | null;
  keyLastFour: string | null;
  method: string;
  path: string | null;
  function: string;
  fileName: string | null;
  sizeBytes: number | null;
  sha256: string | null;
  mimeType: string | null;
  pageCount: number | null;
  jobId: string | null;
  jobStatus: JobStatus | null;
  jobFinishedAtMs: number | null;
  jobErrorCode: string | null;
  jobErrorMessage: string | null;
  cached: number;
  replayOf: string | null;
  /** Null while the call runs, or where the service was killed before it answered. */
  httpStatus: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  provider: string | null;
  processingMs: number | null;
  createdAtMs: number;
  durationMs: number | null;
}

const SELECT = `
  SELECT request.id AS "requestId", request.organisation_id AS "organisationId", key_id AS "keyId", key_last_four AS "keyLastFour",
    method, path, request.function AS "function", file_name AS "fileName", size_bytes AS "sizeBytes", sha256,
    mime_type AS "mimeType", request.page_count AS "pageCount", job_id AS "jobId", job.status AS "jobStatus",
    job.finished_at AS "jobFinishedAtMs", job.error_code AS "jobErrorCode", job.error_message AS "jobErrorMessage", cached,
    replay_of AS "replayOf", request.status AS "httpStatus", request.error_code AS "errorCode",
    request.error_message AS "errorMessage", provider, processing_ms AS "processingMs", request.created_at AS "createdAtMs",
    duration_ms AS "durationMs"
  FROM request LEFT JOIN job ON job.id = request.job_id`;

export function findRequest(store: Store, requestId: string): RequestRow | undefined {
  return store.read.get<RequestRow>(`${SELECT} WHERE request.id = ?`, requestId);
}

export interface RequestFilter {
  organisationId?: string;
  /** Unix milliseconds; not older. */
  sinceMs?: number;
  httpStatus?: number;
  /** Of the job that the call was answered with; polls of it are other calls. */
  jobStatus?: string;
  function?: string;
  keyId?: string;
  keyLastFour?: string;
  /** Refused calls, and accepted ones whose job failed. */
  failedOnly?: boolean;
  limit: number;
}

/** Newest first. */
export function listRequests(store: Store, filter: RequestFilter): RequestRow[] {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  const add = (condition: string, ...given: SqlValue[]) => {
    conditions.push(condition);
    values.push(...given);
  };
  if (filter.organisationId !== undefined) add('request.organisation_id = ?', filter.organisationId);
  if (filter.sinceMs !== undefined) add('request.created_at >= ?', filter.sinceMs);
  if (filter.httpStatus !== undefined) add('request.status = ?', filter.httpStatus);
  if (filter.jobStatus !== undefined) add(`job.status = ? AND method = 'POST'`, filter.jobStatus);
  if (filter.function !== undefined) add('request.function = ?', filter.function);
  if (filter.keyId !== undefined) {
    // Calls that were refused for their key have no id of it.
    const isRefused = 'key_id IS NULL AND key_last_four = (SELECT last_four FROM api_key WHERE id = ?)';
    add(`(key_id = ? OR ${isRefused})`, filter.keyId, filter.keyId);
  }
  if (filter.keyLastFour !== undefined) add('key_last_four = ?', filter.keyLastFour);
  if (filter.failedOnly) add(`(request.status >= 400 OR (request.status = 202 AND job.status = 'failed'))`);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return store.read.all<RequestRow>(
    `${SELECT}${where} ORDER BY request.created_at DESC, request.id DESC LIMIT ?`,
    ...values,
    filter.limit,
  );
}

/** What an earlier call came to, so that it can be answered again. */
export interface EarlierAnswer {
  requestId: string;
  function: string;
  jobId: string | null;
  isCached: boolean;
  /** As its meta said, where it was answered from the cache. */
  processingMs: number | null;
}

export async function findEarlierAnswer(store: Store, requestId: string): Promise<EarlierAnswer | undefined> {
  const row = store.read.get<Omit<EarlierAnswer, 'isCached'> & { cached: number }>(
    `SELECT id AS "requestId", function, job_id AS "jobId", cached, processing_ms AS "processingMs" FROM request WHERE id = ?`,
    requestId,
  );
  if (row === undefined) return undefined;
  const { cached, ...rest } = row;
  return { ...rest, isCached: cached === 1 };
}
