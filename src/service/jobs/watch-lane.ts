import type { Effort } from '../../store/lanes.js';
import { correctEffort, limitRunMs } from '../page-counts/estimate-effort.js';
import type { RunningDocument } from './running-slots.js';

/** Bound on the start of a run. Until its first progress, the start of a process may take most of its time. */
const MAX_START_MS = 5_000;

/** The time of a run beside what its lane is for. */
export interface LaneWatch {
  /** Notes the start in a process; `readLostMs` returns the time since then in which it could not work. */
  noteStart(readLostMs: () => number): void;
  noteProgress(pagesDone: number, pageCount: number): void;
  stop(): void;
}

/**
 * Calls `onOverlong` whenever a run takes longer than its present lane is for, with a better estimate. An estimate is made
 * before anything is read, and some documents pose as short. The time counts from the first progress, without what the process
 * lost on a busy machine.
 */
export function watchLane(
  slot: Readonly<Pick<RunningDocument, 'lane'>>,
  pageCount: number,
  onOverlong: (effort: Effort) => void,
): LaneWatch {
  let readLostMs = () => 0;
  const workedMs = () => performance.now() - readLostMs();
  let startedAtMs = workedMs() + MAX_START_MS;
  let progress = { pagesDone: 0, pageCount };
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const { lane } = slot;
    const passedMs = workedMs() - startedAtMs;
    const leftMs = limitRunMs(lane) - passedMs;
    // A timer may be early by less than a millisecond.
    if (leftMs < 1) onOverlong(correctEffort({ lane, passedMs, ...progress }));
    // The lane may have been corrected, here or when the pages were counted.
    planLook(limitRunMs(slot.lane) - passedMs);
  };
  const planLook = (leftMs: number) => {
    if (leftMs >= 1 && leftMs < Infinity) timer = setTimeout(look, leftMs);
  };
  planLook(limitRunMs(slot.lane) + MAX_START_MS);
  return {
    noteStart: (readLost) => {
      readLostMs = readLost;
    },
    noteProgress: (pagesDone, pageCount) => {
      progress = { pagesDone, pageCount };
      const nowMs = workedMs();
      if (startedAtMs <= nowMs) return;
      startedAtMs = nowMs;
      clearTimeout(timer);
      planLook(limitRunMs(slot.lane));
    },
    stop: () => clearTimeout(timer),
  };
}
