import { ENTER_PATH } from '../../../../contract/portal.js';
import { readAuditPage } from '../../../../store/audit.js';
import { endListedSession, idOfSession, listSessions } from '../../../../store/portal-sessions.js';
import { findProcesses } from '../../../monitoring/presence.js';
import { hashToken } from '../../../secrets/tokens.js';
import { answerPage, answerRedirect, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { hrefOf } from '../../components/frame.js';
import { renderSessionCookie } from '../../doors/cookies.js';
import { boundSessions } from '../../doors/sessions.js';
import type { PortalCall, PortalRoute } from '../../portal-call.js';
import { OPERATORS, STAFF } from '../../roles.js';
import { AuditPage, readAuditFilter } from '../organisation/audit-page.js';
import { OperatorTabs } from './operator-tabs.js';
import { OPERATOR_ORGANISATION_ROUTES } from './organisation-routes.js';
import { PROCESSES_PATH, STAFF_AUDIT_PATH, STAFF_SESSIONS_PATH } from './paths.js';
import { OPERATOR_PLAN_ROUTES } from './plan-routes.js';
import { ProcessesPage } from './processes-page.js';

/** Rows of the audit log that concern no organisation. */
const OF_NONE = null;

export const OPERATOR_ROUTES: readonly PortalRoute[] = [
  ...OPERATOR_ORGANISATION_ROUTES,
  ...OPERATOR_PLAN_ROUTES,
  { method: 'GET', path: PROCESSES_PATH, roles: STAFF, answer: answerProcesses },
  { method: 'GET', path: STAFF_AUDIT_PATH, roles: STAFF, answer: answerAudit },
  { method: 'POST', path: `${STAFF_SESSIONS_PATH}/:sessionId/end`, roles: OPERATORS, answer: endOne },
];

async function answerProcesses({ frame, store, components, session }: PortalCall): Promise<PortalAnswer> {
  const nowMs = store.clock.now();
  const bounds = boundSessions(nowMs, true, components.config.portalSessionIdleMs);
  return answerPage(
    <ProcessesPage
      frame={frame}
      processes={await findProcesses(components)}
      sessions={await store.read(listSessions({ organisationId: null }, bounds))}
      ownId={idOfSession(hashToken(session.token))}
      nowMs={nowMs}
    />,
  );
}

async function answerAudit({ frame, store, url }: PortalCall): Promise<PortalAnswer> {
  const read = readAuditFilter(url.searchParams);
  const isRefused = read.errors.length > 0;
  const part = isRefused ? { rows: [], olderThan: undefined } : await store.read(readAuditPage(OF_NONE, read.filter));
  return answerPage(
    <AuditPage frame={frame} title="Operator" path={STAFF_AUDIT_PATH} read={read} part={part}>
      <OperatorTabs current={STAFF_AUDIT_PATH} />
      <p class="lead">Changes that concern no organisation: plans, and ways in for operators and support.</p>
    </AuditPage>,
  );
}

async function endOne({ store, params, session, frame, isSecure }: PortalCall): Promise<PortalAnswer> {
  const id = params.sessionId ?? '';
  if (!(await endListedSession(store, { organisationId: null }, id))) throw new PortalNotFound();
  if (id !== idOfSession(hashToken(session.token))) return answerRedirect(hrefOf(frame, PROCESSES_PATH));
  return answerRedirect(ENTER_PATH, { 'set-cookie': renderSessionCookie('', isSecure) });
}
