export interface JobWaiters {
  /** True when the job ended, false after `timeoutMs` or when `signal` is aborted. */
  waitFor(jobId: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  ended(jobId: string): void;
}

/** Calls that wait for their document in this process. */
export function createJobWaiters(): JobWaiters {
  const waiting = new Map<string, Set<() => void>>();
  return {
    waitFor: (jobId, timeoutMs, signal) =>
      new Promise((resolve) => {
        const forJob = waiting.get(jobId) ?? new Set();
        waiting.set(jobId, forJob);
        const leave = (hasEnded: boolean) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          forJob.delete(end);
          if (forJob.size === 0) waiting.delete(jobId);
          resolve(hasEnded);
        };
        const end = () => leave(true);
        const giveUp = () => leave(false);
        const timer = setTimeout(giveUp, timeoutMs);
        // Nobody's wait keeps a service that has stopped from ending.
        timer.unref();
        forJob.add(end);
        signal?.addEventListener('abort', giveUp);
      }),
    ended: (jobId) => {
      for (const end of [...(waiting.get(jobId) ?? [])]) end();
    },
  };
}
