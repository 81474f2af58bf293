import { createId } from '../contract/identifiers.js';
import { lockOrganisation } from './organisations.js';
import { type Page, type PageBounds, type PagedTable, readPage } from './page.js';
import { exists, now, one, run, type Unit } from './unit.js';

export const MEMBER_ROLES = ['owner', 'member'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** A person of an organisation. */
export interface Member {
  id: string;
  name: string;
  role: MemberRole;
  createdAtMs: number;
  /** The account of a sign-in provider that the member is connected with. */
  account: string | null;
  /** Last use of a session that has not been removed; null for none. */
  seenAtMs: number | null;
}

const COLUMNS = `id, name, role, created_at AS "createdAtMs",
  (SELECT max(label) FROM member_identity WHERE member_id = member.id) AS account,
  (SELECT max(seen_at) FROM portal_session WHERE member_id = member.id) AS "seenAtMs"`;

const PAGED: PagedTable = {
  name: 'member',
  prefix: 'mem',
  select: (from) => `SELECT ${COLUMNS} FROM ${from}`,
  id: 'id',
};

/** Reads a page of an organisation's members, newest first. */
export function* readMemberPage(organisationId: string, bounds: PageBounds): Unit<Page<Member>> {
  return yield* readPage<Member>(PAGED, organisationId, bounds, { indexed: [], others: [], values: {} });
}

/** Finds a member of an organisation; undefined for that of another. */
export function* readMemberOf(organisationId: string, id: string): Unit<Member | undefined> {
  const sql = `SELECT ${COLUMNS} FROM member WHERE organisation_id = :organisationId AND id = :id`;
  return yield* one<Member>(sql, { organisationId, id });
}

/** Finds a member by the whole name. */
export function* readMemberCalled(organisationId: string, name: string): Unit<Member | undefined> {
  const sql = `SELECT ${COLUMNS} FROM member WHERE organisation_id = :organisationId AND name = :name`;
  return yield* one<Member>(sql, { organisationId, name });
}

/** True for an owner beside whom there is no other. */
export function* isLastOwner(organisationId: string, { id, role }: Pick<Member, 'id' | 'role'>): Unit<boolean> {
  if (role !== 'owner') return false;
  const sql = `SELECT 1 AS found FROM member WHERE organisation_id = :organisationId AND role = 'owner' AND id <> :id LIMIT 1`;
  return !(yield* exists(sql, { organisationId, id }));
}

/** Ends what was asked of a member whom nothing may change: an organisation always keeps an owner. */
export type Refused = 'last-owner';

/**
 * Gives a member a role; undefined for a member of another organisation. Sessions get it, and an id of their own, at their next
 * call (`renewSession`). Part of a transaction, which holds the organisation until its end: two changes at once cannot take both
 * of two owners.
 */
export function* changeRole(
  organisationId: string,
  id: string,
  role: MemberRole,
): Unit<{ member: Member; isChanged: boolean } | Refused | undefined> {
  yield* lockOrganisation(organisationId);
  const member = yield* readMemberOf(organisationId, id);
  if (member === undefined) return undefined;
  if (member.role === role) return { member, isChanged: false };
  if (yield* isLastOwner(organisationId, member)) return 'last-owner';
  yield* run('UPDATE member SET role = :role WHERE organisation_id = :organisationId AND id = :id', {
    organisationId,
    id,
    role,
  });
  yield* run(
    `UPDATE portal_link SET role = :role
     WHERE organisation_id = :organisationId AND name = :name AND used_at IS NULL`,
    { organisationId, name: member.name, role },
  );
  return { member, isChanged: true };
}

/** Removes a member with the sessions and unused links; undefined for a member of another organisation. Part of a transaction. */
export function* removeMember(organisationId: string, id: string): Unit<Member | Refused | undefined> {
  yield* lockOrganisation(organisationId);
  const member = yield* readMemberOf(organisationId, id);
  if (member === undefined) return undefined;
  if (yield* isLastOwner(organisationId, member)) return 'last-owner';
  const { name } = member;
  yield* run('DELETE FROM portal_session WHERE organisation_id = :organisationId AND member_id = :id', {
    organisationId,
    id,
  });
  yield* endLinksFor(organisationId, name);
  yield* run('DELETE FROM member_identity WHERE organisation_id = :organisationId AND member_id = :id', {
    organisationId,
    id,
  });
  yield* run('DELETE FROM member WHERE organisation_id = :organisationId AND id = :id', { organisationId, id });
  return member;
}

/** Ends the unused links of a person. */
export function* endLinksFor(organisationId: string, name: string): Unit<void> {
  yield* run(
    `UPDATE portal_link SET expires_at = :nowMs
     WHERE organisation_id = :organisationId AND name = :name AND used_at IS NULL AND expires_at > :nowMs`,
    { organisationId, name, nowMs: yield* now() },
  );
}

/** Makes a member of whom a link names. Part of a transaction that holds the organisation. */
export function* insertMember(organisationId: string, name: string, role: MemberRole): Unit<string> {
  const nowMs = yield* now();
  const id = createId('mem', nowMs);
  yield* run(
    `INSERT INTO member (id, organisation_id, name, role, created_at)
     VALUES (:id, :organisationId, :name, :role, :nowMs)`,
    { id, organisationId, name, role, nowMs },
  );
  return id;
}
