import type { ClaimedJob, Queue } from '../../store/queue.js';
import type { Log } from '../log.js';
import { noteTrouble } from '../note-trouble.js';
import { createSingleFlight } from '../single-flight.js';
import type { RetryingWrites } from './retrying-writes.js';

const BEAT_INTERVAL_MS = 1_000;

/** The lease of a job that this process runs. It is extended in time, and progress is written within a second. */
interface Lease {
  noteProgress(pagesDone: number, pageCount: number): void;
  /** Marks that the end of the job is being written. That returns the lease, so a failed extension is no loss. */
  noteConclusion(): void;
  /** Stops extending the lease. */
  drop(): void;
  /** Aborted when the job has ended without this run. */
  readonly signal: AbortSignal;
}

export interface Leases {
  hold(job: ClaimedJob): Lease;
  /** Aborts the runs of a job that has ended without them. */
  endRuns(jobId: string): void;
  /** The jobs of the held leases whose end is not being written. */
  listJobs(): string[];
  stop(): Promise<void>;
}

export interface LeasesOptions {
  queue: Pick<Queue, 'beat' | 'hasExpired' | 'releaseExpired'>;
  writes: Pick<RetryingWrites, 'attempt'>;
  leaseMs: number;
  log: Log;
  /** Called when jobs with an expired lease are queued again: those of another process, or ours after a blocked store. */
  onExpired(): void;
}

interface HeldLease {
  job: ClaimedJob;
  pagesDone: number;
  pageCount: number | null;
  hasProgress: boolean;
  lastBeatMs: number;
  isConcluding: boolean;
  ended: AbortController;
}

export function createLeases({ queue, writes, leaseMs, log, onExpired }: LeasesOptions): Leases {
  // A set, not a map by job: a job with a lost lease may be claimed again while its first run continues.
  const held = new Set<HeldLease>();
  const beats = createSingleFlight(() =>
    beat().catch((error: unknown) => noteTrouble(log, error, 'leases could not be extended')),
  );
  const timer = setInterval(beats.wake, Math.min(BEAT_INTERVAL_MS, leaseMs / 3));
  timer.unref();

  /** Time since which every beat has reached the store. */
  let reachedSinceMs: number | undefined;

  async function beat(): Promise<void> {
    try {
      const nowMs = performance.now();
      await extend(takeDue());
      const hasExpired = await queue.hasExpired();
      reachedSinceMs ??= nowMs;
      // After an absence of the store every lease looks expired, until its holder has had the time to extend it.
      if (!hasExpired || nowMs - reachedSinceMs < leaseMs) return;
      if ((await queue.releaseExpired()) > 0) onExpired();
    } catch (error) {
      reachedSinceMs = undefined;
      throw error;
    }
  }

  /** Takes the leases with new progress, and those past a third of their time. */
  function takeDue(): HeldLease[] {
    const nowMs = performance.now();
    const due = [...held].filter((one) => one.hasProgress || nowMs - one.lastBeatMs >= leaseMs / 3);
    for (const one of due) Object.assign(one, { hasProgress: false, lastBeatMs: nowMs });
    return due;
  }

  async function extend(due: readonly HeldLease[]): Promise<void> {
    if (due.length === 0) return;
    const reports = due.map(({ job, pagesDone, pageCount }) => ({
      jobId: job.id,
      token: job.token,
      pagesDone,
      pageCount,
    }));
    const lost = await writes.attempt(() => queue.beat(reports, leaseMs));
    for (const { job, isConcluding } of due)
      if (lost.includes(job.id) && !isConcluding) log.warn({ jobId: job.id }, 'the lease of a job was lost');
  }

  return {
    hold: (job) => {
      const one: HeldLease = {
        job,
        pagesDone: job.pagesDone,
        pageCount: job.documentPageCount,
        hasProgress: true,
        lastBeatMs: performance.now(),
        isConcluding: false,
        ended: new AbortController(),
      };
      held.add(one);
      return {
        // A poller of a postponed job does not see its pages become fewer.
        noteProgress: (pagesDone, pageCount) =>
          Object.assign(one, { pagesDone: Math.max(job.pagesDone, pagesDone), pageCount, hasProgress: true }),
        noteConclusion: () => {
          one.isConcluding = true;
        },
        drop: () => held.delete(one),
        signal: one.ended.signal,
      };
    },
    endRuns: (jobId) => {
      for (const { job, ended } of held) if (job.id === jobId) ended.abort();
    },
    listJobs: () => [...held].filter(({ isConcluding }) => !isConcluding).map(({ job }) => job.id),
    stop: async () => {
      clearInterval(timer);
      await beats.stop();
    },
  };
}
