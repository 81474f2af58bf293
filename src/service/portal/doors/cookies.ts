import type { IncomingHttpHeaders } from 'node:http';
import { MAX_SESSION_MS } from '../../../store/portal-sessions.js';
import { SIGN_IN_TTL_MS } from './sign-in.js';

type Use = 'session' | 'sign_in';

/** Safari refuses `Secure` on plain http, which is for this machine alone. */
function nameOf(use: Use, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}ocr_${use}`;
}

/** Returns the token of the session. */
export function readSessionCookie(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  return read(headers, 'session', isSecure);
}

/** Returns what this browser carries between the steps of a sign-in. */
export function readSignInCookie(headers: IncomingHttpHeaders, isSecure: boolean): string | undefined {
  return read(headers, 'sign_in', isSecure);
}

/** Returns a value; undefined without one, or with two, of which one may be forged. */
function read(headers: IncomingHttpHeaders, use: Use, isSecure: boolean): string | undefined {
  const prefix = `${nameOf(use, isSecure)}=`;
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix));
  return found.length === 1 ? found[0]?.slice(prefix.length) : undefined;
}

/** Renders the cookie of a session; an empty token removes it. */
export function renderSessionCookie(token: string, isSecure: boolean): string {
  return render('session', token, MAX_SESSION_MS, isSecure);
}

/** Renders the cookie of a sign-in; an empty one removes it. */
export function renderSignInCookie(sealed: string, isSecure: boolean): string {
  return render('sign_in', sealed, SIGN_IN_TTL_MS, isSecure);
}

function render(use: Use, value: string, ttlMs: number, isSecure: boolean): string {
  const age = value === '' ? 0 : ttlMs / 1000;
  const name = nameOf(use, isSecure);
  return `${name}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
