import type { Clock } from '../../contract/clock.js';
import type { OcrError } from '../../contract/ocr-error.js';
import { formatClock } from '../../contract/time.js';
import { type Answer, failureOf, readObject } from './answer.js';
import { CallFailure } from './call-failure.js';
import type { HttpRequest } from './exchange.js';
import type { Http } from './http.js';
import type { Pace } from './pace.js';
import { refusesForLong, withRetries } from './retry.js';

/** A progress line that says why a call takes long. */
export interface RetryLine {
  update(text: string): void;
  stop(): Promise<void>;
}

export interface CallsOptions {
  http: Http;
  clock: Clock;
  signal: AbortSignal;
  debug: (message: string) => void;
  showRetries?: (() => Promise<RetryLine>) | undefined;
}

export interface RetryHooks {
  /** The pace that a 429 slows, for this call and for all that share it. */
  pace?: Pace | undefined;
  /** Called before a wait, with its reason and its end (Unix milliseconds); a 429 that the pace handles does not call it. */
  onRetry?: ((error: OcrError, untilMs: number) => unknown) | undefined;
}

/** The ways to call the service: the client's parts send nothing in any other way. */
export interface Calls {
  /** Returns the object of a 200. @throws CallFailure for any other answer */
  getObject(
    path: string,
    request?: Partial<Pick<HttpRequest, 'method' | 'headers' | 'timeoutMs'>>,
  ): Promise<{ answer: Answer; body: Record<string, unknown>; origin: string }>;
  /** Makes one attempt. @throws OcrError */
  once<T>(attempt: () => Promise<T>): Promise<T>;
  /** Repeats an attempt; without `onRetry` a progress line says why. @throws OcrError of the last attempt */
  retrying<T>(attempt: () => Promise<T>, hooks?: RetryHooks): Promise<T>;
}

export function createCalls({ http, clock, signal, debug, showRetries }: CallsOptions): Calls {
  return {
    async getObject(path, request = {}) {
      const { answer, endpoint } = await http.send({ method: 'GET', path, ...request });
      const { origin } = new URL(endpoint.baseUrl);
      if (answer.status !== 200) throw failureOf(answer, origin, clock.now());
      return { answer, body: readObject(answer, origin), origin };
    },
    async once(attempt) {
      try {
        return await attempt();
      } catch (failure) {
        throw failure instanceof CallFailure ? failure.error : failure;
      }
    },
    async retrying(attempt, hooks = {}) {
      const { pace } = hooks;
      let line: RetryLine | undefined;
      const showLine = async ({ message }: OcrError, untilMs: number) => {
        line ??= await showRetries?.();
        line?.update(`asking again at ${formatClock(untilMs)}: ${message}`);
      };
      const { onRetry = showLine } = hooks;
      try {
        return await withRetries(attempt, {
          clock,
          signal,
          onRetry: ({ message }, delayMs) => debug(`again in ${Math.round(delayMs)} ms: ${message}`),
          onEnd(failure) {
            if (refusesForLong(failure)) pace?.stop(failure.error);
          },
          async wait({ error }, delayMs) {
            // Every attempt that shares the pace waits for it before it starts, the next one of this call too.
            if (error.status === 429 && pace !== undefined) return pace.slowDown(delayMs);
            await onRetry(error, clock.now() + delayMs);
            await clock.sleep(delayMs, signal);
          },
        });
      } finally {
        await line?.stop();
      }
    },
  };
}
