import type { Endpoint } from '../../contract/endpoint.js';
import { OcrError } from '../../contract/ocr-error.js';
import { jobPath } from '../../contract/outcome.js';
import { type Answer, badResponse, failureOf } from '../http/answer.js';
import type { Calls } from '../http/calls.js';
import type { Http } from '../http/http.js';
import { type JobView, readJob } from '../jobs/read-job.js';
import type { CatalogCache } from './catalog-cache.js';
import { type CatalogFunction, readCatalog, readExtensions } from './read-catalog.js';

export interface CatalogClientOptions {
  http: Http;
  calls: Calls;
  now: () => number;
  signal: AbortSignal;
  debug: (message: string) => void;
  cache?: CatalogCache | undefined;
}

/** The calls that need the service's catalog: see ApiClient. */
export interface CatalogClient {
  getCatalog(options?: { isBestEffort?: boolean }): Promise<CatalogFunction[]>;
  getRequest(requestId: string): Promise<Record<string, unknown> | undefined>;
  getUsage(): Promise<Record<string, unknown>>;
  removeJob(jobId: string, options: RemovalOptions): Promise<JobView>;
  /** @throws OcrError UNSUPPORTED where the catalog does not name the addition */
  requireExtension(name: string, ability: string): Promise<void>;
}

export interface RemovalOptions {
  /** True when a finished job is to stay as it is. */
  unfinishedOnly: boolean;
}

interface FetchedCatalog {
  answer: Answer;
  endpoint: Endpoint;
  /** Undefined where the catalog is still the one of the given ETag. */
  functions: CatalogFunction[] | undefined;
}

export function createCatalogClient({ http, calls, now, signal, debug, cache }: CatalogClientOptions): CatalogClient {
  async function fetchCatalog(etag?: string): Promise<FetchedCatalog> {
    const headers = etag === undefined ? {} : { 'if-none-match': etag };
    const { answer, endpoint } = await http.send({ method: 'GET', path: '/v1/ocr/functions', headers });
    const { origin } = new URL(endpoint.baseUrl);
    if (answer.status === 304 && etag !== undefined) return { answer, endpoint, functions: undefined };
    // Every service has a catalog: what answers 404 is no service.
    if (answer.status === 404) throw badResponse(answer, origin, undefined, 'no catalog of functions');
    if (answer.status !== 200) throw failureOf(answer, origin, now());
    const functions = readCatalog(answer.text);
    if (functions === undefined) throw badResponse(answer, origin, undefined, 'a catalog of an unknown form');
    return { answer, endpoint, functions };
  }

  async function readCached(): Promise<{ etag: string | undefined; functions: CatalogFunction[] } | undefined> {
    const cached = await cache?.read(await http.endpoint());
    const functions = cached === undefined ? undefined : readCatalog(cached.text);
    return functions === undefined ? undefined : { etag: cached?.etag, functions };
  }

  /** Names that the catalog had; a command asks once. */
  let extensions: string[] | undefined;

  async function hasExtension(name: string): Promise<boolean> {
    extensions ??= readExtensions((await fetchCatalog()).answer.text);
    return extensions.includes(name);
  }

  /** @throws OcrError UNSUPPORTED, before the addition is asked for, where the catalog does not name it */
  async function requireExtension(name: string, ability: string): Promise<void> {
    if (!(await hasExtension(name))) throw new OcrError('UNSUPPORTED', `this service cannot ${ability}`);
  }

  return {
    requireExtension: (name, ability) => calls.retrying(() => requireExtension(name, ability)),
    async getCatalog({ isBestEffort = false } = {}) {
      const cached = await readCached();
      const attempt = async () => {
        const { answer, endpoint, functions } = await fetchCatalog(cached?.etag);
        if (functions === undefined) return cached?.functions ?? [];
        await cache?.write(endpoint, { etag: answer.headers.etag, text: answer.text });
        return functions;
      };
      if (!isBestEffort) return await calls.retrying(attempt);
      try {
        return await calls.once(attempt);
      } catch (error) {
        if (cached === undefined || signal.aborted || !(error instanceof OcrError)) throw error;
        debug(`the catalog of an earlier command is used: ${error.message}`);
        return cached.functions;
      }
    },
    async getRequest(requestId) {
      return await calls.retrying(async () => {
        if (!(await hasExtension('requests'))) return undefined;
        return (await calls.getObject(`/v1/ocr/requests/${encodeURIComponent(requestId)}`)).body;
      });
    },
    async getUsage() {
      return await calls.retrying(async () => {
        await requireExtension('usage', 'say what was used');
        return (await calls.getObject('/v1/ocr/usage')).body;
      });
    },
    async removeJob(jobId, { unfinishedOnly }) {
      return await calls.retrying(async () => {
        await requireExtension('jobs.delete', unfinishedOnly ? 'cancel jobs' : 'cancel jobs or delete them');
        const { answer, body, origin } = await calls.getObject(jobPath(jobId), {
          method: 'DELETE',
          headers: unfinishedOnly ? { prefer: 'if-unfinished' } : {},
        });
        const job = readJob(body);
        if (job === undefined) throw badResponse(answer, origin, undefined, 'a job without a status');
        return job;
      });
    },
  };
}
