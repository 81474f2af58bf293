import { createRequire } from 'node:module';
import type * as Undici from 'undici';
import type { Dispatcher } from 'undici';
import type { HttpProxy } from './read-proxy.js';

/** Imported CommonJS costs a scan of its exports, so undici is required. */
const require = createRequire(import.meta.url);

/** Limit for connecting; it also bounds a tunnel through a proxy, and TLS inside it. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Error code for a tunnel that the proxy did not give; see network-error.ts. */
const NO_TUNNEL = 'NO_TUNNEL';

/**
 * Keeps Node 20 from optimising undici's parser, which is WebAssembly, in the background as soon as it is loaded: 90 ms of
 * CPU time, more than the rest of a command together, for some hundred bytes to parse. Later versions wait until it pays.
 */
function leaveParserUnoptimised(): void {
  if (Number.parseInt(process.versions.node, 10) >= 22) return;
  const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
  for (const flag of ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']) setFlagsFromString(flag);
}

/**
 * Loads only the parts of undici that a request needs, without fetch, WebSocket and caches: a third of the time of the
 * whole package. Its exact version is pinned, and it has no export map.
 */
export function createDispatcher(proxy: HttpProxy | undefined, timeoutMs: number): Dispatcher {
  const connect = { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) };
  const common = { connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  leaveParserUnoptimised();
  if (proxy === undefined) {
    const Agent = require('undici/lib/dispatcher/agent.js') as typeof Undici.Agent;
    return new Agent(common);
  }
  // The proxy agent calls methods that only the whole package gives to its clients.
  const { Pool, ProxyAgent } = require('undici') as typeof Undici;
  return new ProxyAgent({
    ...common,
    uri: proxy.url,
    // Plain http through a proxy goes as a request, not as a CONNECT that many proxies refuse for port 80.
    proxyTunnel: false,
    // The agent ignores `connect`, both to reach the proxy and for TLS with the service.
    proxyTls: connect,
    requestTls: connect,
    clientFactory: (url, options) => nameTunnelFailures(new Pool(url, { ...options, headersTimeout: connect.timeout })),
  });
}

/**
 * Gives a failed tunnel an error code of its own. undici takes a connection that ended for one of the request's own, which
 * the next attempt mends, and asks for a tunnel again at once and for ever.
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
