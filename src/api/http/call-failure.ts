import type { OcrError } from '../../contract/ocr-error.js';

/** The kind of a failure; it decides whether another attempt may follow. */
export type FailureKind =
  | 'connection' // no answer, or an answer that broke off
  | 'timeout'
  | 'permanent' // cannot get better by itself: an unknown name, a certificate, a redirect
  | 'answer'; // the service, or something before it, answered

/** One failed attempt. It stays within src/api: callers get its `error`. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly error: OcrError;
  readonly kind: FailureKind;
  /** The answer's own `retryable`. */
  readonly statedRetryable: boolean | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    error: OcrError,
    kind: FailureKind,
    details: { statedRetryable?: boolean | undefined; retryAfterMs?: number | undefined } = {},
  ) {
    super(error.message, { cause: error });
    this.error = error;
    this.kind = kind;
    this.statedRetryable = details.statedRetryable;
    this.retryAfterMs = details.retryAfterMs;
  }
}
