const WATCH_INTERVAL_MS = 250;

export interface TaskLimits {
  timeoutMs: number;
  /** Longest time without a finished page. */
  idleTimeoutMs: number;
  /** Bound on resident memory of the process and its children. */
  memoryBytes: number;
}

export interface LimitWatch {
  /** Notes a finished page. */
  noteProgress(): void;
  noteMemory(bytes: number): void;
  stop(): void;
}

/** Calls `end` with the reason when a task exceeds a limit. `lookAtMemory` runs at an interval. */
export function watchLimits(
  { timeoutMs, idleTimeoutMs, memoryBytes }: TaskLimits,
  lookAtMemory: () => number | undefined,
  end: (cause: 'timeout' | 'no-progress' | 'memory', message: string) => void,
): LimitWatch {
  const noteMemory = (bytes: number) => {
    if (bytes > memoryBytes) end('memory', `it needs more than ${formatMebibytes(memoryBytes)} of memory`);
  };
  const idle = setTimeout(() => end('no-progress', `no page was done within ${idleTimeoutMs / 1000} s`), idleTimeoutMs);
  const wall = setTimeout(() => end('timeout', `it was not done within ${timeoutMs / 1000} s`), timeoutMs);
  const look = setInterval(() => noteMemory(lookAtMemory() ?? 0), WATCH_INTERVAL_MS);
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
