import type { Member, MemberRole } from '../../../../store/members.js';
import type { UnusedLink } from '../../../../store/portal-links.js';
import type { Frame } from '../../components/frame.js';
import { Notice } from '../../components/notice.js';
import { Page } from '../../components/page.js';
import { Question } from '../../components/question.js';
import { Time } from '../../components/time.js';
import { NONCE_FIELD } from '../../doors/form-nonces.js';
import { LINKS_PATH, MEMBERS_PATH, ORGANISATION_PATH } from './paths.js';

const ABOVE = { title: 'Organisation', path: ORGANISATION_PATH };

interface MemberProps {
  frame: Frame;
  member: Member;
}

/** Answers a change that would take the last owner. */
export function LastOwnerPage({ frame, member }: MemberProps) {
  return (
    <Page frame={frame} title="The last owner stays" above={ABOVE}>
      <Notice tone="bad">
        <p>
          <bdi>{member.name}</bdi> is the only owner. Make somebody else an owner first, or invite one.
        </p>
      </Notice>
    </Page>
  );
}

/** Asks before a member gets another role. */
export function RolePage({ frame, member, role }: MemberProps & { role: MemberRole }) {
  const article = role === 'owner' ? 'an owner' : 'a member';
  const title = `Make this person ${article}?`;
  return (
    <Page frame={frame} title={title} above={ABOVE}>
      <Question
        title={title}
        to={`${MEMBERS_PATH}/${member.id}/role`}
        action={role === 'owner' ? 'Make owner' : 'Make member'}
        back={ORGANISATION_PATH}
        hidden={{ role }}
      >
        <p>
          <strong>
            <bdi>{member.name}</bdi>
          </strong>{' '}
          {role === 'owner'
            ? 'may then also change keys, endpoints and members, yourself among them.'
            : 'may then no longer change keys, endpoints and members.'}
        </p>
        <p>Sessions get a new id at their next call; a form that is open elsewhere has to be opened again.</p>
      </Question>
    </Page>
  );
}

/** Asks before a member goes. */
export function RemovePage({ frame, member, isSelf }: MemberProps & { isSelf: boolean }) {
  const title = isSelf ? 'Leave this organisation?' : 'Remove this member?';
  return (
    <Page frame={frame} title={title} above={ABOVE}>
      <Question title={title} to={`${MEMBERS_PATH}/${member.id}/remove`} action="Remove" back={ORGANISATION_PATH}>
        <p>
          <strong>
            <bdi>{member.name}</bdi>
          </strong>
          {member.seenAtMs === null ? ' has no session.' : null}
          {member.seenAtMs === null ? null : (
            <>
              {' '}
              was last seen <Time ms={member.seenAtMs} />.
            </>
          )}
        </p>
        <p>
          {isSelf ? 'Your' : 'The member’s'} sessions and unused links end at once. API keys stay as they are: revoke
          those that {isSelf ? 'you have' : 'this person has'} seen.
        </p>
      </Question>
    </Page>
  );
}

/** Asks before a member gets a link to enter with again. */
export function NewLinkPage({ frame, member, nonce }: MemberProps & { nonce: string }) {
  const title = 'Make a new link?';
  return (
    <Page frame={frame} title={title} above={ABOVE}>
      <Question
        title={title}
        to={`${MEMBERS_PATH}/${member.id}/link`}
        action="Create"
        back={ORGANISATION_PATH}
        hidden={{ [NONCE_FIELD]: nonce }}
        isHarmless
      >
        <p>
          <strong>
            <bdi>{member.name}</bdi>
          </strong>{' '}
          enters with it as {member.role === 'owner' ? 'an owner' : 'a member'}, once, within 72 hours. An earlier
          unused link ends.
        </p>
      </Question>
    </Page>
  );
}

/** Asks before a link ends. */
export function RevokeLinkPage({ frame, link }: { frame: Frame; link: UnusedLink }) {
  const title = 'Revoke this link?';
  return (
    <Page frame={frame} title={title} above={ABOVE}>
      <Question title={title} to={`${LINKS_PATH}/${link.id}/revoke`} action="Revoke" back={ORGANISATION_PATH}>
        <p>
          <strong>
            <bdi>{link.name}</bdi>
          </strong>{' '}
          can then not enter with it. It would have worked until <Time ms={link.expiresAtMs} />.
        </p>
      </Question>
    </Page>
  );
}
