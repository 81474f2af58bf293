import type { PortalIdentity } from './portal-links.js';
import type { Store } from './store.js';
import { one, run } from './unit.js';

/** The longest that any session lasts, however often it is used. */
export const MAX_SESSION_MS = 7 * 86_400_000;

/** A session as it is stored. Whether it has ended is for its reader to say. */
export interface SessionRow extends PortalIdentity {
  /** Null for support and operators. */
  organisationName: string | null;
  createdAtMs: number;
  /** Last use, exact to `SEEN_INTERVAL_MS`. */
  seenAtMs: number;
}

export async function findSession(store: Store, hash: string): Promise<SessionRow | undefined> {
  return await store.read(
    one<SessionRow>(
      `SELECT portal_session.organisation_id AS "organisationId", organisation.name AS "organisationName", role,
         portal_session.name AS "name", portal_session.created_at AS "createdAtMs", seen_at AS "seenAtMs"
       FROM portal_session LEFT JOIN organisation ON organisation.id = portal_session.organisation_id WHERE hash = :hash`,
      { hash },
    ),
  );
}

/** Notes the use of a session. A power cut may lose it. */
export async function touchSession(store: Store, hash: string, nowMs: number): Promise<void> {
  await store.write(() => run('UPDATE portal_session SET seen_at = :nowMs WHERE hash = :hash', { hash, nowMs }), {
    isSynced: false,
  });
}

export async function endSession(store: Store, hash: string): Promise<void> {
  await store.write(() => run('DELETE FROM portal_session WHERE hash = :hash', { hash }));
}
