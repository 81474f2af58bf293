import type { ClaimedJob, Queue } from '../../store/queue.js';
import type { Log } from '../log.js';
import { createSingleFlight } from '../single-flight.js';
import type { RetryingWrites } from './retrying-writes.js';

const BEAT_INTERVAL_MS = 1_000;

/** A job that this process runs. Its lease is extended in time; its progress is written within a second. */
export interface Lease {
  noteProgress(pagesDone: number, pageCount: number): void;
  /** The document was read, and how the job ended is being written: that gives the lease back, which is no loss. */
  noteEnding(): void;
  /** Is not extended any more. */
  drop(): void;
}

export interface Leases {
  hold(job: ClaimedJob): Lease;
  /** How many are held. */
  readonly count: number;
  stop(): Promise<void>;
}

export interface LeasesOptions {
  queue: Pick<Queue, 'beat' | 'releaseExpired'>;
  writes: Pick<RetryingWrites, 'attempt'>;
  leaseMs: number;
  log: Log;
  /** Jobs wait again whose lease ran out: another process's, or ours where the store took nothing for too long. */
  onExpired(): void;
}

interface Held {
  job: ClaimedJob;
  pagesDone: number;
  pageCount: number;
  hasNews: boolean;
  lastBeatMs: number;
  isEnding: boolean;
}

export function createLeases({ queue, writes, leaseMs, log, onExpired }: LeasesOptions): Leases {
  // Not by their jobs: one whose lease was lost may be claimed again while its first run still goes on.
  const held = new Set<Held>();
  const beats = createSingleFlight(() =>
    beat().catch((error: unknown) => log.error({ reason: String(error) }, 'leases could not be extended')),
  );
  const timer = setInterval(beats.wake, Math.min(BEAT_INTERVAL_MS, leaseMs / 3));
  timer.unref();

  async function beat(): Promise<void> {
    await extend(takeDue());
    if ((await queue.releaseExpired()) > 0) onExpired();
  }

  /** Those that have news to tell, or whose lease is a third over. */
  function takeDue(): Held[] {
    const nowMs = performance.now();
    const due = [...held].filter((one) => one.hasNews || nowMs - one.lastBeatMs >= leaseMs / 3);
    for (const one of due) Object.assign(one, { hasNews: false, lastBeatMs: nowMs });
    return due;
  }

  async function extend(due: readonly Held[]): Promise<void> {
    if (due.length === 0) return;
    const news = due.map(({ job, pagesDone, pageCount }) => ({
      jobId: job.id,
      token: job.token,
      pagesDone,
      pageCount,
    }));
    const lost = await writes.attempt(() => queue.beat(news, leaseMs));
    for (const { job, isEnding } of due)
      if (lost.includes(job.id) && !isEnding) log.warn({ jobId: job.id }, 'the lease of a job was lost');
  }

  return {
    hold: (job) => {
      const one: Held = {
        job,
        pagesDone: 0,
        pageCount: job.documentPageCount,
        hasNews: true,
        lastBeatMs: performance.now(),
        isEnding: false,
      };
      held.add(one);
      return {
        noteProgress: (pagesDone, pageCount) => Object.assign(one, { pagesDone, pageCount, hasNews: true }),
        noteEnding: () => {
          one.isEnding = true;
        },
        drop: () => held.delete(one),
      };
    },
    get count() {
      return held.size;
    },
    stop: async () => {
      clearInterval(timer);
      await beats.stop();
    },
  };
}
