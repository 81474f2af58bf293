import type { FastifyRequest } from 'fastify';
import { ENTER_PATH, PORTAL_PATH } from '../../../../contract/portal.js';
import { enterByAccount } from '../../../../store/member-identities.js';
import type { Store } from '../../../../store/store.js';
import { hashToken, mintToken } from '../../../secrets/tokens.js';
import { answerPage, answerRedirect, type PortalAnswer } from '../../answers.js';
import { BarePage } from '../../components/bare-page.js';
import { HOME_PATH } from '../../components/navigation.js';
import { readSessionCookie, readSignInCookie, renderSessionCookie, renderSignInCookie } from '../../doors/cookies.js';
import { describeBrowser } from '../../doors/describe-browser.js';
import { type SignIn, SignInError, type SignInFailure } from '../../doors/sign-in.js';
import { CALLBACK_PATH, CONNECT_PATH, SIGN_IN_PATH, UNKNOWN_ACCOUNT } from '../../doors/sign-in-paths.js';

interface SignInDoorComponents {
  store: Store;
  signIn: SignIn;
  isSecure: boolean;
  pathOf(name: string): string;
  /** Counts a try; false where there were too many. */
  take(request: FastifyRequest): boolean;
}

/** The door by which members with an account of the provider enter. */
export interface SignInDoor {
  begin(url: URL, origin: string): Promise<PortalAnswer>;
  finish(request: FastifyRequest, url: URL, origin: string): Promise<PortalAnswer>;
}

export function createSignInDoor({ store, signIn, isSecure, pathOf, take }: SignInDoorComponents): SignInDoor {
  const explain = (failure: SignInFailure | 'often', detail = ''): PortalAnswer => {
    const { status, title, text } = describeFailure(failure, signIn.name, detail);
    const page = answerPage(
      <BarePage title={title} pathOfAsset={pathOf}>
        <div class="stack">
          <p>{text}</p>
          <p>
            <a class="button main" href={SIGN_IN_PATH}>{`Sign in with ${signIn.name}`}</a>
          </p>
          <p>
            <a href={ENTER_PATH}>Enter with a link</a>
          </p>
        </div>
      </BarePage>,
      status,
    );
    return { ...page, headers: { ...page.headers, 'set-cookie': renderSignInCookie('', isSecure) } };
  };
  const attempt = async (work: () => Promise<PortalAnswer>): Promise<PortalAnswer> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof SignInError) return explain(error.failure, error.message);
      throw error;
    }
  };
  return {
    begin: (url, origin) =>
      attempt(async () => {
        const purpose = url.searchParams.get('for') === 'connect' ? 'connect' : 'enter';
        const begun = await signIn.begin(origin + CALLBACK_PATH, purpose);
        return answerRedirect(begun.url, { 'set-cookie': renderSignInCookie(begun.sealed, isSecure) });
      }),
    finish: (request, url, origin) =>
      attempt(async () => {
        if (!take(request)) return explain('often');
        const sealed = readSignInCookie(request.headers, isSecure) ?? '';
        const { account, purpose } = await signIn.finish(origin + CALLBACK_PATH, url.searchParams, sealed);
        const kept = { 'set-cookie': renderSignInCookie(signIn.keep(account), isSecure) };
        if (purpose === 'connect') return answerRedirect(PORTAL_PATH + CONNECT_PATH, kept);
        const token = mintToken();
        const replaced = readSessionCookie(request.headers, isSecure);
        const entered = await enterByAccount(store, account, {
          hash: hashToken(token),
          replacedHash: replaced === undefined ? undefined : hashToken(replaced),
          browser: describeBrowser(request.headers['user-agent']),
        });
        if (entered === undefined) return answerRedirect(UNKNOWN_ACCOUNT, kept);
        const cookies = [renderSessionCookie(token, isSecure), renderSignInCookie('', isSecure)];
        return answerRedirect(PORTAL_PATH + HOME_PATH, { 'set-cookie': cookies });
      }),
  };
}

function describeFailure(failure: SignInFailure | 'often', name: string, detail: string) {
  switch (failure) {
    case 'unreachable':
      return {
        status: 502,
        title: 'Sign-in is not available',
        text: `This service could not reach ${name}. Try again in a moment, or enter with a link; the service’s journal says more.`,
      };
    case 'refused':
      return {
        status: 403,
        title: 'You were not signed in',
        text: `${name} has answered ${/^[\w .-]{1,60}$/.test(detail) ? detail : 'no'}. Sign in again; if that repeats, whoever runs ${name} knows why.`,
      };
    case 'stale':
      return {
        status: 403,
        title: 'This sign-in has ended',
        text: 'It began in another browser, or more than ten minutes ago. Begin again.',
      };
    case 'unusable':
      return {
        status: 502,
        title: 'You were not signed in',
        text: `The answer of ${name} could not be used. Sign in again; the service’s journal says what was wrong with it.`,
      };
    case 'often':
      return { status: 429, title: 'Too many tries', text: 'Wait a minute, then sign in again.' };
  }
}
