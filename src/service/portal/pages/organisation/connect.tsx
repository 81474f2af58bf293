import { audit } from '../../../../store/audit.js';
import {
  type Account,
  connectAccount,
  disconnectAccounts,
  readAccountOf,
} from '../../../../store/member-identities.js';
import { readMemberOf } from '../../../../store/members.js';
import { lockOrganisation } from '../../../../store/organisations.js';
import { answerPage, answerRedirect, type PortalAnswer, PortalNotFound } from '../../answers.js';
import type { Frame } from '../../components/frame.js';
import { hrefOf } from '../../components/frame.js';
import { Notice } from '../../components/notice.js';
import { Page } from '../../components/page.js';
import { Question } from '../../components/question.js';
import { renderSignInCookie } from '../../doors/cookies.js';
import { CONNECT_PATH } from '../../doors/sign-in-paths.js';
import { ownScopeOf, type PortalCall } from '../../portal-call.js';
import { ORGANISATION_PATH } from './paths.js';

const ABOVE = { title: 'Organisation', path: ORGANISATION_PATH };

/** Asks a member whether the account that the provider has named is theirs. */
export async function askToConnect(call: PortalCall): Promise<PortalAnswer> {
  const { signIn } = requireMember(call);
  const account = signIn.take(call.signInCookie);
  if (account === undefined) return answerLapsed(call);
  return answerPage(<ConnectPage frame={call.frame} account={account} provider={signIn.name} />);
}

export async function connect(call: PortalCall): Promise<PortalAnswer> {
  const { frame, store, isSecure } = call;
  const { signIn, organisationId, memberId } = requireMember(call);
  const account = signIn.take(call.signInCookie);
  if (account === undefined) return answerLapsed(call);
  const isConnected = await store.write(function* () {
    yield* lockOrganisation(organisationId);
    if ((yield* readMemberOf(organisationId, memberId)) === undefined) return false;
    return yield* connectAccount(store, { organisationId, memberId }, account);
  });
  const headers = { 'set-cookie': renderSignInCookie('', isSecure) };
  if (isConnected) return answerRedirect(hrefOf(frame, ORGANISATION_PATH), headers);
  const page = answerPage(
    <Page frame={frame} title="Not connected" above={ABOVE}>
      <Notice tone="bad">
        <p>
          <bdi>{account.label}</bdi> is connected with another member already. Enter as that member and disconnect it
          there, or sign in with another account.
        </p>
      </Notice>
    </Page>,
    409,
  );
  return { ...page, headers: { ...page.headers, ...headers } };
}

export async function disconnect(call: PortalCall): Promise<PortalAnswer> {
  const { frame, store, session } = call;
  const { organisationId } = ownScopeOf(call);
  const { memberId } = session;
  if (memberId === null) throw new PortalNotFound();
  await store.write(function* () {
    if (yield* disconnectAccounts(organisationId, memberId))
      yield* audit(store, { action: 'member.disconnect', organisationId, subjectId: memberId });
  });
  return answerRedirect(hrefOf(frame, ORGANISATION_PATH));
}

/** Reads the account of who looks at the page; undefined where the service has no provider, and for staff. */
export async function readOwnAccount(call: PortalCall): Promise<{ provider: string; account?: Account } | undefined> {
  const { signIn, session, store, organisationId } = call;
  if (signIn === undefined || session.memberId === null || organisationId === undefined) return undefined;
  const account = await store.read(readAccountOf(organisationId, session.memberId));
  return { provider: signIn.name, ...(account === undefined ? {} : { account }) };
}

function requireMember(call: PortalCall) {
  const { signIn, session } = call;
  const { organisationId } = ownScopeOf(call);
  const { memberId } = session;
  if (signIn === undefined || memberId === null) throw new PortalNotFound();
  return { signIn, organisationId, memberId };
}

function answerLapsed({ frame }: PortalCall): PortalAnswer {
  return answerPage(
    <Page frame={frame} title="Not connected" above={ABOVE}>
      <Notice tone="warn">
        <p>The sign-in was more than ten minutes ago, or in another browser. Begin again under Organisation.</p>
      </Notice>
    </Page>,
    409,
  );
}

function ConnectPage({ frame, account, provider }: { frame: Frame; account: Account; provider: string }) {
  const title = 'Connect this account?';
  return (
    <Page frame={frame} title={title} above={ABOVE}>
      <Question title={title} to={CONNECT_PATH} action="Connect" back={ORGANISATION_PATH} isHarmless>
        <p>
          <strong>
            <bdi>{account.label}</bdi>
          </strong>{' '}
          of {provider} then enters as <bdi>{frame.name}</bdi>, without a link.
        </p>
      </Question>
    </Page>
  );
}
