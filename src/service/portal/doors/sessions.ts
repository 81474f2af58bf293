import {
  endSession,
  findSession,
  MAX_SESSION_MS,
  renewSession,
  type SessionBounds,
  type SessionRow,
  touchSession,
} from '../../../store/portal-sessions.js';
import type { Store } from '../../../store/store.js';
import { hashToken, mintToken } from '../../secrets/tokens.js';

const HOUR_MS = 3_600_000;
/** Bounds on the sessions of those who see every organisation. */
const MAX_STAFF_IDLE_MS = HOUR_MS;
const MAX_STAFF_MS = 8 * HOUR_MS;
/** The last use is exact to a minute, or to a tenth of a short idle time. */
const MAX_SEEN_INTERVAL_MS = 60_000;
const TOKEN = /^[\w-]{43}$/;

/** The session of a call. */
export interface PortalSession extends SessionRow {
  /** The secret of the cookie. */
  token: string;
}

/** True for the roles that see every organisation. */
export function isStaff({ role }: Pick<SessionRow, 'role'>): boolean {
  return role === 'support' || role === 'operator';
}

/**
 * Finds the session of a cookie and notes its use; undefined for an unknown one, and for one that has ended. What a page does by
 * itself is no use: an open tab would keep its session for ever.
 */
export async function readSession(
  store: Store,
  token: string | undefined,
  idleMs: number,
  { isUse = true } = {},
): Promise<PortalSession | undefined> {
  if (token === undefined || !TOKEN.test(token)) return undefined;
  const hash = hashToken(token);
  const row = await findSession(store, hash);
  if (row === undefined) return undefined;
  const nowMs = store.clock.now();
  const { maxMs, maxIdleMs } = limitsOf(isStaff(row), idleMs);
  if (nowMs - row.createdAtMs >= maxMs || nowMs - row.seenAtMs >= maxIdleMs) {
    await endSession(store, hash);
    return undefined;
  }
  if (isUse && nowMs - row.seenAtMs >= Math.min(MAX_SEEN_INTERVAL_MS, maxIdleMs / 10))
    await touchSession(store, hash, nowMs);
  return { ...row, token };
}

function limitsOf(isOfStaff: boolean, idleMs: number): { maxMs: number; maxIdleMs: number } {
  return isOfStaff
    ? { maxMs: MAX_STAFF_MS, maxIdleMs: Math.min(idleMs, MAX_STAFF_IDLE_MS) }
    : { maxMs: MAX_SESSION_MS, maxIdleMs: idleMs };
}

/** Returns the times before which sessions that still have a row have ended. */
export function boundSessions(nowMs: number, isOfStaff: boolean, idleMs: number): SessionBounds {
  const { maxMs, maxIdleMs } = limitsOf(isOfStaff, idleMs);
  return { createdAfterMs: nowMs - maxMs, seenAfterMs: nowMs - maxIdleMs };
}

/** Gives the session of a member whose role has changed another token; undefined when another call was first. */
export async function renewOutdated(store: Store, session: PortalSession): Promise<PortalSession | undefined> {
  const token = mintToken();
  if (!(await renewSession(store, hashToken(session.token), hashToken(token)))) return undefined;
  return { ...session, token, isOutdated: 0 };
}
