import { audit } from './audit.js';
import type { MemberRole } from './members.js';
import { lockOrganisation } from './organisations.js';
import { beginSession, type NewSession, type PortalIdentity } from './portal-sessions.js';
import type { Store } from './store.js';
import { one, run, type Unit } from './unit.js';

/** An account of a sign-in provider. The subject is unique to its issuer, and never given to another person. */
export interface Account {
  issuer: string;
  subject: string;
  /** Address or name by which people know it, which proves nothing. */
  label: string;
}

/** Begins the session of the member who is connected with an account; undefined where nobody is. */
export async function enterByAccount(
  store: Store,
  { issuer, subject }: Pick<Account, 'issuer' | 'subject'>,
  session: NewSession,
): Promise<PortalIdentity | undefined> {
  const find = (what: string, more = '') =>
    one<{ organisationId: string; memberId: string; role: MemberRole; name: string }>(
      `SELECT member_identity.organisation_id AS "organisationId", member_id AS "memberId"${what}
       FROM member_identity ${more} WHERE issuer = :issuer AND subject = :subject`,
      { issuer, subject },
    );
  return await store.write(function* () {
    const known = yield* find('');
    if (known === undefined) return undefined;
    yield* lockOrganisation(known.organisationId);
    // The member may have been removed, or have got another role, before the lock was ours.
    const member = yield* find(', role, name', 'JOIN member ON member.id = member_id');
    if (member === undefined) return undefined;
    yield* beginSession(store, member, session);
    return member;
  });
}

/**
 * Connects a member with an account, in place of an earlier one of the same issuer; false where the account is another member's.
 * Part of a transaction that holds the organisation.
 */
export function* connectAccount(
  store: Store,
  { organisationId, memberId }: { organisationId: string; memberId: string },
  { issuer, subject, label }: Account,
): Unit<boolean> {
  const values = { issuer, subject, organisationId, memberId, label, nowMs: store.clock.now() };
  yield* run('DELETE FROM member_identity WHERE member_id = :memberId AND issuer = :issuer', { memberId, issuer });
  const added = yield* run(
    `INSERT INTO member_identity (issuer, subject, organisation_id, member_id, label, created_at)
     VALUES (:issuer, :subject, :organisationId, :memberId, :label, :nowMs) ON CONFLICT (issuer, subject) DO NOTHING`,
    values,
  );
  if (added === 1)
    yield* audit(store, { action: 'member.connect', organisationId, subjectId: memberId, detail: { issuer, label } });
  return added === 1;
}

/** Takes a member's accounts away; false where there are none. Part of a transaction. */
export function* disconnectAccounts(organisationId: string, memberId: string): Unit<boolean> {
  const sql = 'DELETE FROM member_identity WHERE organisation_id = :organisationId AND member_id = :memberId';
  return (yield* run(sql, { organisationId, memberId })) > 0;
}

/** Finds the account that a member is connected with. */
export function* readAccountOf(organisationId: string, memberId: string): Unit<Account | undefined> {
  return yield* one<Account & Record<string, string>>(
    `SELECT issuer, subject, label FROM member_identity
     WHERE organisation_id = :organisationId AND member_id = :memberId ORDER BY created_at DESC LIMIT 1`,
    { organisationId, memberId },
  );
}
