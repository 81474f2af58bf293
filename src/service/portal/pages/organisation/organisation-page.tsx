import type { AuditRow } from '../../../../store/audit.js';
import type { Account } from '../../../../store/member-identities.js';
import type { Member } from '../../../../store/members.js';
import type { Organisation } from '../../../../store/organisations.js';
import type { Page as Part } from '../../../../store/page.js';
import type { UnusedLink } from '../../../../store/portal-links.js';
import type { SessionLine } from '../../../../store/portal-sessions.js';
import type { Period } from '../../../intake/subscription.js';
import { Copyable } from '../../components/copyable.js';
import { DataTable } from '../../components/data-table.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Page } from '../../components/page.js';
import { MEMBERS, OWNERS } from '../../roles.js';
import { auditColumns } from './audit-table.js';
import { LinksPart } from './links-part.js';
import { MembersPart } from './members-part.js';
import { AUDIT_PATH, ORGANISATION_PATH, SESSIONS_PATH } from './paths.js';
import { PlanPart } from './plan-part.js';
import { SessionsPart } from './sessions-part.js';
import { SignInPart } from './sign-in-part.js';

interface OrganisationProps {
  frame: Frame;
  organisation: Organisation;
  used: number;
  period: Period;
  rateWindowMs: number;
  nowMs: number;
  members: Part<Member>;
  isOlderPage: boolean;
  links: readonly UnusedLink[];
  sessions: readonly SessionLine[];
  changes: readonly AuditRow[];
  /** The account of who looks at the page; undefined where there is no sign-in provider. */
  ownAccount: { provider: string; account?: Account } | undefined;
  /** Ids of who looks at the page. */
  own: { memberId: string | null; sessionId: string };
}

/** One's organisation: plan, people, sessions, and what was changed last. */
export function OrganisationPage(props: OrganisationProps) {
  const { frame, organisation, members, isOlderPage, links, sessions, changes, own } = props;
  const isOwner = OWNERS.includes(frame.role);
  return (
    <Page
      frame={frame}
      title="Organisation"
      styles={['lists.css', 'figures.css']}
      actions={
        isOwner ? (
          <Link class="button main" to={`${ORGANISATION_PATH}/invite`}>
            Invite
          </Link>
        ) : undefined
      }
    >
      <p class="subject">
        <bdi>{organisation.name}</bdi>
        <Copyable text={organisation.id} name="organisation ID" />
      </p>
      <PlanPart {...props} />
      <MembersPart part={members} isOlderPage={isOlderPage} ownId={own.memberId} />
      <LinksPart links={links} />
      {props.ownAccount === undefined ? null : <SignInPart {...props.ownAccount} />}
      <SessionsPart
        sessions={sessions}
        ownId={own.sessionId}
        path={SESSIONS_PATH}
        mayEnd={MEMBERS.includes(frame.role)}
        title={frame.role === 'member' ? 'Your sessions' : 'Sessions'}
        hasOthers={sessions.some(({ id, memberId }) => memberId === own.memberId && id !== own.sessionId)}
      />
      <section class="panel" aria-labelledby="changes">
        <div class="title">
          <h2 id="changes">Last changes</h2>
          <p>
            <Link to={AUDIT_PATH}>Audit log</Link>
          </p>
        </div>
        {changes.length === 0 ? (
          <p class="quiet">None yet. Each change in the portal or by the command line leaves a line here.</p>
        ) : (
          <DataTable
            caption="Last changes, newest first"
            columns={auditColumns(true)}
            rows={changes}
            idOf={({ id }) => id}
          />
        )}
      </section>
    </Page>
  );
}
