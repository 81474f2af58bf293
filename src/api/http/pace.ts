import type { Clock } from '../../contract/clock.js';
import type { OcrError } from '../../contract/ocr-error.js';

/** What uploads of one command share, so that a service that asks one of them to slow down is heard by all. */
export interface Pace {
  /**
   * Resolves when another attempt may be sent; `onWait` is told where that takes until then (Unix milliseconds).
   * @throws the signal's reason where none may be any more
   */
  waitTurn(onWait?: (untilMs: number) => void): Promise<void>;
  /** The service asked for this long a pause: a 429. */
  slowDown(delayMs: number): void;
  /** The service refused one for so long that no other need be tried. */
  stop(because: OcrError): void;
}

export interface PaceOptions {
  clock: Clock;
  /** Ends the waiting with its reason. */
  signal: AbortSignal;
  /** Sees to it that nothing more is sent. */
  onStop: (because: OcrError) => void;
}

/** One pace for all uploads of a command: a pause that one was asked for holds every one back. */
export function createPace({ clock, signal, onStop: onEnd }: PaceOptions): Pace {
  /** On the monotonic clock. */
  let opensAtMs = Number.NEGATIVE_INFINITY;
  const leftMs = () => opensAtMs - clock.monotonicMs();
  return {
    async waitTurn(onWait) {
      signal.throwIfAborted();
      // Another may be asked for a longer one meanwhile.
      for (let pauseMs = leftMs(); pauseMs > 0; pauseMs = leftMs()) {
        onWait?.(clock.now() + pauseMs);
        await clock.sleep(pauseMs, signal);
      }
    },
    slowDown(delayMs) {
      opensAtMs = Math.max(opensAtMs, clock.monotonicMs() + delayMs);
    },
    stop: onEnd,
  };
}
