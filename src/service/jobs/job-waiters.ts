export interface JobWaiters {
  /** True when the job ended, false after `timeoutMs`. */
  waitFor(jobId: string, timeoutMs: number): Promise<boolean>;
  ended(jobId: string): void;
}

/** Calls that wait for their document in this process. */
export function createJobWaiters(): JobWaiters {
  const waiting = new Map<string, Set<() => void>>();
  return {
    waitFor: (jobId, timeoutMs) =>
      new Promise((resolve) => {
        const forJob = waiting.get(jobId) ?? new Set();
        waiting.set(jobId, forJob);
        const leave = (hasEnded: boolean) => {
          clearTimeout(timer);
          forJob.delete(end);
          if (forJob.size === 0) waiting.delete(jobId);
          resolve(hasEnded);
        };
        const end = () => leave(true);
        const timer = setTimeout(() => leave(false), timeoutMs);
        // Nobody's wait keeps a service that has stopped from ending.
        timer.unref();
        forJob.add(end);
      }),
    ended: (jobId) => {
      for (const end of [...(waiting.get(jobId) ?? [])]) end();
    },
  };
}
