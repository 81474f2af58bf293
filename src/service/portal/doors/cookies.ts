import type { IncomingHttpHeaders } from 'node:http';
import { MAX_SESSION_MS } from '../../../store/portal-sessions.js';

/** Safari refuses `Secure` on plain http, which is for this machine alone. */
function nameOf(isSecure: boolean): string {
  return isSecure ? '__Host-ocr_session' : 'ocr_session';
}

/** Returns the token of the session; undefined without one, or with two, of which one may be forged. */
export function readSessionCookie(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  const prefix = `${nameOf(isSecure)}=`;
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix));
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
}

/** Renders the cookie of a session; an empty token removes it. */
export function renderSessionCookie(token: string, isSecure: boolean): string {
  const age = token === '' ? 0 : MAX_SESSION_MS / 1000;
  return `${nameOf(isSecure)}=${token}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
