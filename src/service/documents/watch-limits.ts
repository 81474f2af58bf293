const WATCH_INTERVAL_MS = 250;

export interface TaskLimits {
  timeoutMs: number;
  /** The longest time without a page being done. */
  idleTimeoutMs: number;
  /** Resident memory of the process and what it started. */
  memoryBytes: number;
}

export interface LimitWatch {
  /** A page was done. */
  noteProgress(): void;
  noteMemory(bytes: number): void;
  stop(): void;
}

/** Calls `end` when a task passes one of its limits, with what it passed in words. `lookAtMemory` is asked every so often. */
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
