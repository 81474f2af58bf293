export interface ErrorDetails {
  retryable?: boolean | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/** The base class of all errors of this library. */
export class OcrError extends Error {
  override readonly name: string = 'OcrError';
  /** A code of the service (`QUOTA_EXCEEDED`), or of this library (`UNREACHABLE`, `FILE_NOT_FOUND`). */
  readonly code: string;
  /** True when the same call may succeed later. */
  readonly retryable: boolean;
  /** The service's id of the request, for its support; null where no request was answered. */
  readonly requestId: string | null;

  constructor(code: string, message: string, { retryable = false, requestId, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryable = retryable;
    this.requestId = requestId ?? null;
  }
}

/** A refusal of the service: its own code and message, and the HTTP status. */
export class ServiceError extends OcrError {
  override readonly name = 'ServiceError';
  readonly status: number;
  /** Seconds that the service asks to wait before the next attempt. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: string,
    message: string,
    details: ErrorDetails & { status: number; retryAfterSeconds?: number | undefined },
  ) {
    super(code, message, details);
    this.status = details.status;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** A document that was accepted and could not be read: the error of its job. */
export class JobFailedError extends OcrError {
  override readonly name = 'JobFailedError';
  readonly jobId: string;

  constructor(code: string, message: string, details: ErrorDetails & { jobId: string }) {
    super(code, message, details);
    this.jobId = details.jobId;
  }
}

/** No answer of the service: it cannot be reached or started, made no progress in time, or something else answered. */
export class ConnectionError extends OcrError {
  override readonly name = 'ConnectionError';
}

/** A mistake of the caller, found before anything was sent: a missing file, an argument, an address. */
export class InputError extends OcrError {
  override readonly name = 'InputError';
}

/** The call ended because its signal was aborted; `cause` is the signal's reason. */
export class AbortError extends OcrError {
  override readonly name = 'AbortError';
  /** The job that goes on without the caller: `jobs.wait` comes back to it, `jobs.cancel` ends it. */
  readonly jobId: string | undefined;

  constructor(details: ErrorDetails & { jobId?: string | undefined } = {}) {
    const { jobId } = details;
    super('ABORT_ERR', `The call was aborted${jobId === undefined ? '' : `; its job ${jobId} goes on`}`, details);
    this.jobId = jobId;
  }
}

/** The reason why a webhook delivery is refused. */
export type WebhookErrorReason =
  /** There is no X-Service-Signature. */
  | 'missing-signature'
  /** It has no finite `t`, or no `v1`. */
  | 'malformed-signature'
  /** No `v1` matches: another secret, or a body that was changed or parsed before. */
  | 'wrong-signature'
  /** `t` is further from now than the tolerance: an old delivery that somebody sends again, or a clock that is wrong. */
  | 'outside-tolerance'
  /** The signature is right, and the body is no event of this service. */
  | 'malformed-event';

/** A webhook delivery that must not be believed: answer it with 400. */
export class WebhookError extends OcrError {
  override readonly name = 'WebhookError';
  readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason, message: string) {
    super('SIGNATURE_INVALID', message);
    this.reason = reason;
  }
}
