import type { ErrorBody } from '../../contract/envelopes.js';
import { SERVICE_ERRORS, type ServiceErrorCode } from '../../contract/error-codes.js';
import type { CallingKey } from '../../store/access.js';
import { BlobsUnavailableError } from '../../store/blobs/storage.js';
import { DatabaseUnavailableError } from '../../store/postgres/failure.js';
import { StoreFailedError } from '../../store/sqlite/store-failure.js';

/** Thrown for a refused call, with a code of the contract. It becomes the error envelope. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ServiceErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  /** The key of a call that is refused before its route knows it. */
  readonly caller: CallingKey | undefined;

  constructor(
    code: ServiceErrorCode,
    message: string,
    options: { headers?: Record<string, string>; caller?: CallingKey; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.headers = { ...(code === 'PROVIDER_UNAVAILABLE' ? { 'retry-after': '5' } : {}), ...options.headers };
    this.caller = options.caller;
  }
}

/** Thrown when the sender is gone or too slow. No answer can reach it. */
export class SenderLostError extends Error {
  override readonly name = 'SenderLostError';
  readonly reason: 'gone' | 'too-slow';

  constructor(reason: 'gone' | 'too-slow') {
    super(reason === 'gone' ? 'the sender went away' : 'the sender is too slow');
    this.reason = reason;
  }
}

export function errorBody(code: ServiceErrorCode, message: string, requestId: string): ErrorBody {
  return { error: { code, message, requestId, retryable: SERVICE_ERRORS[code].retryable } };
}

const OUT_OF_RESOURCES: Record<string, string> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is exhausted',
  EROFS: 'its data directory is read-only',
  EMFILE: 'it has too many files open',
  ENFILE: 'its machine has too many files open',
  ENOMEM: 'it is out of memory',
  EIO: 'its disk has failed',
};
const SQLITE_OUT_OF_RESOURCES: Record<number, string> = {
  5: 'its store is busy',
  8: 'its store is read-only',
  10: 'its disk has failed or is full',
  13: 'its disk is full',
  14: 'its store cannot be opened',
};

/** Names the resource whose lack caused the error; undefined for other errors. The call can succeed later. */
export function explainLackOfResources(error: unknown): string | undefined {
  if (error instanceof StoreFailedError) return OUT_OF_RESOURCES.EIO;
  if (error instanceof DatabaseUnavailableError) return 'its database does not answer';
  if (error instanceof BlobsUnavailableError) return 'its storage of documents cannot be reached';
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  if (typeof errcode === 'number') return SQLITE_OUT_OF_RESOURCES[errcode & 0xff];
  return typeof code === 'string' ? OUT_OF_RESOURCES[code] : undefined;
}

/** Like `explainLackOfResources`, for an operator: names the bucket, and what to do. */
export function describeLackOfResources(error: unknown): string | undefined {
  return error instanceof BlobsUnavailableError ? error.message : explainLackOfResources(error);
}

/** Converts any error to a ServiceError: lack of a resource is PROVIDER_UNAVAILABLE, the rest is INTERNAL. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const lack = explainLackOfResources(error);
  if (lack !== undefined)
    return new ServiceError('PROVIDER_UNAVAILABLE', `The service cannot take the document now: ${lack}`, {
      cause: error,
    });
  return new ServiceError('INTERNAL', 'The service failed to answer; quote the requestId to support', { cause: error });
}
