import type { Clock } from '../../contract/clock.js';
import { isTerminal } from '../../contract/envelopes.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import type { JobView } from './read-job.js';
import { type SharedProgress, WaitDeadline } from './wait-deadline.js';

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;

/** The answer to one poll: the job, and how long the server asks to wait before the next. */
export interface Poll {
  job: JobView;
  retryAfterMs: number | undefined;
  /** True when the server says that it held the poll for the job's end (RFC 7240, section 4.3). */
  wasHeld: boolean;
}

/** The state of a job when the wait for it is over. */
export interface FollowedJob {
  /** The job from the last poll that was answered. */
  job: JobView | undefined;
  /** The reason why the last poll failed. */
  pollError?: OcrError;
  /** True when the wait was longer than its time-out, because the job made progress. */
  hasProgressed: boolean;
}

export interface FollowOptions {
  /** Polls once: the wait ends in `leftMs`, and the server may hold the poll for `holdMs`. @throws OcrError */
  poll: (leftMs: number, holdMs: number) => Promise<Poll>;
  clock: Clock;
  signal: AbortSignal;
  /** Longest time without progress. */
  waitTimeoutMs: number;
  /** Monotonic milliseconds from which it counts at first; now if absent. */
  countsFromMs?: number | undefined;
  /** The progress of the command's jobs together. */
  shared?: SharedProgress | undefined;
  /** The `Retry-After` of the 202. */
  retryAfterMs?: number | undefined;
  /** Polls without a first pause: the job is an older one, or the server is known to hold polls. */
  pollsImmediately?: boolean;
  onPoll?: (job: JobView) => void;
  onPollError?: (error: OcrError) => void;
}

/**
 * Polls until the job is done or the wait ends: after 1 s, doubling to 15 s, with a `Retry-After` obeyed within these
 * bounds. The last poll is sent at the deadline (contract, section GET /v1/ocr/jobs/{id}) or is under way then; each sign of
 * progress moves the deadline. A server
 * may hold a poll until the next one would be due: the time that it was held counts as waited, and the job's end is known
 * at once. A poll that fails is no failure of the job, except where the key is refused or the job is gone.
 * @throws OcrError 401-403, 404 and 410 of the service itself; LOCAL_UNAVAILABLE; the signal's reason
 */
export async function followJob(options: FollowOptions): Promise<FollowedJob> {
  const { clock, signal } = options;
  const deadline = new WaitDeadline(options);
  let last: Omit<FollowedJob, 'hasProgressed'> = { job: undefined };
  let stepMs = FIRST_WAIT_MS;
  let askedMs = options.retryAfterMs;
  let heldMs = 0;
  let mayHold = true;
  let isFirst = options.pollsImmediately === true;
  const ended = (): FollowedJob => ({ ...last, hasProgressed: deadline.hasProgressed });
  const nextWaitMs = () => (askedMs === undefined ? stepMs : Math.min(MAX_WAIT_MS, Math.max(FIRST_WAIT_MS, askedMs)));
  for (;;) {
    if (!isFirst) {
      const waitMs = nextWaitMs() - heldMs;
      stepMs = Math.min(MAX_WAIT_MS, stepMs * 2);
      await clock.sleep(Math.max(0, Math.min(waitMs, deadline.atMs - clock.monotonicMs())), signal);
    }
    isFirst = false;
    signal.throwIfAborted();
    const sentAtMs = clock.monotonicMs();
    // A timer may be early by less than a millisecond.
    const leftMs = Math.max(0, Math.floor(deadline.atMs - sentAtMs));
    const sentDeadlineMs = deadline.atMs;
    // A poll that takes until the deadline or longer is the last one too, unless it shows progress: no time is left.
    const isLastPoll = () => (leftMs === 0 && deadline.atMs === sentDeadlineMs) || clock.monotonicMs() >= deadline.atMs;
    heldMs = 0;
    try {
      const { job, retryAfterMs, wasHeld } = await options.poll(leftMs, mayHold ? Math.min(nextWaitMs(), leftMs) : 0);
      if (wasHeld) heldMs = clock.monotonicMs() - sentAtMs;
      last = { job };
      askedMs = retryAfterMs;
      deadline.note(job);
      options.onPoll?.(job);
      if (isTerminal(job.status)) return ended();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof OcrError) || endsWait(error)) throw error;
      askedMs = undefined;
      // A proxy may cut connections that are silent for long, and would cut the next held poll too.
      mayHold = false;
      last = { ...last, pollError: error };
      if (!isLastPoll()) options.onPollError?.(error);
    }
    if (isLastPoll()) return ended();
  }
}

function endsWait(error: OcrError): boolean {
  const { status } = error;
  // An error without a status is the client's own: the network may come back, a service that cannot start will not.
  if (status === undefined) return error.code !== 'UNREACHABLE' && error.code !== 'TIMEOUT';
  return (status >= 401 && status <= 403) || isGone(error);
}
