import { OcrError as ContractError } from '../contract/ocr-error.js';
import { untilAborted } from '../contract/until-aborted.js';
import { AbortError, ConnectionError, InputError, JobFailedError, OcrError, ServiceError } from './errors.js';

type NoteJob = (jobId: string, requestId?: string) => void;

/**
 * Runs a call of the library: its errors come out as the public classes, and an aborted signal ends it at once, also
 * while a part works that does not look at the signal.
 */
export async function guard<T>(signal: AbortSignal | undefined, call: (noteJob: NoteJob) => Promise<T>): Promise<T> {
  let job: { jobId: string; requestId: string | undefined } | undefined;
  try {
    signal?.throwIfAborted();
    const working = call((jobId, requestId) => {
      job = { jobId, requestId };
    });
    // A signal of its own: one of the caller may be for many calls, and Node warns of more than ten listeners.
    return await (signal === undefined ? working : untilAborted(working, AbortSignal.any([signal])));
  } catch (error) {
    if (signal?.aborted) throw new AbortError({ ...job, cause: signal.reason });
    throw toPublicError(error);
  }
}

/** Codes of the client for a service that gave no answer. */
const CONNECTION_CODES = new Set(['UNREACHABLE', 'TIMEOUT', 'BAD_RESPONSE', 'LOCAL_UNAVAILABLE']);

function toPublicError(error: unknown): unknown {
  if (error instanceof OcrError || !(error instanceof ContractError)) return error;
  const { code, message, retryable, requestId, status, retryAfterSeconds, cause } = error;
  const details = { retryable, requestId, cause };
  const { jobId } = error as { jobId?: string };
  if (jobId !== undefined) return new JobFailedError(code, message, { ...details, jobId });
  if (CONNECTION_CODES.has(code)) return new ConnectionError(code, message, details);
  if (status !== undefined) return new ServiceError(code, message, { ...details, status, retryAfterSeconds });
  return new InputError(code, message, details);
}
