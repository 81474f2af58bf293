import type { FastifyReply, FastifyRequest } from 'fastify';
import { PORTAL_PATH } from '../../../../contract/portal.js';
import type { Account } from '../../../../store/member-identities.js';
import { redeemLink } from '../../../../store/portal-links.js';
import { hashToken, mintToken } from '../../../secrets/tokens.js';
import type { ServiceComponents } from '../../../service-components.js';
import { answerPage, answerRedirect, type PortalAnswer } from '../../answers.js';
import type { Assets } from '../../assets.js';
import { HOME_PATH } from '../../components/navigation.js';
import { readSessionCookie, readSignInCookie, renderSessionCookie, renderSignInCookie } from '../../doors/cookies.js';
import { describeBrowser } from '../../doors/describe-browser.js';
import { readForm } from '../../doors/read-form.js';
import { isSameOrigin } from '../../doors/same-origin.js';
import type { SignIn } from '../../doors/sign-in.js';
import { TryLimits } from '../../doors/try-limits.js';
import { answerRefusal } from '../refusals.js';
import { ACCOUNT_FIELD, EnterPage } from './enter-page.js';

/** The door: a look at it, and the way in by a link. */
export interface Door {
  show(request: FastifyRequest, url: URL): PortalAnswer;
  enter(request: FastifyRequest, reply: FastifyReply): Promise<PortalAnswer>;
  /** Counts a try of this caller; false where there were too many. */
  take(request: FastifyRequest): boolean;
}

type DoorComponents = Pick<ServiceComponents, 'config' | 'store'> & { signIn: SignIn | undefined };

export function createDoor({ config, store, signIn }: DoorComponents, { pathOf }: Assets): Door {
  const limits = new TryLimits();
  const isSecure = config.publicUrl?.startsWith('https:') === true;
  const refuse = (status: number, error: string, headers: Record<string, string> = {}): PortalAnswer => {
    const page = answerPage(<EnterPage error={error} provider={signIn?.name} pathOfAsset={pathOf} />, status);
    return { ...page, headers: { ...page.headers, ...headers } };
  };
  const take = (request: FastifyRequest): boolean => limits.take(addressOf(request), store.clock.steadyNow());
  const accountOf = (request: FastifyRequest): Account | undefined =>
    signIn?.take(readSignInCookie(request.headers, isSecure));
  return {
    take,
    show(request, url) {
      const account = url.searchParams.has('account') ? accountOf(request) : undefined;
      return answerPage(<EnterPage provider={signIn?.name} account={account?.label} pathOfAsset={pathOf} />);
    },
    async enter(request, reply) {
      if (!isSameOrigin(request.headers, config.publicUrl))
        return refuse(403, 'This was not sent by the portal’s own page. Open your link again.');
      // A try that is too much uses no link up.
      if (!take(request))
        return refuse(429, 'There were too many tries. Wait a minute; your link still works.', { 'retry-after': '60' });
      const form = await readForm(request, reply);
      if (typeof form === 'string') return answerRefusal(form, { pathOf });
      const given = form.get('token')?.trim().replace(/^.*#/, '') ?? '';
      const isConnecting = form.has(ACCOUNT_FIELD);
      const account = isConnecting ? accountOf(request) : undefined;
      if (isConnecting && account === undefined)
        return refuse(403, 'Your sign-in was more than ten minutes ago. Sign in again; your link still works.');
      const token = mintToken();
      const replaced = readSessionCookie(request.headers, isSecure);
      const session = {
        hash: hashToken(token),
        replacedHash: replaced === undefined ? undefined : hashToken(replaced),
        browser: describeBrowser(request.headers['user-agent']),
      };
      const identity = await redeemLink(store, hashToken(given), session, account);
      if (identity === 'connected-elsewhere')
        return refuse(409, 'Your account is connected with another member. Enter without it; your link still works.');
      if (identity === 'last-owner')
        return refuse(
          409,
          'This link would leave the organisation without an owner. Make somebody else an owner; the link still works then.',
        );
      if (identity === undefined)
        return refuse(403, 'This code was used before, or has expired. Ask for a new link: each works once.');
      const cookie = renderSessionCookie(token, isSecure);
      const cookies = isConnecting ? [cookie, renderSignInCookie('', isSecure)] : cookie;
      return answerRedirect(PORTAL_PATH + HOME_PATH, { 'set-cookie': cookies });
    },
  };
}

/** Returns the caller's address: the last one that a proxy has added, else the peer's. */
function addressOf({ raw }: FastifyRequest): string {
  const { 'x-forwarded-for': forwarded } = raw.headers;
  const last = [forwarded ?? []].flat().join(',').split(',').at(-1)?.trim();
  return last === undefined || last === '' ? (raw.socket.remoteAddress ?? '') : last;
}
