import type { JobStatus } from '../contract/envelopes.js';
import { foldName } from '../contract/fold-name.js';
import { listConditions, renderFilter } from './filter.js';
import { type Page, type PageBounds, type PagedTable, readPage } from './page.js';
import type { Store } from './store.js';
import { all, one, run, type Unit } from './unit.js';

/** One line of the request log. It never holds document text or a raw key. */
export interface RequestEntry {
  id: string;
  /** Empty when the request was not valid HTTP. */
  method: string;
  /** Path without the query. */
  path: string | undefined;
  organisationId: string | undefined;
  keyId: string | undefined;
  keyLastFour: string | undefined;
  /** Empty for calls without a function. */
  function: string;
  fileName: string | undefined;
  sizeBytes: number | undefined;
  /** Lower-case hex. */
  sha256: string | undefined;
  mimeType: string | undefined;
  pageCount: number | undefined;
  jobId: string | undefined;
  isCached: boolean;
  /** The first request with the same Idempotency-Key, whose answer this call got again. */
  replayOf: string | undefined;
  status: number;
  errorCode: string | undefined;
  errorMessage: string | undefined;
  provider: string | undefined;
  /** The answer's meta.durationMs. */
  processingMs: number | undefined;
  createdAtMs: number;
  /** Time between the call and its answer. */
  durationMs: number;
}

const INSERT = `
  INSERT INTO request (id, method, path, organisation_id, key_id, key_last_four, function, file_name, size_bytes, sha256, mime_type,
    page_count, job_id, cached, replay_of, status, error_code, error_message, provider, processing_ms, created_at, duration_ms)
  VALUES (:id, :method, :path, :organisationId, :keyId, :keyLastFour, :function, :fileName, :sizeBytes, :sha256, :mimeType,
    :pageCount, :jobId, :cached, :replayOf, :status, :errorCode, :errorMessage, :provider, :processingMs, :createdAtMs, :durationMs)
  ON CONFLICT (id) DO UPDATE SET method = excluded.method, path = excluded.path, status = excluded.status,
    error_code = excluded.error_code, error_message = excluded.error_message, duration_ms = excluded.duration_ms,
    provider = coalesce(request.provider, excluded.provider),
    processing_ms = coalesce(request.processing_ms, excluded.processing_ms)`;

/** Writes the line of a call. An accepted call has a line since its job was queued; its answer completes that line. */
export function* writeRequest(entry: RequestEntry): Unit<void> {
  yield* run(INSERT, {
    id: entry.id,
    method: entry.method,
    path: entry.path ?? null,
    organisationId: entry.organisationId ?? null,
    keyId: entry.keyId ?? null,
    keyLastFour: entry.keyLastFour ?? null,
    function: entry.function,
    fileName: entry.fileName ?? null,
    sizeBytes: entry.sizeBytes ?? null,
    sha256: entry.sha256 ?? null,
    mimeType: entry.mimeType ?? null,
    pageCount: entry.pageCount ?? null,
    jobId: entry.jobId ?? null,
    cached: entry.isCached ? 1 : 0,
    replayOf: entry.replayOf ?? null,
    status: entry.status,
    errorCode: entry.errorCode ?? null,
    errorMessage: entry.errorMessage ?? null,
    provider: entry.provider ?? null,
    processingMs: entry.processingMs ?? null,
    createdAtMs: entry.createdAtMs,
    durationMs: entry.durationMs,
  });
}

/** A stored line with the present state of its job. */
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
  /** Time when the job's result was deleted on request. */
  jobDeletedAtMs: number | null;
  cached: number;
  replayOf: string | null;
  /** Null while the call runs, and when the service was killed before it answered. */
  httpStatus: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  provider: string | null;
  processingMs: number | null;
  createdAtMs: number;
  durationMs: number | null;
}

const selectRequests = (from = 'request') => `
  SELECT request.id AS "requestId", request.organisation_id AS "organisationId", key_id AS "keyId", key_last_four AS "keyLastFour",
    method, path, request.function AS "function", file_name AS "fileName", size_bytes AS "sizeBytes", sha256,
    mime_type AS "mimeType", request.page_count AS "pageCount", job_id AS "jobId", job.status AS "jobStatus",
    job.finished_at AS "jobFinishedAtMs", job.error_code AS "jobErrorCode", job.error_message AS "jobErrorMessage",
    job.deleted_at AS "jobDeletedAtMs", cached,
    replay_of AS "replayOf", request.status AS "httpStatus", request.error_code AS "errorCode",
    request.error_message AS "errorMessage", provider, processing_ms AS "processingMs", request.created_at AS "createdAtMs",
    duration_ms AS "durationMs"
  FROM ${from} LEFT JOIN job ON job.id = request.job_id`;

export async function findRequest(store: Store, requestId: string): Promise<RequestRow | undefined> {
  return await store.read(one<RequestRow>(`${selectRequests()} WHERE request.id = :requestId`, { requestId }));
}

/** Reads a call of an organisation; undefined for that of another. */
export function* readRequestOf(organisationId: string, requestId: string): Unit<RequestRow | undefined> {
  const sql = `${selectRequests()} WHERE request.organisation_id = :organisationId AND request.id = :requestId`;
  return yield* one<RequestRow>(sql, { organisationId, requestId });
}

export interface RequestFilter {
  organisationId?: string;
  /** Earliest call, in Unix milliseconds. */
  sinceMs?: number;
  httpStatus?: number;
  /** Class of the status: 4 for 400 to 499. */
  statusClass?: number;
  /** Code of the answer, or the one of the job whose call was answered before it failed. */
  errorCode?: string;
  /** 1 for answers from the cache. */
  cached?: number;
  /** State of the job that the call started. Polls of the job are other calls. */
  jobStatus?: string;
  function?: string;
  keyId?: string;
  keyLastFour?: string;
  /** Part of the file's name, in any case. */
  fileName?: string;
  /** SHA-256 of the file in hex, or its beginning. */
  sha256?: string;
  requestId?: string;
  /** True for refused calls, and accepted ones whose job failed. */
  failedOnly?: boolean;
  limit: number;
}

/** Escapes the signs of LIKE with "!". */
function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}

/**
 * Returns a pattern of LIKE for the names in lower case that may hold a part. Databases differ in the letters beyond ASCII that
 * they know small forms of, and compare what is composed in different ways as different: any text stands for those.
 */
function patternOf(part: string): string {
  const signs = [...foldName(part)].map((sign) => (/^[ -~]$/.test(sign) || hasOneForm(sign) ? escapeLike(sign) : '%'));
  return `%${signs.join('')}%`;
}

function hasOneForm(sign: string): boolean {
  return sign.toUpperCase() === sign && sign.normalize('NFD') === sign && !/\p{M}/u.test(sign);
}

/** A key that is called with very often after its end is named by its last four characters alone. */
const REFUSED_FOR_KEY = 'key_id IS NULL AND key_last_four = (SELECT last_four FROM api_key WHERE id = :keyId)';

/** Conditions of all lists of calls. */
const CONDITIONS = {
  httpStatus: 'request.status = :httpStatus',
  statusClass: 'request.status >= 100 * :statusClass AND request.status < 100 * :statusClass + 100',
  errorCode: '(request.error_code = :errorCode OR (request.status = 202 AND job.error_code = :errorCode))',
  jobStatus: `job.status = :jobStatus AND method = 'POST'`,
  function: 'request.function = :function',
  cached: 'cached = :cached',
  requestId: 'request.id = :requestId',
} as const satisfies Partial<Record<keyof RequestFilter, string>>;

/** Calls of one organisation, a page at a time. */
const PAGED: PagedTable = { name: 'request', prefix: 'req', select: selectRequests, id: 'requestId' };

/** The calls of one organisation that a page shows. Those with an unknown key have no organisation. */
export type RequestPageFilter = PageBounds & Pick<RequestFilter, keyof typeof CONDITIONS | 'keyId'>;

/** Reads a page of an organisation's calls, newest first. */
export function* readRequestPage(organisationId: string, filter: RequestPageFilter): Unit<Page<RequestRow>> {
  const { keyId, function: name, httpStatus = 0, statusClass = 0 } = filter;
  // An index has one of the conditions only, so the others are checked on its rows.
  const [served, condition] =
    keyId !== undefined
      ? (['keyId', 'key_id = :keyId'] as const)
      : name !== undefined
        ? (['function', CONDITIONS.function] as const)
        : [undefined, undefined];
  const isRefused = served === undefined && (httpStatus >= 400 || statusClass >= 4);
  const { conditions, values } = listConditions(filter, {
    ...CONDITIONS,
    ...(served === undefined ? {} : { [served]: condition }),
  });
  return yield* readPage(PAGED, organisationId, filter, {
    indexed: [...(condition === undefined ? [] : [condition]), ...(isRefused ? ['request.status >= 400'] : [])],
    others: conditions.filter((one) => one !== condition),
    isJoined: filter.jobStatus !== undefined || filter.errorCode !== undefined,
    values,
  });
}

/** Rows that a stream reads at once, and in all. */
const STREAM_ROWS = 500;
const MAX_STREAMED_ROWS = 10_000;

/** Reads an organisation's calls, newest first, a part at a time: at most 10,000 in all. */
export async function* streamRequests(
  store: Store,
  organisationId: string,
  filter: RequestPageFilter,
): AsyncGenerator<RequestRow[]> {
  let before = filter.before;
  for (let left = filter.limit ?? MAX_STREAMED_ROWS; left > 0; ) {
    const limit = Math.min(left, STREAM_ROWS);
    const { rows, olderThan } = await store.read(readRequestPage(organisationId, { ...filter, before, limit }));
    if (rows.length > 0) yield rows;
    if (olderThan === undefined) return;
    before = olderThan;
    left -= rows.length;
  }
}

/** Rows that are read at once to look for a name. */
const PAGE_ROWS = 1_000;

/** Lists calls, newest first. */
export async function listRequests(store: Store, filter: RequestFilter): Promise<RequestRow[]> {
  const { fileName, limit } = filter;
  if (fileName === undefined) return await readNext(store, filter);
  const part = foldName(fileName.replaceAll('\0', ''));
  const found: RequestRow[] = [];
  let after: RequestRow | undefined;
  for (let size = limit; ; size = Math.max(limit, PAGE_ROWS)) {
    const page = await readNext(store, { ...filter, limit: size }, after);
    found.push(...page.filter(({ fileName: name }) => foldName(name ?? '').includes(part)));
    if (found.length >= limit || page.length < size) return found.slice(0, limit);
    after = page.at(-1);
  }
}

/** Reads the calls after one in the list. Of `fileName` only the letters count that databases compare alike. */
async function readNext(store: Store, filter: RequestFilter, after?: RequestRow): Promise<RequestRow[]> {
  const { fileName, sha256 } = filter;
  const patterns = {
    ...(fileName === undefined ? {} : { fileName: patternOf(fileName) }),
    ...(sha256 === undefined ? {} : { sha256: `${escapeLike(sha256.toLowerCase())}%` }),
  };
  const { where, values } = renderFilter(
    { ...filter, ...patterns, fromMs: after?.createdAtMs, belowId: after?.requestId },
    {
      ...CONDITIONS,
      organisationId: 'request.organisation_id = :organisationId',
      keyId: `(key_id = :keyId OR ${REFUSED_FOR_KEY})`,
      keyLastFour: 'key_last_four = :keyLastFour',
      fileName: `lower(file_name) LIKE :fileName ESCAPE '!'`,
      sha256: `sha256 LIKE :sha256 ESCAPE '!'`,
      sinceMs: 'request.created_at >= :sinceMs',
      fromMs: 'request.created_at <= :fromMs',
      belowId: '(request.created_at < :fromMs OR request.id < :belowId)',
      failedOnly: `(request.status >= 400 OR (request.status = 202 AND job.status = 'failed'))`,
    },
  );
  return await store.read(
    all<RequestRow>(`${selectRequests()} ${where} ORDER BY request.created_at DESC, request.id DESC LIMIT :limit`, {
      ...values,
      limit: filter.limit,
    }),
  );
}

/** The facts of an earlier call that answering it again takes. */
export interface EarlierAnswer {
  requestId: string;
  function: string;
  jobId: string | null;
  isCached: boolean;
  /** The meta.durationMs of an answer from the cache. */
  processingMs: number | null;
}

export async function findEarlierAnswer(store: Store, requestId: string): Promise<EarlierAnswer | undefined> {
  const row = await store.read(
    one<Omit<EarlierAnswer, 'isCached'> & { cached: number }>(
      `SELECT id AS "requestId", function, job_id AS "jobId", cached, processing_ms AS "processingMs" FROM request
     WHERE id = :requestId`,
      { requestId },
    ),
  );
  if (row === undefined) return undefined;
  const { cached, ...rest } = row;
  return { ...rest, isCached: cached === 1 };
}
