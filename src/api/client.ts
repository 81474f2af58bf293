import type { Clock } from '../contract/clock.js';
import type { Endpoint } from '../contract/endpoint.js';
import { OcrError } from '../contract/ocr-error.js';
import { type Completed, jobPath, type Outcome, type Pending } from '../contract/outcome.js';
import { formatClock } from '../contract/time.js';
import type { CatalogCache } from './catalog/catalog-cache.js';
import { type CatalogFunction, readCatalog, readExtensions } from './catalog/read-catalog.js';
import { type Answer, badResponse, failureOf, readObject } from './http/answer.js';
import { CallFailure } from './http/call-failure.js';
import { createHttp, type HttpOptions, type HttpRequest } from './http/http.js';
import { createMultipartBody, type FileToSend } from './http/multipart.js';
import type { Pace } from './http/pace.js';
import { parseRetryAfterMs, refusesForLong, withRetries } from './http/retry.js';
import type { Poll } from './jobs/follow-job.js';
import { type JobView, readJob, toCompleted } from './jobs/read-job.js';

/** What a poll is given beyond the end of the wait, for the last one goes out at its end. */
const LAST_POLL_MS = 2_500;

export interface SubmitRequest {
  file: FileToSend;
  function: string;
  args: Record<string, unknown>;
  idempotencyKey: string;
  /** Shared by the uploads of a batch: a 429 of one slows all. */
  pace?: Pace;
  /** Asks for a job at once: `Prefer: respond-async` (RFC 7240). */
  isAsync: boolean;
  /** Told why it is sent again, and when (Unix milliseconds); of a 429 the pace tells. */
  onRetry?: ((error: OcrError, untilMs: number) => void) | undefined;
  /** Told in each attempt that has a connection, before the first byte of the document goes out. */
  onSend?: (() => void) | undefined;
}

/** What a submission was answered with. */
export type Submitted = (Completed | Pending) & { retryAfterMs: number | undefined };

export interface WaitRequest {
  jobId: string;
  waitTimeoutMs: number;
  retryAfterMs?: number | undefined;
  pollsAtOnce?: boolean;
  /** What the ledger knows, for servers whose job bodies do not repeat it. */
  known?: { requestId?: string; function?: string; statusUrl?: string; status?: string };
  onPoll?: (job: JobView) => void;
  onPollError?: (error: OcrError) => void;
}

export interface ApiClient {
  endpoint(): Promise<Endpoint>;
  /** Sends with retries. @throws OcrError */
  submit(request: SubmitRequest): Promise<Submitted>;
  /** One look, with retries unless `isBestEffort`. @throws OcrError */
  getJob(jobId: string, options?: { isBestEffort?: boolean; onRetry?: SubmitRequest['onRetry'] }): Promise<JobView>;
  /** Follows a job to its end or the end of the wait. @throws OcrError as followJob */
  wait(request: WaitRequest): Promise<Outcome>;
  /**
   * Asked for each time, answered with 304 where it is still the one that is kept. `isBestEffort`: without retries, and
   * with the one that is kept where it cannot be asked for.
   * @throws OcrError
   */
  getCatalog(options?: { isBestEffort?: boolean }): Promise<CatalogFunction[]>;
  /**
   * The service's own log entry of a request; undefined where its catalog does not name that extension of the contract.
   * @throws OcrError, NOT_FOUND for what is not this organisation's
   */
  getRequest(requestId: string): Promise<Record<string, unknown> | undefined>;
  close(): Promise<void>;
}

export interface ClientOptions extends HttpOptions {
  clock: Clock;
  catalogCache?: CatalogCache;
  /** Begins a line that says why a call takes long. */
  showRetries?: () => Promise<RetryLine>;
}

export interface RetryLine {
  update(text: string): void;
  stop(): Promise<void>;
}

export function createClient(options: ClientOptions): ApiClient {
  const { clock, signal, debug, catalogCache } = options;
  const http = createHttp(options);

  async function get(
    path: string,
    how: Pick<HttpRequest, 'headers' | 'timeoutMs'> = {},
  ): Promise<{ answer: Answer; body: Record<string, unknown>; origin: string }> {
    const { answer, endpoint } = await http.send({ method: 'GET', path, ...how });
    const { origin } = new URL(endpoint.baseUrl);
    if (answer.status !== 200) throw failureOf(answer, origin, clock.now());
    return { answer, body: readObject(answer, origin), origin };
  }

  /** Without `functions` where it is still the one of that ETag. */
  async function askForCatalog(etag?: string) {
    const headers = etag === undefined ? {} : { 'if-none-match': etag };
    const { answer, endpoint } = await http.send({ method: 'GET', path: '/v1/ocr/functions', headers });
    const { origin } = new URL(endpoint.baseUrl);
    if (answer.status === 304 && etag !== undefined) return { answer, endpoint, functions: undefined };
    // Every service has one.
    if (answer.status === 404) throw badResponse(answer, origin, undefined, 'no catalog of functions');
    if (answer.status !== 200) throw failureOf(answer, origin, clock.now());
    const functions = readCatalog(answer.text);
    if (functions === undefined) throw badResponse(answer, origin, undefined, 'a catalog of an unknown form');
    return { answer, endpoint, functions };
  }

  /** The server is asked to hold it for the whole seconds of `holdMs`, and given the usual time on top. */
  async function poll(jobId: string, leftMs = Number.POSITIVE_INFINITY, holdMs = 0): Promise<Poll> {
    const holdS = Math.floor(holdMs / 1_000);
    // One that stalls must not stretch the wait far beyond its end.
    const timeoutMs = Math.min(options.timeoutMs + holdS * 1_000, leftMs + LAST_POLL_MS);
    const headers = holdS === 0 ? {} : { prefer: `wait=${holdS}` };
    const { answer, body, origin } = await get(jobPath(jobId), { timeoutMs, headers });
    const job = readJob(body);
    if (job === undefined) throw badResponse(answer, origin, undefined, 'a job without a status');
    return {
      job,
      retryAfterMs: parseRetryAfterMs(answer.headers, clock.now()),
      wasHeld: /(?:^|,)\s*wait\s*=/i.test(answer.headers['preference-applied'] ?? ''),
    };
  }

  async function readCached(): Promise<{ etag: string | undefined; functions: CatalogFunction[] } | undefined> {
    const cached = await catalogCache?.read(await http.endpoint());
    const functions = cached === undefined ? undefined : readCatalog(cached.text);
    return functions === undefined ? undefined : { etag: cached?.etag, functions };
  }

  const once = async <T>(attempt: () => Promise<T>): Promise<T> => {
    try {
      return await attempt();
    } catch (failure) {
      throw failure instanceof CallFailure ? failure.error : failure;
    }
  };

  /** Without an `onRetry` of its own a call that is repeated has a line of progress. */
  async function retrying<T>(attempt: () => Promise<T>, how: Partial<SubmitRequest> = {}): Promise<T> {
    const { pace } = how;
    let line: RetryLine | undefined;
    const tell = async ({ message }: OcrError, untilMs: number) => {
      line ??= await options.showRetries?.();
      line?.update(`asking again at ${formatClock(untilMs)}: ${message}`);
    };
    const { onRetry = tell } = how;
    try {
      return await withRetries(attempt, {
        clock,
        signal,
        onRetry: ({ message }, delayMs) => debug(`again in ${Math.round(delayMs)} ms: ${message}`),
        onEnd(failure) {
          if (refusesForLong(failure)) pace?.end(failure.error);
        },
        async wait({ error }, delayMs) {
          // The pace is waited for before the next attempt, this one's and every other's.
          if (error.status === 429 && pace !== undefined) return pace.slow(delayMs);
          await onRetry(error, clock.now() + delayMs);
          await clock.sleep(delayMs, signal);
        },
      });
    } finally {
      await line?.stop();
    }
  }

  return {
    endpoint: http.endpoint,
    async submit(request) {
      const path = `/v1/ocr/${encodeURIComponent(request.function)}`;
      const headers = {
        'idempotency-key': request.idempotencyKey,
        ...(request.isAsync ? { prefer: 'respond-async' } : {}),
      };
      return await retrying(async () => {
        await request.pace?.turn();
        const body = createMultipartBody(request.file, request.args, request.onSend);
        const { answer, endpoint } = await http.send({ method: 'POST', path, headers, body });
        const { origin } = new URL(endpoint.baseUrl);
        if (answer.status !== 200 && answer.status !== 202) throw failureOf(answer, origin, clock.now());
        const retryAfterMs = parseRetryAfterMs(answer.headers, clock.now());
        return { ...readSubmitted(answer, origin), retryAfterMs };
      }, request);
    },
    async getJob(jobId, { isBestEffort = false, onRetry } = {}) {
      const look = async () => (await poll(jobId)).job;
      return await (isBestEffort ? once(look) : retrying(look, { onRetry }));
    },
    async wait({ jobId, known = {}, ...request }) {
      const { followJob } = await import('./jobs/follow-job.js');
      const { isOnThisMachine = false } = await http.endpoint();
      const { job, pollError } = await followJob({
        ...request,
        pollsAtOnce: isOnThisMachine || request.pollsAtOnce === true,
        clock,
        signal,
        poll: (leftMs, holdMs) => once(() => poll(jobId, leftMs, holdMs)),
      });
      const outcome = outcomeOf(job, jobId, known);
      return outcome.state !== 'pending' || pollError === undefined ? outcome : { ...outcome, pollError };
    },
    async getCatalog({ isBestEffort = false } = {}) {
      const cached = await readCached();
      const attempt = async () => {
        const { answer, endpoint, functions } = await askForCatalog(cached?.etag);
        if (functions === undefined) return cached?.functions ?? [];
        await catalogCache?.write(endpoint, { etag: answer.headers.etag, text: answer.text });
        return functions;
      };
      if (!isBestEffort) return await retrying(attempt);
      try {
        return await once(attempt);
      } catch (error) {
        if (cached === undefined || signal.aborted || !(error instanceof OcrError)) throw error;
        debug(`the catalog of an earlier command is used: ${error.message}`);
        return cached.functions;
      }
    },
    async getRequest(requestId) {
      return await retrying(async () => {
        const { answer } = await askForCatalog();
        if (!readExtensions(answer.text).includes('requests')) return undefined;
        return (await get(`/v1/ocr/requests/${encodeURIComponent(requestId)}`)).body;
      });
    },
    close: http.close,
  };
}

/** What stands at the top, or one level down on servers that wrap their answers. @throws CallFailure */
function readSubmitted(answer: Answer, origin: string): Completed | Pending {
  const body = readObject(answer, origin);
  const inner = (name: string): unknown =>
    [body, body.data, body.job].map((level) => (level as Record<string, unknown> | undefined)?.[name]).find(Boolean);
  const text = (name: string): string | undefined => {
    const value = inner(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  if (answer.status === 200) {
    const result = inner('result');
    if (typeof result !== 'object' || result === null) throw badResponse(answer, origin, undefined, 'no result in it');
    return { state: 'completed', body: { ...body, result } };
  }
  const jobId = text('jobId');
  if (jobId === undefined) throw badResponse(answer, origin, undefined, 'no jobId in it');
  return {
    state: 'pending',
    jobId,
    requestId: text('requestId') ?? answer.headers['x-request-id'],
    status: text('status') ?? 'queued',
    statusUrl: text('statusUrl') ?? jobPath(jobId),
  };
}

/** @throws OcrError BAD_RESPONSE of a job that completed without a result */
export function outcomeOf(job: JobView | undefined, jobId: string, known: NonNullable<WaitRequest['known']>): Outcome {
  const requestId = job?.requestId ?? known.requestId;
  if (job?.status === 'completed') {
    if (job.result !== undefined) return toCompleted(job, { ...known, jobId });
    throw new OcrError('BAD_RESPONSE', `The job ${jobId} completed, but its answer holds no result`, { requestId });
  }
  if (job?.status === 'failed') {
    const { code, message, retryable } = job.error ?? {
      code: 'JOB_FAILED',
      message: `The job ${jobId} failed`,
      retryable: false,
    };
    return { state: 'failed', jobId, error: new OcrError(code, message, { requestId, retryable }) };
  }
  return {
    state: 'pending',
    jobId,
    requestId,
    status: job?.status ?? known.status ?? 'queued',
    statusUrl: known.statusUrl ?? jobPath(jobId),
  };
}
