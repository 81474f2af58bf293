import { type AuditPageFilter, type AuditRow, audit, readAuditPage } from '../../../store/audit.js';
import {
  changeRole,
  type Member,
  type MemberRole,
  type Refused,
  readMemberOf,
  readMemberPage,
  removeMember,
} from '../../../store/members.js';
import type { Page } from '../../../store/page.js';
import { listUnusedLinks, type UnusedLink } from '../../../store/portal-links.js';
import type { OwnScope } from './scope.js';

/** Reads a page of members, newest first. */
export async function readMembers(
  { store, organisationId }: OwnScope,
  before: string | undefined,
): Promise<Page<Member>> {
  return await store.read(readMemberPage(organisationId, { before }));
}

/** Finds a member; undefined for another's. */
export async function findMember({ store, organisationId }: OwnScope, id: string): Promise<Member | undefined> {
  return await store.read(readMemberOf(organisationId, id));
}

/** Lists links that can still be used, newest first. */
export async function readUnusedLinks({ store, organisationId }: OwnScope): Promise<UnusedLink[]> {
  return await store.read(listUnusedLinks(organisationId, store.clock.now()));
}

/** Reads a page of the audit log, newest first. */
export async function readAudit({ store, organisationId }: OwnScope, filter: AuditPageFilter): Promise<Page<AuditRow>> {
  return await store.read(readAuditPage(organisationId, filter));
}

/** Gives a member a role; undefined for another's. */
export async function giveRole(
  { store, organisationId }: OwnScope,
  id: string,
  role: MemberRole,
): Promise<'done' | Refused | undefined> {
  return await store.write(function* () {
    const changed = yield* changeRole(organisationId, id, role);
    if (changed === undefined || changed === 'last-owner') return changed;
    const { name } = changed.member;
    if (changed.isChanged)
      yield* audit(store, { action: 'member.role', organisationId, subjectId: id, detail: { name, role } });
    return 'done';
  });
}

/** Removes a member, whose sessions and links end; undefined for another's. */
export async function dismiss({ store, organisationId }: OwnScope, id: string): Promise<'done' | Refused | undefined> {
  return await store.write(function* () {
    const removed = yield* removeMember(organisationId, id);
    if (removed === undefined || removed === 'last-owner') return removed;
    const { name } = removed;
    yield* audit(store, { action: 'member.remove', organisationId, subjectId: id, detail: { name } });
    return 'done';
  });
}
