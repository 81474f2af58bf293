import type { Clock } from '../../contract/clock.js';
import type { OcrError } from '../../contract/ocr-error.js';

/** The pace that all uploads of one command share: a service that slows one of them slows them all. */
export interface Pace {
  /**
   * Resolves when another attempt may be sent; calls `onWait` with the end of a pause (Unix milliseconds).
   * @throws the signal's reason once nothing more may be sent
   */
  waitTurn(onWait?: (untilMs: number) => void): Promise<void>;
  /** Pauses all uploads, after a 429 that asked for it. */
  slowDown(delayMs: number): void;
  /** Stops all uploads: the service refuses for so long that no other need be tried. */
  stop(because: OcrError): void;
}

export interface PaceOptions {
  clock: Clock;
  /** Ends a pause with the signal's reason. */
  signal: AbortSignal;
  /** Must see to it that nothing more is sent. */
  onStop: (because: OcrError) => void;
}

export function createPace({ clock, signal, onStop: onEnd }: PaceOptions): Pace {
  /** End of the pause, on the monotonic clock. */
  let opensAtMs = Number.NEGATIVE_INFINITY;
  const leftMs = () => opensAtMs - clock.monotonicMs();
  return {
    async waitTurn(onWait) {
      signal.throwIfAborted();
      // Another upload may have got a longer pause meanwhile.
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
