import type { OcrError } from './ocr-error.js';

/** What uploads of one command share, so that a service that asks one of them to slow down is heard by all. */
export interface Pace {
  /**
   * Resolves when another attempt may be sent; `onWait` is told where that takes until then (Unix milliseconds).
   * @throws OcrError where none may be any more
   */
  turn(onWait?: (untilMs: number) => void): Promise<void>;
  /** The service asked for this long a pause: a 429. */
  slow(delayMs: number): void;
  /** The service refused one for so long that no other need be tried. */
  end(because: OcrError): void;
}
