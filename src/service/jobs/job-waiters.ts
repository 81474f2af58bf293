/** Calls that wait for their job in this process. */
export interface JobWaiters {
  /** Resolves true when the job ended, false after `timeoutMs` or when `signal` is aborted. */
  waitFor(jobId: string, timeoutMs: number, signal?: AbortSignal): Promise<boolean>;
  noteEnd(jobId: string): void;
  /** The jobs that are waited for. */
  listJobs(): string[];
}

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
        // A waiting call does not keep a stopped service alive.
        timer.unref();
        forJob.add(end);
        signal?.addEventListener('abort', giveUp);
      }),
    listJobs: () => [...waiting.keys()],
    noteEnd: (jobId) => {
      for (const end of [...(waiting.get(jobId) ?? [])]) end();
    },
  };
}
