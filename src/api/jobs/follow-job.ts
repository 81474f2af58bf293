import type { Clock } from '../../contract/clock.js';
import { isTerminal } from '../../contract/envelopes.js';
import { isGone, OcrError } from '../../contract/ocr-error.js';
import type { JobView } from './read-job.js';

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;

/** One poll: the job, and how long the server asks to wait before the next. */
export interface Poll {
  job: JobView;
  retryAfterMs: number | undefined;
  /** The server says that it kept the poll back for the job's end (RFC 7240, section 4.3). */
  wasHeld: boolean;
}

/** What is known of a job when the wait for it is over. */
export interface FollowedJob {
  /** As it was last seen, if it was. */
  job: JobView | undefined;
  /** Why the last poll told nothing. */
  pollError?: OcrError;
}

export interface FollowOptions {
  /** `leftMs` until the wait ends; the server may hold the poll for `holdMs`. @throws OcrError */
  poll: (leftMs: number, holdMs: number) => Promise<Poll>;
  clock: Clock;
  signal: AbortSignal;
  /** From now on. */
  waitTimeoutMs: number;
  /** `Retry-After` of the 202. */
  retryAfterMs?: number | undefined;
  /** Nothing is gained by waiting before the first look: the job is an older one, or the server is known to hold polls. */
  pollsImmediately?: boolean;
  onPoll?: (job: JobView) => void;
  onPollError?: (error: OcrError) => void;
}

/**
 * Polls until the job is done or the wait ends: after 1 s, doubling to 15 s, a `Retry-After` obeyed within these, the
 * last poll at the deadline (contract, section GET /v1/ocr/jobs/{id}) or under way then. A server that holds polls may keep each until the
 * next one would be due: what it was held for is waited for already, and the job's end is known as soon as it comes.
 * A poll that fails is no failure of the job, except where the key is refused or the job is not there.
 * @throws OcrError 401-403, 404 and 410 of the service itself; LOCAL_UNAVAILABLE; the signal's reason
 */
export async function followJob(options: FollowOptions): Promise<FollowedJob> {
  const { clock, signal } = options;
  const deadlineMs = clock.monotonicMs() + options.waitTimeoutMs;
  let last: FollowedJob = { job: undefined };
  let stepMs = FIRST_WAIT_MS;
  let askedMs = options.retryAfterMs;
  let heldMs = 0;
  let mayHold = true;
  let isFirst = options.pollsImmediately === true;
  const nextWaitMs = () => (askedMs === undefined ? stepMs : Math.min(MAX_WAIT_MS, Math.max(FIRST_WAIT_MS, askedMs)));
  for (;;) {
    if (!isFirst) {
      const waitMs = nextWaitMs() - heldMs;
      stepMs = Math.min(MAX_WAIT_MS, stepMs * 2);
      await clock.sleep(Math.max(0, Math.min(waitMs, deadlineMs - clock.monotonicMs())), signal);
    }
    isFirst = false;
    signal.throwIfAborted();
    const sentAtMs = clock.monotonicMs();
    // A timer may be early by less than a millisecond.
    const leftMs = Math.max(0, Math.floor(deadlineMs - sentAtMs));
    // Also one that takes until the deadline or longer: nothing is left to wait for.
    const isLastPoll = () => leftMs === 0 || clock.monotonicMs() >= deadlineMs;
    heldMs = 0;
    try {
      const { job, retryAfterMs, wasHeld } = await options.poll(leftMs, mayHold ? Math.min(nextWaitMs(), leftMs) : 0);
      if (wasHeld) heldMs = clock.monotonicMs() - sentAtMs;
      last = { job };
      askedMs = retryAfterMs;
      options.onPoll?.(job);
      if (isTerminal(job.status)) return last;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof OcrError) || endsWait(error)) throw error;
      askedMs = undefined;
      // Something on the way may cut what is silent for long, and would cut the next one as well.
      mayHold = false;
      last = { ...last, pollError: error };
      if (!isLastPoll()) options.onPollError?.(error);
    }
    if (isLastPoll()) return last;
  }
}

function endsWait(error: OcrError): boolean {
  const { status } = error;
  // Without a status it was found on this side: the network may come back, a service that cannot be started will not.
  if (status === undefined) return error.code !== 'UNREACHABLE' && error.code !== 'TIMEOUT';
  return (status >= 401 && status <= 403) || isGone(error);
}
