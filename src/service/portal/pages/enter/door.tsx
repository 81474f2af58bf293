import type { FastifyReply, FastifyRequest } from 'fastify';
import { PORTAL_PATH } from '../../../../contract/portal.js';
import { redeemLink } from '../../../../store/portal-links.js';
import { hashToken, mintToken } from '../../../secrets/tokens.js';
import type { ServiceComponents } from '../../../service-components.js';
import { answerPage, answerRedirect, type PortalAnswer } from '../../answers.js';
import type { Assets } from '../../assets.js';
import { HOME_PATH } from '../../components/navigation.js';
import { readSessionCookie, renderSessionCookie } from '../../doors/cookies.js';
import { describeBrowser } from '../../doors/describe-browser.js';
import { readForm } from '../../doors/read-form.js';
import { isSameOrigin } from '../../doors/same-origin.js';
import { TryLimits } from '../../doors/try-limits.js';
import { EnterPage } from './enter-page.js';

/** The door: a look at it, and the way in by a link. */
export interface Door {
  show(): PortalAnswer;
  enter(request: FastifyRequest, reply: FastifyReply): Promise<PortalAnswer>;
}

export function createDoor({ config, store }: Pick<ServiceComponents, 'config' | 'store'>, { pathOf }: Assets): Door {
  const limits = new TryLimits();
  const isSecure = config.publicUrl?.startsWith('https:') === true;
  const refuse = (status: number, error: string, headers: Record<string, string> = {}): PortalAnswer => {
    const page = answerPage(<EnterPage error={error} pathOfAsset={pathOf} />, status);
    return { ...page, headers: { ...page.headers, ...headers } };
  };
  return {
    show: () => answerPage(<EnterPage pathOfAsset={pathOf} />),
    async enter(request, reply) {
      if (!isSameOrigin(request.headers, config.publicUrl))
        return refuse(403, 'This was not sent by the portal’s own page. Open your link again.');
      // A try that is too much uses no link up.
      if (!limits.take(addressOf(request), store.clock.steadyNow()))
        return refuse(429, 'There were too many tries. Wait a minute; your link still works.', { 'retry-after': '60' });
      const form = await readForm(request, reply);
      const given = form?.get('token')?.trim().replace(/^.*#/, '') ?? '';
      const token = mintToken();
      const replaced = readSessionCookie(request.headers, isSecure);
      const identity = await redeemLink(store, hashToken(given), {
        hash: hashToken(token),
        replacedHash: replaced === undefined ? undefined : hashToken(replaced),
        browser: describeBrowser(request.headers['user-agent']),
      });
      if (identity === 'last-owner')
        return refuse(
          409,
          'This link would leave the organisation without an owner. Make somebody else an owner; the link still works then.',
        );
      if (identity === undefined)
        return refuse(403, 'This code was used before, or has expired. Ask for a new link: each works once.');
      return answerRedirect(PORTAL_PATH + HOME_PATH, { 'set-cookie': renderSessionCookie(token, isSecure) });
    },
  };
}

/** Returns the caller's address: the last one that a proxy has added, else the peer's. */
function addressOf({ raw }: FastifyRequest): string {
  const { 'x-forwarded-for': forwarded } = raw.headers;
  const last = [forwarded ?? []].flat().join(',').split(',').at(-1)?.trim();
  return last === undefined || last === '' ? (raw.socket.remoteAddress ?? '') : last;
}
