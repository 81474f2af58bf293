import { OcrError } from '../../contract/ocr-error.js';

/** Tells documents that wait to be sent that they must not be. */
export interface Stop {
  readonly because: OcrError | undefined;
  /** Aborted with a NOT_SENT. */
  readonly signal: AbortSignal;
  /** Stops with a reason; later reasons are ignored. */
  call(because: OcrError): void;
}

export function createStop(): Stop {
  const controller = new AbortController();
  let reason: OcrError | undefined;
  return {
    get because() {
      return reason;
    },
    signal: controller.signal,
    call(because) {
      reason ??= because;
      controller.abort(notSent(reason));
    },
  };
}

/** What an input that was left behind ends with: sending it again is of use where it is for what stopped the others. */
export function notSent(because: OcrError): OcrError {
  const { message, retryable } = because;
  return new OcrError('NOT_SENT', `Not sent: ${message}`, { retryable, cause: because });
}
