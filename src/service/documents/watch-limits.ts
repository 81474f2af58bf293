import { LostTime, type WaitUsage } from './lost-time.js';

const WATCH_INTERVAL_MS = 250;
/** Multiple of a limit of time at which a task ends that could not work for most of it. */
const MAX_STRETCH = 10;
/** Share of `cpuMs` below which a task that ran out of time is not to blame. */
const STARVED_SHARE = 1 / 3;

export interface TaskLimits {
  /** Bounds of the time in which the process could work, in all and without a finished page. */
  timeoutMs: number;
  idleTimeoutMs: number;
  /** Bound on resident memory of the process and its children. */
  memoryBytes: number;
  /** Bound on CPU time, for tasks that do nothing but compute. One that got far less until `timeoutMs` was starved. */
  cpuMs?: number;
  /** CPU time of the process and its children after which they run at a lower priority, once there are neighbours. */
  longAfterCpuMs?: number;
  /** True while other tasks run. Absent: there always are some. */
  hasNeighbours?(): boolean;
  /** True for a task that is ended as unavailable when all processes together need too much memory. */
  mayGiveWay?: boolean;
  /** Called at the start with a function that returns the time the task had lost at the latest look: see LostTime. */
  onStart?(readLostMs: () => number): void;
  /**
   * For whom the task leaves the last ready process and waits for the start of another one: `its-user` for the organisation that
   * used it before, `anybody` also for those that may come. Left out: for nobody.
   */
  leavesReadyTo?: 'its-user' | 'anybody';
}

/** The use of a process and its children; undefined when the system does not report it, or the process is gone. */
export interface Usage extends WaitUsage {
  lookAtMemory(): number | undefined;
}

export type ExceededLimit = 'timeout' | 'no-progress' | 'memory' | 'starved';

export interface LimitWatch {
  /** Notes a finished page. */
  noteProgress(): void;
  noteMemory(bytes: number): void;
  stop(): void;
}

/** Calls `end` with the reason when a task exceeds a limit, and `lower` once it counts as long beside others. It looks at `usage` at an interval. */
export function watchLimits(
  { timeoutMs, idleTimeoutMs, memoryBytes, cpuMs, longAfterCpuMs = Infinity, ...limits }: TaskLimits,
  usage: Usage,
  end: (cause: ExceededLimit, message: string) => void,
  lower: () => void,
): LimitWatch {
  let cpuAtStartMs: number | undefined;
  const noteMemory = (bytes: number) => {
    if (bytes > memoryBytes) end('memory', `it needs more than ${formatMebibytes(memoryBytes)} of memory`);
  };
  const lost = new LostTime(usage, WATCH_INTERVAL_MS);
  limits.onStart?.(() => lost.totalMs);
  const endStarved = (afterMs: number) =>
    end('starved', `its process got too little CPU time within ${afterMs / 1000} s`);
  const idle = watchTime(lost, idleTimeoutMs, {
    onOver: () => end('no-progress', `no page was done within ${idleTimeoutMs / 1000} s`),
    onStarved: endStarved,
  });
  const readUsedCpu = () => {
    lost.look();
    const nowMs = lost.cpuMs;
    if (nowMs === undefined) return undefined;
    // The first look stands for the start: most tasks end before it, and a look costs more than some of them.
    cpuAtStartMs ??= nowMs;
    return nowMs - cpuAtStartMs;
  };
  const endLate = () => end('timeout', `it was not done within ${timeoutMs / 1000} s`);
  // A task with a limit of CPU time has several times as much wall time already.
  const wall =
    cpuMs === undefined
      ? watchTime(lost, timeoutMs, { onOver: endLate, onStarved: endStarved })
      : watchWallTime(timeoutMs, () =>
          (readUsedCpu() ?? Infinity) < cpuMs * STARVED_SHARE ? endStarved(timeoutMs) : endLate(),
        );
  let isLowered = false;
  const look = setInterval(() => {
    const usedMs = readUsedCpu() ?? 0;
    noteMemory(usage.lookAtMemory() ?? 0);
    if (cpuMs !== undefined && usedMs >= cpuMs) end('timeout', `it was not done within ${cpuMs / 1000} s`);
    if (isLowered || usedMs < longAfterCpuMs || limits.hasNeighbours?.() === false) return;
    isLowered = true;
    lower();
  }, WATCH_INTERVAL_MS);
  return {
    noteProgress: idle.restart,
    noteMemory,
    stop: () => {
      idle.stop();
      wall.stop();
      clearInterval(look);
    },
  };
}

interface TimeEnds {
  onOver(): void;
  onStarved(afterMs: number): void;
}

/** Watches a limit of time that does not count lost time; `onStarved` where too much was lost. */
function watchTime(
  lost: LostTime,
  limitMs: number,
  { onOver, onStarved }: TimeEnds,
): { restart(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let startedAtMs = 0;
  let lostBeforeMs = 0;
  const check = () => {
    const lostMs = lost.look() - lostBeforeMs;
    const passedMs = performance.now() - startedAtMs;
    const leftMs = limitMs - (passedMs - lostMs);
    // A timer may be early by less than a millisecond.
    if (leftMs < 1) onOver();
    else if (passedMs >= limitMs * MAX_STRETCH - 1) onStarved(limitMs * MAX_STRETCH);
    else timer = setTimeout(check, Math.min(leftMs, limitMs * MAX_STRETCH - passedMs));
  };
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    startedAtMs = performance.now();
    lostBeforeMs = lost.totalMs;
    timer = setTimeout(check, limitMs);
  };
  restart();
  return { restart, stop };
}

/** Watches a limit of time that counts all of it. */
function watchWallTime(limitMs: number, onOver: () => void): { stop(): void } {
  const timer = setTimeout(onOver, limitMs);
  return { stop: () => clearTimeout(timer) };
}

function formatMebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
