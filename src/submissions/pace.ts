import type { Clock } from '../contract/clock.js';
import type { OcrError } from '../contract/ocr-error.js';
import type { Pace } from '../contract/pace.js';

export interface PaceOptions {
  clock: Clock;
  /** Ends the waiting with its reason. */
  signal: AbortSignal;
  /** Sees to it that nothing more is sent. */
  onEnd: (because: OcrError) => void;
}

/** One pace for all uploads of a command: a pause that one was asked for holds every one back. */
export function createPace({ clock, signal, onEnd }: PaceOptions): Pace {
  let opensAtMs = 0;
  return {
    async turn(onWait) {
      signal.throwIfAborted();
      // Another may be asked for a longer one meanwhile.
      for (let leftMs = opensAtMs - clock.now(); leftMs > 0; leftMs = opensAtMs - clock.now()) {
        onWait?.(opensAtMs);
        await clock.sleep(leftMs, signal);
      }
    },
    slow(delayMs) {
      opensAtMs = Math.max(opensAtMs, clock.now() + delayMs);
    },
    end: onEnd,
  };
}
