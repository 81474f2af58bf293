import type { RequestBody } from '../../contract/envelopes.js';
import { isServiceErrorCode, SERVICE_ERRORS } from '../../contract/error-codes.js';
import { formatTime, formatTimeOrNull } from '../../contract/time.js';
import type { RequestRow } from '../../store/requests.js';

/** Converts a line of the request log to the form that callers and operators see. */
export function toRequestBody(row: RequestRow): RequestBody {
  const { createdAtMs, durationMs } = row;
  const answeredAtMs = durationMs === null ? null : createdAtMs + durationMs;
  const finishedAtMs = row.httpStatus === 202 ? row.jobFinishedAtMs : answeredAtMs;
  return {
    requestId: row.requestId,
    createdAt: formatTime(createdAtMs),
    finishedAt: formatTimeOrNull(finishedAtMs),
    method: row.method === '' ? null : row.method,
    path: row.path,
    function: row.function === '' ? null : row.function,
    httpStatus: row.httpStatus,
    error: errorOf(row),
    keyId: row.keyId,
    keyLastFour: row.keyLastFour,
    fileName: row.fileName,
    sizeBytes: row.sizeBytes,
    sha256: row.sha256,
    mimeType: row.mimeType,
    pageCount: row.pageCount,
    provider: row.provider,
    cached: row.cached === 1,
    durationMs: row.processingMs,
    elapsedMs: durationMs,
    jobId: row.jobId,
    jobStatus: row.jobStatus,
    ...(row.jobDeletedAtMs === null ? {} : { jobDeletedAt: formatTime(row.jobDeletedAtMs) }),
    replayOf: row.replayOf,
  };
}

/** Renders the error. A call that was cut off has a reason and no code, because no answer was sent. */
function errorOf(row: RequestRow): RequestBody['error'] {
  const isOfJob = row.httpStatus === 202 && row.jobStatus === 'failed';
  const code = isOfJob ? row.jobErrorCode : row.errorCode;
  const message = isOfJob ? row.jobErrorMessage : row.errorMessage;
  if (code === null && message === null) return null;
  const retryable = code !== null && isServiceErrorCode(code) && SERVICE_ERRORS[code].retryable;
  return { code, message, retryable };
}
