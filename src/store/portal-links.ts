import { createId } from '../contract/identifiers.js';
import { audit } from './audit.js';
import { type Account, connectAccount } from './member-identities.js';
import { changeRole, endLinksFor, insertMember, type MemberRole, type Refused, readMemberCalled } from './members.js';
import { lockOrganisation } from './organisations.js';
import { beginSession, type NewSession, type PortalIdentity } from './portal-sessions.js';
import type { Store } from './store.js';
import { all, exists, one, run, type Unit, undo } from './unit.js';

export interface NewLink extends PortalIdentity {
  id?: string;
  /** SHA-256 of the token, lower-case hex. */
  hash: string;
  expiresAtMs: number;
}

export async function insertLink(store: Store, link: NewLink): Promise<void> {
  await store.write(() => addLink(store, link));
}

function* addLink(store: Store, link: NewLink): Unit<void> {
  const { hash, organisationId, role, name, expiresAtMs } = link;
  const nowMs = store.clock.now();
  const { id = createId('inv', nowMs) } = link;
  yield* run(
    `INSERT INTO portal_link (hash, id, organisation_id, role, name, made_by, created_at, expires_at)
     VALUES (:hash, :id, :organisationId, :role, :name, :madeBy, :nowMs, :expiresAtMs)`,
    { hash, id, organisationId, role, name, madeBy: store.actor?.who ?? null, nowMs, expiresAtMs },
  );
  yield* audit(store, { action: 'portal.link', organisationId, subjectId: id, detail: { role, name } });
}

/** A link of an organisation that has an id. */
export interface OwnLink extends NewLink {
  id: string;
  organisationId: string;
  role: MemberRole;
}

/**
 * Writes the link of a form, which works once: false when its id is taken. An unused link of the same person ends. 'taken' where
 * a member has the name already, unless the link is for that member.
 */
export async function insertOwnLink(store: Store, link: OwnLink, isForMember: boolean): Promise<boolean | 'taken'> {
  const { id, organisationId, name } = link;
  return await store.write(function* () {
    yield* lockOrganisation(organisationId);
    const sql = 'SELECT 1 AS found FROM portal_link WHERE organisation_id = :organisationId AND id = :id';
    if (yield* exists(sql, { organisationId, id })) return false;
    const member = yield* readMemberCalled(organisationId, name);
    if ((member !== undefined) !== isForMember) return 'taken';
    yield* endLinksFor(organisationId, name);
    // The member's role may have changed since the form was shown.
    yield* addLink(store, { ...link, role: member?.role ?? link.role });
    return true;
  });
}

/** A link that can still be used. */
export interface UnusedLink {
  id: string;
  role: MemberRole;
  name: string;
  /** Null for a link that nobody by name has made. */
  madeBy: string | null;
  createdAtMs: number;
  expiresAtMs: number;
}

const UNUSED = 'organisation_id = :organisationId AND id IS NOT NULL AND used_at IS NULL AND expires_at > :nowMs';
/** Links of one page; nobody invites as many at once. */
const MAX_LISTED_LINKS = 200;

/** Lists the links of an organisation that can still be used, newest first. */
export function* listUnusedLinks(organisationId: string, nowMs: number): Unit<UnusedLink[]> {
  return yield* all<UnusedLink>(
    `SELECT id, role, name, made_by AS "madeBy", created_at AS "createdAtMs", expires_at AS "expiresAtMs"
     FROM portal_link WHERE ${UNUSED} ORDER BY created_at DESC, id DESC LIMIT :limit`,
    { organisationId, nowMs, limit: MAX_LISTED_LINKS },
  );
}

/** Ends a link that was not used; false for one that was, or is another's. */
export async function revokeLink(store: Store, organisationId: string, id: string): Promise<boolean> {
  return await store.write(function* () {
    const nowMs = store.clock.now();
    const link = yield* one<{ name: string }>(
      `UPDATE portal_link SET expires_at = :nowMs WHERE ${UNUSED} AND id = :id RETURNING name`,
      { organisationId, id, nowMs },
    );
    if (link === undefined) return false;
    yield* audit(store, { action: 'portal.link-revoke', organisationId, subjectId: id, detail: link });
    return true;
  });
}

/**
 * Uses a link up, once, and begins its session under the hash of another token; undefined for a link that is unknown, used or
 * expired. A link that would leave an organisation without an owner is refused, and stays unused; so is one with an account that
 * another member is connected with.
 */
export async function redeemLink(
  store: Store,
  hash: string,
  session: NewSession,
  account?: Account,
): Promise<PortalIdentity | Refused | 'connected-elsewhere' | undefined> {
  return await store.write(function* () {
    const nowMs = store.clock.now();
    const sql = 'SELECT organisation_id AS "organisationId" FROM portal_link WHERE hash = :hash';
    const known = yield* one<Pick<PortalIdentity, 'organisationId'>>(sql, { hash });
    // Everybody locks the organisation before its links.
    if (known !== undefined && known.organisationId !== null) yield* lockOrganisation(known.organisationId);
    const link = yield* one<PortalIdentity>(
      `UPDATE portal_link SET used_at = :nowMs WHERE hash = :hash AND used_at IS NULL AND expires_at > :nowMs
       RETURNING organisation_id AS "organisationId", role, name`,
      { hash, nowMs },
    );
    if (link === undefined) return undefined;
    const { organisationId, role, name } = link;
    const memberId = organisationId === null ? null : yield* joinOrganisation(organisationId, name, role as MemberRole);
    if (account !== undefined && organisationId !== null && memberId !== null) {
      const acting = { ...store, actor: { who: name, role } };
      if (!(yield* connectAccount(acting, { organisationId, memberId }, account))) undo('connected-elsewhere');
    }
    yield* beginSession(store, { ...link, memberId }, session);
    return link;
  });
}

/** Makes a member of whom a link names, or gives the member the link's role. Sessions with another role end. */
function* joinOrganisation(organisationId: string, name: string, role: MemberRole): Unit<string> {
  const known = yield* readMemberCalled(organisationId, name);
  if (known === undefined) return yield* insertMember(organisationId, name, role);
  const { id } = known;
  if ((yield* changeRole(organisationId, id, role)) === 'last-owner') undo('last-owner');
  yield* run('DELETE FROM portal_session WHERE member_id = :id AND role <> :role', { id, role });
  return id;
}
