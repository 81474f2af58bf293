import { audit } from './audit.js';
import type { Actor, Store } from './store.js';
import { all, one, run, type Unit } from './unit.js';

export type PortalRole = Actor['role'];

/** Whom a link or a session lets in, and as what. */
export interface PortalIdentity {
  /** Null for support and operators, who see every organisation. */
  organisationId: string | null;
  role: PortalRole;
  name: string;
}

/** The longest that any session lasts, however often it is used. */
export const MAX_SESSION_MS = 7 * 86_400_000;

/** A session as it is stored. Whether it has ended is for its reader to say. */
export interface SessionRow extends PortalIdentity {
  /** Null for support and operators. */
  organisationName: string | null;
  /** Null for support and operators. */
  memberId: string | null;
  /** 1 when the member has got another role since: the session needs another id. */
  isOutdated: number;
  createdAtMs: number;
  /** Last use, exact to `SEEN_INTERVAL_MS`. */
  seenAtMs: number;
}

/** The session that a way in begins. */
export interface NewSession {
  /** SHA-256 of its token. */
  hash: string;
  /** The earlier session of the same browser, which ends. */
  replacedHash?: string | undefined;
  browser?: string | undefined;
}

/** Begins a session in place of an earlier one of the same browser. Part of a transaction. */
export function* beginSession(
  store: Store,
  { organisationId, memberId, role, name }: PortalIdentity & { memberId: string | null },
  { hash, replacedHash, browser }: NewSession,
): Unit<void> {
  if (replacedHash !== undefined) yield* run('DELETE FROM portal_session WHERE hash = :replacedHash', { replacedHash });
  yield* run(
    `INSERT INTO portal_session (hash, organisation_id, member_id, role, name, browser, created_at, seen_at)
     VALUES (:hash, :organisationId, :memberId, :role, :name, :browser, :nowMs, :nowMs)`,
    { hash, organisationId, memberId, role, name, browser: browser ?? null, nowMs: store.clock.now() },
  );
  yield* audit(
    { ...store, actor: { who: name, role } },
    { action: 'portal.enter', organisationId, ...(memberId === null ? {} : { subjectId: memberId }) },
  );
}

/** Finds a session; its role is that which the member has now. */
export async function findSession(store: Store, hash: string): Promise<SessionRow | undefined> {
  return await store.read(
    one<SessionRow>(
      `SELECT portal_session.organisation_id AS "organisationId", organisation.name AS "organisationName",
         member_id AS "memberId", coalesce(member.role, portal_session.role) AS role,
         CASE WHEN member.role <> portal_session.role THEN 1 ELSE 0 END AS "isOutdated",
         portal_session.name AS "name", portal_session.created_at AS "createdAtMs", seen_at AS "seenAtMs"
       FROM portal_session LEFT JOIN organisation ON organisation.id = portal_session.organisation_id
         LEFT JOIN member ON member.id = portal_session.member_id WHERE hash = :hash`,
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

/** Gives a session the hash of another token, and the role that its member has now; false when it is gone. */
export async function renewSession(store: Store, hash: string, newHash: string): Promise<boolean> {
  return await store.write(function* () {
    const renewed = yield* run(
      `UPDATE portal_session SET hash = :newHash, role = (SELECT role FROM member WHERE id = member_id)
       WHERE hash = :hash AND member_id IS NOT NULL`,
      { hash, newHash },
    );
    return renewed === 1;
  });
}

export async function endSession(store: Store, hash: string): Promise<void> {
  await store.write(() => run('DELETE FROM portal_session WHERE hash = :hash', { hash }));
}

/** A session as lists show it. */
export interface SessionLine {
  /** Made of its hash, which tells nothing of its token. */
  id: string;
  memberId: string | null;
  name: string;
  role: PortalIdentity['role'];
  browser: string | null;
  createdAtMs: number;
  seenAtMs: number;
}

/** The sessions of an organisation, or of support and operators (null); of one member alone where one is named. */
export interface SessionOwner {
  organisationId: string | null;
  memberId?: string | undefined;
}

/** Sessions that ended before these times are not shown. */
export interface SessionBounds {
  createdAfterMs: number;
  seenAfterMs: number;
}

/** Sessions that are listed, newest first. */
const MAX_LISTED_SESSIONS = 200;
const ID = `'ses_' || upper(substr(hash, 1, 26))`;

/** Returns the id under which a session of this hash is listed. */
export function idOfSession(hash: string): string {
  return `ses_${hash.slice(0, 26).toUpperCase()}`;
}

export function* listSessions(owner: SessionOwner, bounds: SessionBounds): Unit<SessionLine[]> {
  const { where, values } = ownedBy(owner);
  return yield* all<SessionLine>(
    `SELECT ${ID} AS id, member_id AS "memberId", name, role, browser, created_at AS "createdAtMs", seen_at AS "seenAtMs"
     FROM portal_session WHERE ${where} AND created_at > :createdAfterMs AND seen_at > :seenAfterMs
     ORDER BY created_at DESC, hash LIMIT :limit`,
    { ...values, ...bounds, limit: MAX_LISTED_SESSIONS },
  );
}

/** Ends a listed session; false for another's. */
export async function endListedSession(store: Store, owner: SessionOwner, id: string): Promise<boolean> {
  return await store.write(function* () {
    const { where, values } = ownedBy(owner);
    const ended = yield* one<{ name: string }>(
      `DELETE FROM portal_session WHERE ${where} AND ${ID} = :id RETURNING name`,
      { ...values, id },
    );
    if (ended === undefined) return false;
    yield* audit(store, {
      action: 'session.end',
      organisationId: owner.organisationId,
      subjectId: id,
      detail: { name: ended.name },
    });
    return true;
  });
}

/** Ends the sessions of a member but one. Returns how many. */
export async function endOtherSessions(
  store: Store,
  { organisationId, memberId }: { organisationId: string; memberId: string },
  keptHash: string,
): Promise<number> {
  return await store.write(function* () {
    const ended = yield* run(
      `DELETE FROM portal_session
       WHERE organisation_id = :organisationId AND member_id = :memberId AND hash <> :keptHash`,
      { organisationId, memberId, keptHash },
    );
    if (ended > 0)
      yield* audit(store, {
        action: 'session.end-others',
        organisationId,
        subjectId: memberId,
        detail: { ended },
      });
    return ended;
  });
}

function ownedBy({ organisationId, memberId }: SessionOwner) {
  if (organisationId === null) return { where: 'organisation_id IS NULL', values: {} };
  const where = `organisation_id = :organisationId${memberId === undefined ? '' : ' AND member_id = :memberId'}`;
  return { where, values: memberId === undefined ? { organisationId } : { organisationId, memberId } };
}
