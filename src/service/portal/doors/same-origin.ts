import type { IncomingHttpHeaders } from 'node:http';

/**
 * True when a page of the portal itself has sent the call. Browsers of today say so; older ones name the origin. A call that says
 * neither is refused.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && origin === (publicUrl ?? `http://${headers.host}`);
}
