import { createId } from '../contract/identifiers.js';
import { audit } from './audit.js';
import { lockOrganisation } from './organisations.js';
import type { Actor, Store } from './store.js';
import { one, run, type Unit } from './unit.js';

export type PortalRole = Actor['role'];

/** Whom a link or a session lets in, and as what. */
export interface PortalIdentity {
  /** Null for support and operators, who see every organisation. */
  organisationId: string | null;
  role: PortalRole;
  name: string;
}

export interface NewLink extends PortalIdentity {
  /** SHA-256 of the token, lower-case hex. */
  hash: string;
  expiresAtMs: number;
}

export async function insertLink(store: Store, link: NewLink): Promise<void> {
  const { hash, organisationId, role, name, expiresAtMs } = link;
  await store.write(function* () {
    yield* run(
      `INSERT INTO portal_link (hash, organisation_id, role, name, created_at, expires_at)
       VALUES (:hash, :organisationId, :role, :name, :nowMs, :expiresAtMs)`,
      { hash, organisationId, role, name, nowMs: store.clock.now(), expiresAtMs },
    );
    yield* audit(store, { action: 'portal.link', organisationId, detail: { role, name } });
  });
}

/**
 * Uses a link up, once, and begins its session under the hash of another token; undefined for a link that is unknown, used or
 * expired. An earlier session of the same browser ends.
 */
export async function redeemLink(
  store: Store,
  hash: string,
  session: { hash: string; replacedHash?: string | undefined },
): Promise<PortalIdentity | undefined> {
  return await store.write(function* () {
    const nowMs = store.clock.now();
    const link = yield* one<PortalIdentity>(
      `UPDATE portal_link SET used_at = :nowMs WHERE hash = :hash AND used_at IS NULL AND expires_at > :nowMs
       RETURNING organisation_id AS "organisationId", role, name`,
      { hash, nowMs },
    );
    if (link === undefined) return undefined;
    const { organisationId, role, name } = link;
    const memberId = organisationId === null ? null : yield* joinOrganisation(organisationId, link, nowMs);
    if (session.replacedHash !== undefined)
      yield* run('DELETE FROM portal_session WHERE hash = :hash', { hash: session.replacedHash });
    yield* run(
      `INSERT INTO portal_session (hash, organisation_id, member_id, role, name, created_at, seen_at)
       VALUES (:hash, :organisationId, :memberId, :role, :name, :nowMs, :nowMs)`,
      { hash: session.hash, organisationId, memberId, role, name, nowMs },
    );
    yield* audit(
      { ...store, actor: { who: name, role } },
      { action: 'portal.enter', organisationId, ...(memberId === null ? {} : { subjectId: memberId }) },
    );
    return link;
  });
}

/** Makes a member of whom a link names, or gives the member the link's role. Sessions with another role end. */
function* joinOrganisation(organisationId: string, { name, role }: PortalIdentity, nowMs: number): Unit<string> {
  yield* lockOrganisation(organisationId);
  const known = yield* one<{ id: string }>(
    'SELECT id FROM member WHERE organisation_id = :organisationId AND name = :name',
    { organisationId, name },
  );
  if (known === undefined) {
    const id = createId('mem', nowMs);
    yield* run(
      `INSERT INTO member (id, organisation_id, name, role, created_at)
       VALUES (:id, :organisationId, :name, :role, :nowMs)`,
      { id, organisationId, name, role, nowMs },
    );
    return id;
  }
  const { id } = known;
  yield* run('UPDATE member SET role = :role WHERE id = :id', { id, role });
  yield* run('DELETE FROM portal_session WHERE member_id = :id AND role <> :role', { id, role });
  return id;
}
