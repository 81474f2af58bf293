import type { Clock } from '../../contract/clock.js';
import type { JobView } from './read-job.js';

/** The latest sign of progress among the jobs of one command. */
export interface SharedProgress {
  /** Monotonic milliseconds; -Infinity before the first. */
  latestMs: number;
}

/** Words of servers for a job that waits for its turn. */
const QUEUED = new Set(['queued', 'pending']);

export interface WaitDeadlineOptions {
  clock: Clock;
  /** Longest time without progress. A server that shows none is waited for so long in all. */
  waitTimeoutMs: number;
  /** Monotonic milliseconds from which the wait counts at first; now if absent. */
  countsFromMs?: number | undefined;
  /** The progress of the command's jobs together: a queued job waits for them. */
  shared?: SharedProgress | undefined;
}

/**
 * The end of the wait for a job, which counts from its last sign of progress: a new state, or a page more. A queued job makes
 * none by itself, so every job of the command counts for it.
 */
export class WaitDeadline {
  readonly #options: WaitDeadlineOptions;
  #latestMs: number;
  #last: { status: string; pagesDone: number } | undefined;
  /** True once the job, or one that it waits for, has shown progress. */
  hasProgressed = false;

  constructor(options: WaitDeadlineOptions) {
    this.#options = options;
    this.#latestMs = options.countsFromMs ?? options.clock.monotonicMs();
  }

  /** Monotonic milliseconds. */
  get atMs(): number {
    const { shared, waitTimeoutMs } = this.#options;
    const isQueued = this.#last !== undefined && QUEUED.has(this.#last.status);
    if (isQueued && shared !== undefined && shared.latestMs > this.#latestMs) {
      this.#latestMs = shared.latestMs;
      this.hasProgressed = true;
    }
    return this.#latestMs + waitTimeoutMs;
  }

  /** Notes the answer to a poll. The first one only shows where the job is. */
  note({ status, progress }: JobView): void {
    const pagesDone = progress?.pagesDone ?? 0;
    const last = this.#last;
    this.#last = { status, pagesDone };
    if (last === undefined || (last.status === status && pagesDone <= last.pagesDone)) return;
    const { clock, shared } = this.#options;
    this.#latestMs = clock.monotonicMs();
    this.hasProgressed = true;
    if (shared !== undefined) shared.latestMs = this.#latestMs;
  }
}
