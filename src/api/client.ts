import type { Clock } from '../contract/clock.js';
import type { Endpoint } from '../contract/endpoint.js';
import type { Outcome } from '../contract/outcome.js';
import type { CatalogCache } from './catalog/catalog-cache.js';
import type { CatalogClient, RemovalOptions } from './catalog/catalog-client.js';
import type { CatalogFunction } from './catalog/read-catalog.js';
import type { FollowEventsOptions } from './events/follow-events.js';
import { createCalls, type RetryHooks, type RetryLine } from './http/calls.js';
import { createHttp, type Http, type HttpOptions } from './http/http.js';
import type { JobsClient, WaitRequest } from './jobs/jobs-client.js';
import type { JobView } from './jobs/read-job.js';
import { type SubmitRequest, type Submitted, submit } from './jobs/submit.js';

export interface ApiClient {
  endpoint(): Promise<Endpoint>;
  /** Sends a document, with retries. @throws OcrError */
  submit(request: SubmitRequest): Promise<Submitted>;
  /** Asks for a job once, with retries unless `isBestEffort`. @throws OcrError */
  getJob(jobId: string, options?: { isBestEffort?: boolean; onRetry?: RetryHooks['onRetry'] }): Promise<JobView>;
  /** Follows a job until it ends or the wait does. @throws OcrError as followJob */
  wait(request: WaitRequest): Promise<Outcome>;
  /**
   * Asks for the catalog each time; the service answers 304 where the cached one is current. `isBestEffort`: without
   * retries, and with the cached catalog where the service does not answer.
   * @throws OcrError
   */
  getCatalog(options?: { isBestEffort?: boolean }): Promise<CatalogFunction[]>;
  /**
   * Returns the service's own log entry of a request; undefined where its catalog does not name that extension of the
   * contract.
   * @throws OcrError; NOT_FOUND for a request of another organisation
   */
  getRequest(requestId: string): Promise<Record<string, unknown> | undefined>;
  /** Returns what the organisation has used of its plan. @throws OcrError UNSUPPORTED where the catalog does not name it */
  getUsage(): Promise<Record<string, unknown>>;
  /** @throws OcrError UNSUPPORTED, "this service cannot" and the ability, where the catalog does not name it */
  requireJobRemoval(ability: string): Promise<void>;
  /**
   * Cancels an unfinished job, or deletes a finished one unless only an unfinished one is to end. Returns the job.
   * @throws OcrError UNSUPPORTED as requireJobRemoval
   */
  removeJob(jobId: string, options: RemovalOptions): Promise<JobView>;
  /**
   * Follows the organisation's events until the signal is aborted, across broken connections and restarts of the service.
   * @throws OcrError UNSUPPORTED where the catalog does not name that addition; a refusal; the signal's reason
   */
  followEvents(options: FollowEventsOptions): Promise<never>;
  /** Returns a client whose calls end with this signal, over the same connections. */
  withSignal(signal: AbortSignal): ApiClient;
  close(): Promise<void>;
}

export interface ClientOptions extends HttpOptions {
  clock: Clock;
  catalogCache?: CatalogCache;
  /** Begins a progress line that says why a call takes long. */
  showRetries?: () => Promise<RetryLine>;
}

export function createClient(options: ClientOptions): ApiClient {
  return createClientOver(createHttp(options), options);
}

function createClientOver(http: Http, options: ClientOptions): ApiClient {
  const { clock, signal, debug, timeoutMs } = options;
  const now = () => clock.now();
  const calls = createCalls({ http, clock, signal, debug, showRetries: options.showRetries });
  // A document that is answered at once needs neither jobs nor the catalog: both load on first use.
  let jobsClient: Promise<JobsClient> | undefined;
  const jobs = () => {
    jobsClient ??= import('./jobs/jobs-client.js').then(({ createJobsClient }) =>
      createJobsClient({ http, calls, clock, signal, timeoutMs }),
    );
    return jobsClient;
  };
  let catalogClient: Promise<CatalogClient> | undefined;
  const catalog = () => {
    catalogClient ??= import('./catalog/catalog-client.js').then(({ createCatalogClient }) =>
      createCatalogClient({ http, calls, now, signal, debug, cache: options.catalogCache }),
    );
    return catalogClient;
  };
  return {
    endpoint: http.endpoint,
    submit: (request) => submit(request, { http, calls, now }),
    getJob: async (jobId, how) => await (await jobs()).getJob(jobId, how),
    wait: async (request) => await (await jobs()).wait(request),
    getCatalog: async (how) => await (await catalog()).getCatalog(how),
    getRequest: async (requestId) => await (await catalog()).getRequest(requestId),
    getUsage: async () => await (await catalog()).getUsage(),
    requireJobRemoval: async (ability) => await (await catalog()).requireExtension('jobs.delete', ability),
    removeJob: async (jobId, how) => await (await catalog()).removeJob(jobId, how),
    async followEvents(how) {
      await (await catalog()).requireExtension('events', 'send events');
      const { followEvents } = await import('./events/follow-events.js');
      return await followEvents({ http, clock, signal, ...how });
    },
    withSignal(own) {
      const send: Http['send'] = (request) => http.send({ ...request, signal: own });
      return createClientOver({ ...http, send }, { ...options, signal: own });
    },
    close: http.close,
  };
}
