const WATCH_INTERVAL_MS = 250;
/** Share of `cpuMs` below which a task that ran out of time is not to blame. */
const STARVED_SHARE = 1 / 3;

export interface TaskLimits {
  timeoutMs: number;
  /** Longest time without a finished page. */
  idleTimeoutMs: number;
  /** Bound on resident memory of the process and its children. */
  memoryBytes: number;
  /** Bound on CPU time, for tasks that do nothing but compute. One that got far less until `timeoutMs` was starved. */
  cpuMs?: number;
  /** Time after which the process runs at a lower CPU priority. */
  longAfterMs?: number;
  /** True for a task that is ended as unavailable when all processes together need too much memory. */
  mayGiveWay?: boolean;
}

/** The use of a process and its children; undefined when the system does not report it, or the process is gone. */
export interface Usage {
  lookAtMemory(): number | undefined;
  /** CPU time since its start, in milliseconds. */
  lookAtCpu(): number | undefined;
}

export type ExceededLimit = 'timeout' | 'no-progress' | 'memory' | 'starved';

export interface LimitWatch {
  /** Notes a finished page. */
  noteProgress(): void;
  noteMemory(bytes: number): void;
  stop(): void;
}

/** Calls `end` with the reason when a task exceeds a limit. It looks at `usage` at an interval. */
export function watchLimits(
  { timeoutMs, idleTimeoutMs, memoryBytes, cpuMs }: TaskLimits,
  usage: Usage,
  end: (cause: ExceededLimit, message: string) => void,
): LimitWatch {
  let cpuAtStartMs: number | undefined;
  const noteMemory = (bytes: number) => {
    if (bytes > memoryBytes) end('memory', `it needs more than ${formatMebibytes(memoryBytes)} of memory`);
  };
  const idle = setTimeout(() => end('no-progress', `no page was done within ${idleTimeoutMs / 1000} s`), idleTimeoutMs);
  const readUsedCpu = () => {
    const nowMs = cpuMs === undefined ? undefined : usage.lookAtCpu();
    if (nowMs === undefined) return undefined;
    // The first look stands for the start: most tasks end before it, and a look costs more than some of them.
    cpuAtStartMs ??= nowMs;
    return nowMs - cpuAtStartMs;
  };
  const wall = setTimeout(() => {
    const isStarved = (readUsedCpu() ?? Infinity) < (cpuMs ?? 0) * STARVED_SHARE;
    if (isStarved) end('starved', `its process got too little CPU time within ${timeoutMs / 1000} s`);
    else end('timeout', `it was not done within ${timeoutMs / 1000} s`);
  }, timeoutMs);
  const look = setInterval(() => {
    noteMemory(usage.lookAtMemory() ?? 0);
    if (cpuMs !== undefined && (readUsedCpu() ?? 0) >= cpuMs)
      end('timeout', `it was not done within ${cpuMs / 1000} s`);
  }, WATCH_INTERVAL_MS);
  return {
    noteProgress: () => idle.refresh(),
    noteMemory,
    stop: () => {
      clearTimeout(idle);
      clearTimeout(wall);
      clearInterval(look);
    },
  };
}

function formatMebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}
