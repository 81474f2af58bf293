import type { Clock } from '../../contract/clock.js';
import { CallFailure } from './call-failure.js';

const MAX_RETRIES = 5;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** Longest `Retry-After` that is obeyed: a service that asks for more says that waiting is of no use. */
const MAX_RETRY_AFTER_MS = 60_000;
/** Bound on `Retry-After`, a hundred years: a Date cannot hold much more. */
const MAX_TIME_MS = 100 * 365 * 86_400_000;
/** Statuses after which the same request may succeed. 408: it did not arrive in time (RFC 9110, section 15.5.9). */
const TRANSIENT_STATUS = new Set([408, 429, 502, 503, 504]);

/** True when the same request may succeed later, judged by the status alone. */
export function isTransient(status: number): boolean {
  return TRANSIENT_STATUS.has(status);
}

/** True when the service refuses for so long that it would refuse another document too: an hour, the end of a period. */
export function refusesForLong({ error, retryAfterMs }: CallFailure): boolean {
  if (error.status !== 429) return false;
  return retryAfterMs === undefined ? error.code === 'QUOTA_EXCEEDED' : retryAfterMs > MAX_RETRY_AFTER_MS;
}

/** Returns the milliseconds to wait before retry number `retry` (0 is the first); undefined where none may follow. */
export function retryDelayMs(failure: CallFailure, retry: number, random: () => number): number | undefined {
  if (retry >= MAX_RETRIES || !mayRepeat(failure)) return undefined;
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined) return retryAfterMs <= MAX_RETRY_AFTER_MS ? retryAfterMs : undefined;
  return random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** retry);
}

/** True when the failure may pass by itself, so that the same request may be sent again. */
export function mayRepeat({ kind, error, statedRetryable, retryAfterMs }: CallFailure): boolean {
  if (kind === 'permanent') return false;
  if (kind === 'connection' || kind === 'timeout') return true;
  if (statedRetryable === false) return false;
  // An exhausted allowance comes back with the next period: a retry pays only where the answer says when.
  if (error.code === 'QUOTA_EXCEEDED') return retryAfterMs !== undefined;
  return statedRetryable === true || isTransient(error.status ?? 0);
}

export interface RetryOptions {
  clock: Clock;
  signal: AbortSignal;
  random?: () => number;
  onRetry?: (failure: CallFailure, delayMs: number) => void;
  /** Called with the last failure before it is thrown. */
  onEnd?: (failure: CallFailure) => void;
  /** Replaces the sleep for the delay. */
  wait?: (failure: CallFailure, delayMs: number) => Promise<void>;
}

/** Repeats an attempt by the schedule of retryDelayMs. @throws OcrError of the last attempt */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let retry = 0; ; retry++) {
    try {
      return await attempt();
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure;
      const delayMs = retryDelayMs(failure, retry, options.random ?? Math.random);
      if (delayMs === undefined) {
        options.onEnd?.(failure);
        throw failure.error;
      }
      options.onRetry?.(failure, delayMs);
      if (options.wait === undefined) await options.clock.sleep(delayMs, options.signal);
      else await options.wait(failure, delayMs);
    }
  }
}

/** Reads `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3), by the server's clock where the answer has a `Date`. */
export function parseRetryAfterMs(
  headers: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): number | undefined {
  const header = headers['retry-after'];
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Math.min(Number(header) * 1_000, MAX_TIME_MS);
  const untilMs = Date.parse(header);
  const sentAtMs = Date.parse(headers.date ?? '');
  if (Number.isNaN(untilMs)) return undefined;
  return Math.min(Math.max(0, untilMs - (Number.isNaN(sentAtMs) ? nowMs : sentAtMs)), MAX_TIME_MS);
}
