import type { Clock } from '../../contract/clock.js';
import type { OcrError } from '../../contract/ocr-error.js';
import { jobPath, type Outcome } from '../../contract/outcome.js';
import { badResponse } from '../http/answer.js';
import type { Calls, RetryHooks } from '../http/calls.js';
import type { Http } from '../http/http.js';
import { parseRetryAfterMs } from '../http/retry.js';
import type { Poll } from './follow-job.js';
import { type KnownJob, outcomeOf } from './outcome-of.js';
import { type JobView, readJob } from './read-job.js';
import type { SharedProgress } from './wait-deadline.js';

/** Time that the last poll has beyond the end of the wait: it is sent when the wait ends. */
const LAST_POLL_MS = 2_500;

export interface WaitRequest {
  jobId: string;
  /** Longest time without progress of the job. */
  waitTimeoutMs: number;
  /** Monotonic milliseconds from which it counts at first; now if absent. */
  countsFromMs?: number | undefined;
  /** The progress of the command's jobs together. */
  shared?: SharedProgress | undefined;
  retryAfterMs?: number | undefined;
  pollsImmediately?: boolean;
  /** Facts from the ledger, for servers whose job bodies do not repeat them. */
  known?: KnownJob;
  onPoll?: (job: JobView) => void;
  onPollError?: (error: OcrError) => void;
}

export interface JobsClientOptions {
  http: Http;
  calls: Calls;
  clock: Clock;
  signal: AbortSignal;
  /** Longest time without progress. */
  timeoutMs: number;
}

/** The calls about one job: see ApiClient. */
export interface JobsClient {
  getJob(jobId: string, options?: { isBestEffort?: boolean; onRetry?: RetryHooks['onRetry'] }): Promise<JobView>;
  wait(request: WaitRequest): Promise<Outcome>;
}

export function createJobsClient({ http, calls, clock, signal, timeoutMs }: JobsClientOptions): JobsClient {
  /** Asks the server to hold the poll for the whole seconds of `holdMs`, and gives it the usual time on top. */
  async function poll(jobId: string, leftMs = Number.POSITIVE_INFINITY, holdMs = 0): Promise<Poll> {
    const holdS = Math.floor(holdMs / 1_000);
    const { answer, body, origin } = await calls.getObject(jobPath(jobId), {
      // A poll that stalls must not stretch the wait far beyond its end.
      timeoutMs: Math.min(timeoutMs + holdS * 1_000, leftMs + LAST_POLL_MS),
      headers: holdS === 0 ? {} : { prefer: `wait=${holdS}` },
    });
    const job = readJob(body);
    if (job === undefined) throw badResponse(answer, origin, undefined, 'a job without a status');
    return {
      job,
      retryAfterMs: parseRetryAfterMs(answer.headers, clock.now()),
      wasHeld: /(?:^|,)\s*wait\s*=/i.test(answer.headers['preference-applied'] ?? ''),
    };
  }

  return {
    async getJob(jobId, { isBestEffort = false, onRetry } = {}) {
      const attempt = async () => (await poll(jobId)).job;
      return await (isBestEffort ? calls.once(attempt) : calls.retrying(attempt, { onRetry }));
    },
    async wait({ jobId, known = {}, ...request }) {
      const { followJob } = await import('./follow-job.js');
      const { isOnThisMachine = false } = await http.endpoint();
      const { job, pollError, hasProgressed } = await followJob({
        ...request,
        pollsImmediately: isOnThisMachine || request.pollsImmediately === true,
        clock,
        signal,
        poll: (leftMs, holdMs) => calls.once(() => poll(jobId, leftMs, holdMs)),
      });
      const outcome = outcomeOf(job, jobId, known);
      if (outcome.state !== 'pending') return outcome;
      return { ...outcome, hasProgressed, ...(pollError === undefined ? {} : { pollError }) };
    },
  };
}
