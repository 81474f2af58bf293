import type { FastifyRequest } from 'fastify';
import { isLocalCaller, isLoopbackName } from '../../http/is-local-caller.js';

/** `hidden`: there is no portal for this caller. `misdirected`: the call is for another host, perhaps by DNS rebinding. */
type Reach = 'open' | 'hidden' | 'misdirected';

/** Tells whether a call may reach the portal: under its public origin, or over plain http from this machine alone. */
export function checkHost(request: FastifyRequest, publicUrl: string | undefined): Reach {
  const host = request.headers.host ?? '';
  const isPlain = publicUrl === undefined || publicUrl.startsWith('http:');
  if (isPlain && !isLocalCaller(request)) return 'hidden';
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  if (url === undefined) return 'misdirected';
  if (publicUrl !== undefined) return isSameHost(host, publicUrl) ? 'open' : 'misdirected';
  const port = url.port === '' ? 80 : Number(url.port);
  return isLoopbackName(url.hostname) && port === request.raw.socket.localPort ? 'open' : 'misdirected';
}

/** True when both name the same host and port; the scheme's own port may be left out. */
function isSameHost(host: string, publicUrl: string): boolean {
  const { protocol, host: expected } = new URL(publicUrl);
  const given = `${protocol}//${host}`;
  return URL.canParse(given) && new URL(given).host === expected;
}
