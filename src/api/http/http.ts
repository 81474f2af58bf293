import { createRequire } from 'node:module';
import type * as Undici from 'undici';
import type { Dispatcher } from 'undici';
import type { Endpoint, LocateService } from '../../contract/endpoint.js';
import { OcrError } from '../../contract/ocr-error.js';
import { hideSecrets, maskApiKey } from '../../contract/secrets.js';
import { type Answer, badResponse } from './answer.js';
import { CallFailure } from './call-failure.js';
import type { MultipartBody } from './multipart.js';
import { type HttpProxy, readProxy } from './read-proxy.js';

/**
 * Only the parts of undici that a request needs, without fetch, WebSocket and caches: that costs a third of the whole
 * package. Its exact version is pinned, and it has no export map. Required, for importing CommonJS costs a scan of its exports.
 */
const require = createRequire(import.meta.url);

/**
 * Node 20 optimises undici's parser, which is WebAssembly, in the background as soon as it is loaded: 90 ms of CPU time,
 * more than the rest of a command together, for some hundred bytes to parse. Later versions wait until it is worth it.
 */
function leaveParserUnoptimised(): void {
  if (Number.parseInt(process.versions.node, 10) >= 22) return;
  const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
}

/** A shorter one is not a secret: ordinary words may contain it. */
const SHORTEST_KEY = 8;
/** Also for a tunnel through a proxy, and for TLS in it. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Code of the error that no tunnel was had; see network-error.ts. */
const NO_TUNNEL = 'NO_TUNNEL';
/** Results may hold a whole document; an answer without end must not fill the memory. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
/** What --debug shows of an answer's headers. Never the other way round: a list of what to hide is never complete. */
const SHOWN_HEADERS = [
  'content-type',
  'content-length',
  'retry-after',
  'preference-applied',
  'idempotency-key',
  'ratelimit-remaining',
];

export interface HttpRequest {
  method: 'GET' | 'POST';
  /** From `/v1` on. */
  path: string;
  headers?: Record<string, string>;
  body?: MultipartBody;
  /** Other than the usual. */
  timeoutMs?: number;
}

export interface Http {
  /** One attempt; any status is an answer. @throws CallFailure, or the signal's reason */
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
    located ??= options.locate();
    return located;
  };

  /** Asks where the service is now; undefined where it is still where it was. */
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
    // Whatever address it listens on, one of the network too: what is meant for this machine goes to no other.
    const proxy = target.isOnThisMachine ? undefined : readProxy(options.env, target.baseUrl);
    dispatcher ??= createDispatcher(proxy, options.timeoutMs);
    const startedAtMs = performance.now();
    const answer = await exchange(dispatcher, target, request, { ...options, proxy: proxy?.shown });
    const ms = Math.round(performance.now() - startedAtMs);
    const shown = SHOWN_HEADERS.flatMap((name) => (answer.headers[name] ? [`${name}: ${answer.headers[name]}`] : []));
    options.debug(
      [`${request.method} ${target.baseUrl}${request.path}`, answer.status, `${ms} ms`, answer.headers['x-request-id']]
        .concat(shown)
        .filter((part) => part !== undefined)
        .join(' · '),
    );
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

function createDispatcher(proxy: HttpProxy | undefined, timeoutMs: number): Dispatcher {
  const connect = { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) };
  const common = { connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  leaveParserUnoptimised();
  if (proxy === undefined) {
    const Agent = require('undici/lib/dispatcher/agent.js') as typeof Undici.Agent;
    return new Agent(common);
  }
  // All of it, for the agent calls methods that only the whole package gives to its clients.
  const { Pool, ProxyAgent } = require('undici') as typeof Undici;
  return new ProxyAgent({
    ...common,
    uri: proxy.url,
    // Plain http through a proxy goes as a request, not as a CONNECT that many proxies refuse for port 80.
    proxyTunnel: false,
    // Of `connect` it takes nothing, neither to reach the proxy nor for TLS with the service.
    proxyTls: connect,
    requestTls: connect,
    clientFactory: (url, options) => nameTunnelFailures(new Pool(url, { ...options, headersTimeout: connect.timeout })),
  });
}

/**
 * Where a tunnel cannot be had, undici takes a connection that ended for one of the request's own, which the next attempt
 * mends, and asks for a tunnel again at once and for ever: whatever went wrong becomes an error of another code.
 */
function nameTunnelFailures(toProxy: Undici.Pool): Undici.Pool {
  const connect = toProxy.connect.bind(toProxy) as (
    options: Dispatcher.ConnectOptions,
  ) => Promise<Dispatcher.ConnectData>;
  const connectOrName = async (options: Dispatcher.ConnectOptions) =>
    await connect(options).catch((cause: unknown) => {
      throw Object.assign(new Error('No tunnel through the proxy', { cause }), { code: NO_TUNNEL });
    });
  return Object.assign(toProxy, { connect: connectOrName });
}

async function exchange(
  dispatcher: Dispatcher,
  target: Endpoint,
  request: HttpRequest,
  options: HttpOptions & { proxy: string | undefined },
): Promise<Answer> {
  const send = require('undici/lib/api/api-request.js') as (
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ) => Promise<Dispatcher.ResponseData>;
  const { origin, pathname } = new URL(target.baseUrl);
  const prefix = pathname === '/' ? '' : pathname;
  const { body, timeoutMs = options.timeoutMs } = request;
  let failed: unknown;
  // To connect takes time too, which undici counts apart; while a body is sent there is progress.
  const late = new AbortController();
  const end = () => late.abort(Object.assign(new Error('No answer in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' }));
  const timer = body === undefined ? setTimeout(end, timeoutMs) : undefined;
  try {
    const signal = timer === undefined ? options.signal : AbortSignal.any([options.signal, late.signal]);
    const sending = send.call(dispatcher, {
      origin,
      path: `${prefix}${request.path}`,
      method: request.method,
      headers: {
        accept: 'application/json',
        // Without it any coding may come (RFC 9110, section 12.5.3).
        'accept-encoding': 'identity',
        authorization: `Bearer ${target.apiKey}`,
        'user-agent': options.userAgent,
        ...(body === undefined
          ? {}
          : { 'content-type': body.contentType, 'content-length': String(body.contentLength) }),
        ...request.headers,
      },
      // A fault of reading the file must come out as itself, not as a broken connection.
      body: body === undefined ? null : (keepError(body.stream(), (error) => (failed = error)) as never),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal,
    });
    const response = await untilAborted(sending, signal);
    clearTimeout(timer);
    const headers = flatten(response.headers);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += (chunk as Uint8Array).length;
      if (size > MAX_ANSWER_BYTES) {
        const text = Buffer.concat(chunks).toString('utf8', 0, 1024);
        const answer = { status: response.statusCode, headers, text };
        throw badResponse(answer, origin, undefined, `more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`);
      }
      chunks.push(chunk as Uint8Array);
    }
    // A byte order mark is no part of the text (RFC 8259, section 8.1).
    const text = new TextDecoder().decode(Buffer.concat(chunks));
    const answer = { status: response.statusCode, headers, text };
    return response.statusCode < 300 ? answer : hideKey(answer, target.apiKey);
  } catch (error) {
    options.signal.throwIfAborted();
    if (failed !== undefined) throw failed;
    if (error instanceof CallFailure || error instanceof OcrError) throw error;
    const { explainNetworkError } = await import('./network-error.js');
    throw explainNetworkError(error, target.baseUrl, timeoutMs, options.proxy);
  } finally {
    clearTimeout(timer);
  }
}

/** undici looks at a request's signal only when there is a connection for it, which a proxy or a firewall may never give. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return await new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** What goes into messages, logs and the ledger must not hold the key, though a server repeats it. */
function hideKey({ status, headers, text }: Answer, apiKey: string): Answer {
  const isSecret = apiKey.length >= SHORTEST_KEY;
  const hide = (value: string) => hideSecrets(isSecret ? value.replaceAll(apiKey, maskApiKey(apiKey)) : value);
  const hidden = Object.entries(headers).map(([name, value]) => [name, value === undefined ? value : hide(value)]);
  return { status, headers: Object.fromEntries(hidden) as Answer['headers'], text: hide(text) };
}

async function* keepError(
  stream: AsyncGenerator<Uint8Array>,
  keep: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    keep(error);
    throw error;
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
