import { ENTER_PATH } from '../../../../contract/portal.js';
import { endSession } from '../../../../store/portal-sessions.js';
import { hashToken } from '../../../secrets/tokens.js';
import { answerRedirect } from '../../answers.js';
import { renderSessionCookie } from '../../doors/cookies.js';
import type { PortalRoute } from '../../portal-call.js';
import { EVERYBODY } from '../../roles.js';

/** Log out: ends this session alone. */
export const LEAVE: PortalRoute = {
  method: 'POST',
  path: '/leave',
  roles: EVERYBODY,
  async answer({ store, session, isSecure }) {
    await endSession(store, hashToken(session.token));
    return answerRedirect(ENTER_PATH, { 'set-cookie': renderSessionCookie('', isSecure) });
  },
};
