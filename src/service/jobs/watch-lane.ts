import type { Effort } from '../../store/lanes.js';
import { correctEffort, limitRunMs } from '../page-counts/estimate-effort.js';
import type { RunningDocument } from './running-slots.js';

/** The time of a run beside what its lane is for. */
export interface LaneWatch {
  noteProgress(pagesDone: number, pageCount: number): void;
  stop(): void;
}

/**
 * Calls `onOverlong` whenever a run takes longer than its present lane is for, with a better estimate. An estimate is made
 * before anything is read, and some documents pose as short.
 */
export function watchLane(
  slot: Readonly<Pick<RunningDocument, 'lane'>>,
  pageCount: number,
  onOverlong: (effort: Effort) => void,
): LaneWatch {
  const startedAtMs = performance.now();
  let progress = { pagesDone: 0, pageCount };
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const { lane } = slot;
    const passedMs = performance.now() - startedAtMs;
    const leftMs = limitRunMs(lane) - passedMs;
    // A timer may be early by less than a millisecond.
    if (leftMs < 1) onOverlong(correctEffort({ lane, passedMs, ...progress }));
    // The lane may have been corrected, here or when the pages were counted.
    planLook(limitRunMs(slot.lane) - passedMs);
  };
  const planLook = (leftMs: number) => {
    if (leftMs >= 1 && leftMs < Infinity) timer = setTimeout(look, leftMs);
  };
  planLook(limitRunMs(slot.lane));
  return {
    noteProgress: (pagesDone, pageCount) => {
      progress = { pagesDone, pageCount };
    },
    stop: () => clearTimeout(timer),
  };
}
