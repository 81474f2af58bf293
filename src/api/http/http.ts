import type { Dispatcher } from 'undici';
import type { Endpoint, LocateService } from '../../contract/endpoint.js';
import type { Answer } from './answer.js';
import { CallFailure } from './call-failure.js';
import { createDispatcher } from './dispatcher.js';
import { exchange, type HttpRequest } from './exchange.js';
import { readProxy } from './read-proxy.js';

/** Answer headers that --debug shows. A list of headers to hide instead would never be complete. */
const SHOWN_HEADERS = [
  'content-type',
  'content-length',
  'retry-after',
  'preference-applied',
  'idempotency-key',
  'ratelimit-remaining',
];

export interface Http {
  /** Makes one attempt; any status is an answer. @throws CallFailure, or the signal's reason */
  send(request: HttpRequest): Promise<{ answer: Answer; endpoint: Endpoint }>;
  endpoint(): Promise<Endpoint>;
  close(): Promise<void>;
}

export interface HttpOptions {
  locate: LocateService;
  env: NodeJS.ProcessEnv;
  /** Longest time without progress. */
  timeoutMs: number;
  userAgent: string;
  signal: AbortSignal;
  debug: (message: string) => void;
}

/** The one way to a service. Connections live as long as the command. */
export function createHttp(options: HttpOptions): Http {
  let located: Promise<Endpoint> | undefined;
  let dispatcher: Dispatcher | undefined;

  const endpoint = (): Promise<Endpoint> => {
    if (located === undefined) {
      located = options.locate();
      // A service that could not be started may start for the next call.
      located.catch(() => {
        located = undefined;
      });
    }
    return located;
  };

  /** Locates the service again; undefined where its endpoint is the same. */
  async function locateAgain(after: Endpoint): Promise<Endpoint | undefined> {
    const next = await options.locate(after);
    located = Promise.resolve(next);
    return next.baseUrl === after.baseUrl && next.apiKey === after.apiKey ? undefined : next;
  }

  async function close(): Promise<void> {
    const open = dispatcher;
    dispatcher = undefined;
    await open?.destroy().catch(() => {});
  }

  async function attempt(target: Endpoint, request: HttpRequest): Promise<Answer> {
    // The service on this machine may listen on a network address: a proxy must not see its documents.
    const proxy = target.isOnThisMachine ? undefined : readProxy(options.env, target.baseUrl);
    dispatcher ??= createDispatcher(proxy, options.timeoutMs);
    const startedAtMs = performance.now();
    const { signal = options.signal } = request;
    const answer = await exchange(dispatcher, target, request, { ...options, signal, proxy: proxy?.shown });
    options.debug(describeExchange(target, request, answer, performance.now() - startedAtMs));
    return answer;
  }

  return {
    endpoint,
    async send(request) {
      let target = await endpoint();
      try {
        const answer = await attempt(target, request);
        // The service on this machine may have been replaced by one with another data directory's key.
        const next = answer.status === 401 ? await locateAgain(target) : undefined;
        if (next === undefined) return { answer, endpoint: target };
        target = next;
      } catch (failure) {
        if (failure instanceof CallFailure) options.debug(`${request.method} ${request.path}: ${failure.message}`);
        if (!(failure instanceof CallFailure) || failure.kind !== 'connection') throw failure;
        const next = await locateAgain(target);
        if (next === undefined) throw failure;
        target = next;
      }
      await close();
      return { answer: await attempt(target, request), endpoint: target };
    },
    close,
  };
}

function describeExchange(target: Endpoint, request: HttpRequest, answer: Answer, ms: number): string {
  const { status, headers } = answer;
  const call = `${request.method} ${target.baseUrl}${request.path}`;
  const shown = SHOWN_HEADERS.flatMap((name) => (headers[name] ? [`${name}: ${headers[name]}`] : []));
  return [call, status, `${Math.round(ms)} ms`, requestIdOf(answer), ...shown]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** Bound on the part of a body that is searched for a request's id: a result may be long. */
const MAX_SEARCHED_LENGTH = 4_096;

/** The request's id in the header, or else in the body, where the contract has it. */
function requestIdOf({ headers, text }: Answer): string | undefined {
  const inBody = () => /"requestId"\s*:\s*"([^"\\]{1,100})"/.exec(text.slice(0, MAX_SEARCHED_LENGTH))?.[1];
  return headers['x-request-id'] ?? inBody();
}
