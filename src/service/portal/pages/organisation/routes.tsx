import { ENTER_PATH } from '../../../../contract/portal.js';
import { MEMBER_ROLES } from '../../../../store/members.js';
import { findOrganisation } from '../../../../store/organisations.js';
import { revokeLink } from '../../../../store/portal-links.js';
import {
  endListedSession,
  endOtherSessions,
  idOfSession,
  listSessions,
  type SessionOwner,
} from '../../../../store/portal-sessions.js';
import { findUsage } from '../../../../store/usage.js';
import { periodOf } from '../../../intake/subscription.js';
import { hashToken } from '../../../secrets/tokens.js';
import { answerPage, answerRedirect, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { hrefOf } from '../../components/frame.js';
import { renderSessionCookie } from '../../doors/cookies.js';
import { boundSessions } from '../../doors/sessions.js';
import { CONNECT_PATH } from '../../doors/sign-in-paths.js';
import { ownScopeOf, type PortalCall, type PortalRoute } from '../../portal-call.js';
import { EVERYBODY, MEMBERS, OWNERS, PEOPLE } from '../../roles.js';
import { dismiss, giveRole, readAudit, readMembers, readUnusedLinks } from '../../scoped/organisation.js';
import { answerChoice } from '../choose-organisation.js';
import { readBefore } from '../read-query.js';
import { AuditPage, readAuditFilter } from './audit-page.js';
import { askToConnect, connect, disconnect, readOwnAccount } from './connect.js';
import { answerInviteForm, askForLink, invite, makeNewLink, requireMember } from './invitations.js';
import { OrganisationPage } from './organisation-page.js';
import { AUDIT_PATH, DISCONNECT_PATH, LINKS_PATH, MEMBERS_PATH, ORGANISATION_PATH, SESSIONS_PATH } from './paths.js';
import { LastOwnerPage, RemovePage, RevokeLinkPage, RolePage } from './questions.js';

/** Changes that the page of the organisation shows itself. */
const LAST_CHANGES = 8;

export const ORGANISATION_ROUTES: readonly PortalRoute[] = [
  { method: 'GET', path: ORGANISATION_PATH, roles: EVERYBODY, live: ['settings'], answer: answerOrganisation },
  { method: 'GET', path: AUDIT_PATH, roles: EVERYBODY, live: ['settings'], answer: answerAudit },
  { method: 'GET', path: `${ORGANISATION_PATH}/invite`, roles: OWNERS, answer: answerInviteForm },
  { method: 'POST', path: `${ORGANISATION_PATH}/invite`, roles: OWNERS, answer: invite },
  { method: 'GET', path: `${LINKS_PATH}/:linkId/revoke`, roles: OWNERS, answer: askToRevoke },
  { method: 'POST', path: `${LINKS_PATH}/:linkId/revoke`, roles: OWNERS, answer: revoke },
  { method: 'GET', path: `${MEMBERS_PATH}/:memberId/role`, roles: OWNERS, answer: askForRole },
  { method: 'POST', path: `${MEMBERS_PATH}/:memberId/role`, roles: OWNERS, answer: setRole },
  { method: 'GET', path: `${MEMBERS_PATH}/:memberId/link`, roles: OWNERS, answer: askForLink },
  { method: 'POST', path: `${MEMBERS_PATH}/:memberId/link`, roles: OWNERS, answer: makeNewLink },
  { method: 'GET', path: `${MEMBERS_PATH}/:memberId/remove`, roles: OWNERS, answer: askToRemove },
  { method: 'POST', path: `${MEMBERS_PATH}/:memberId/remove`, roles: OWNERS, answer: remove },
  { method: 'GET', path: CONNECT_PATH, roles: PEOPLE, answer: askToConnect },
  { method: 'POST', path: CONNECT_PATH, roles: PEOPLE, answer: connect },
  { method: 'POST', path: DISCONNECT_PATH, roles: PEOPLE, answer: disconnect },
  { method: 'POST', path: `${SESSIONS_PATH}/end-others`, roles: MEMBERS, answer: endOthers },
  { method: 'POST', path: `${SESSIONS_PATH}/:sessionId/end`, roles: MEMBERS, answer: endOne },
];

async function answerOrganisation(call: PortalCall): Promise<PortalAnswer> {
  const { organisationId, store, components, frame, session } = call;
  if (organisationId === undefined) return await answerChoice(call, 'Organisation');
  const nowMs = store.clock.now();
  const organisation = await findOrganisation(store, organisationId);
  if (organisation === undefined) throw new PortalNotFound();
  const period = periodOf(organisation, nowMs);
  const scope = ownScopeOf(call);
  const before = readBefore(call.url.searchParams, 'mem');
  const bounds = boundSessions(nowMs, false, components.config.portalSessionIdleMs);
  const [members, links, sessions, changes, used] = await Promise.all([
    readMembers(scope, before),
    readUnusedLinks(scope),
    store.read(listSessions(sessionsOf(call), bounds)),
    readAudit(scope, { limit: LAST_CHANGES }),
    findUsage(store, organisationId, period.name),
  ]);
  return answerPage(
    <OrganisationPage
      frame={frame}
      organisation={organisation}
      used={used}
      period={period}
      rateWindowMs={components.config.rateWindowMs}
      nowMs={nowMs}
      members={members}
      isOlderPage={before !== undefined}
      links={links}
      sessions={sessions}
      changes={changes.rows}
      ownAccount={await readOwnAccount(call)}
      own={{ memberId: session.memberId, sessionId: idOfSession(hashToken(session.token)) }}
    />,
  );
}

/** The sessions that a person sees and may end: members see their own. */
function sessionsOf(call: PortalCall): SessionOwner {
  const { organisationId } = ownScopeOf(call);
  const { role, memberId } = call.session;
  return role === 'member' ? { organisationId, memberId: memberId ?? '' } : { organisationId };
}

async function answerAudit(call: PortalCall): Promise<PortalAnswer> {
  if (call.organisationId === undefined) return await answerChoice(call, 'Audit log');
  const read = readAuditFilter(call.url.searchParams);
  const isRefused = read.errors.length > 0;
  const part = isRefused ? { rows: [], olderThan: undefined } : await readAudit(ownScopeOf(call), read.filter);
  const above = { title: 'Organisation', path: ORGANISATION_PATH };
  return answerPage(
    <AuditPage frame={call.frame} title="Audit log" above={above} path={AUDIT_PATH} read={read} part={part} />,
  );
}

async function askToRevoke(call: PortalCall): Promise<PortalAnswer> {
  const link = (await readUnusedLinks(ownScopeOf(call))).find(({ id }) => id === call.params.linkId);
  if (link === undefined) throw new PortalNotFound();
  return answerPage(<RevokeLinkPage frame={call.frame} link={link} />);
}

async function revoke(call: PortalCall): Promise<PortalAnswer> {
  const { organisationId, store } = ownScopeOf(call);
  if (!(await revokeLink(store, organisationId, call.params.linkId ?? ''))) throw new PortalNotFound();
  return goBack(call);
}

async function askForRole(call: PortalCall): Promise<PortalAnswer> {
  const member = await requireMember(call);
  const role = member.role === 'owner' ? 'member' : 'owner';
  return answerPage(<RolePage frame={call.frame} member={member} role={role} />);
}

async function setRole(call: PortalCall): Promise<PortalAnswer> {
  const member = await requireMember(call);
  const role = MEMBER_ROLES.find((known) => known === call.form.get('role'));
  if (role === undefined) return await askForRole(call);
  const outcome = await giveRole(ownScopeOf(call), member.id, role);
  if (outcome === 'last-owner') return answerPage(<LastOwnerPage frame={call.frame} member={member} />, 409);
  if (outcome === undefined) throw new PortalNotFound();
  return goBack(call);
}

async function askToRemove(call: PortalCall): Promise<PortalAnswer> {
  const member = await requireMember(call);
  const isSelf = member.id === call.session.memberId;
  return answerPage(<RemovePage frame={call.frame} member={member} isSelf={isSelf} />);
}

async function remove(call: PortalCall): Promise<PortalAnswer> {
  const { frame, session, isSecure } = call;
  const member = await requireMember(call);
  const outcome = await dismiss(ownScopeOf(call), member.id);
  if (outcome === 'last-owner') return answerPage(<LastOwnerPage frame={frame} member={member} />, 409);
  if (outcome === undefined) throw new PortalNotFound();
  if (member.id !== session.memberId) return goBack(call);
  return answerRedirect(ENTER_PATH, { 'set-cookie': renderSessionCookie('', isSecure) });
}

async function endOne(call: PortalCall): Promise<PortalAnswer> {
  const { store, params, session, isSecure } = call;
  const id = params.sessionId ?? '';
  if (!(await endListedSession(store, sessionsOf(call), id))) throw new PortalNotFound();
  if (id !== idOfSession(hashToken(session.token))) return goBack(call);
  return answerRedirect(ENTER_PATH, { 'set-cookie': renderSessionCookie('', isSecure) });
}

async function endOthers(call: PortalCall): Promise<PortalAnswer> {
  const { organisationId, store } = ownScopeOf(call);
  const { memberId, token } = call.session;
  if (memberId !== null) await endOtherSessions(store, { organisationId, memberId }, hashToken(token));
  return goBack(call);
}

function goBack({ frame }: PortalCall): PortalAnswer {
  return answerRedirect(hrefOf(frame, ORGANISATION_PATH));
}
