import type { PortalAnswer } from '../answers.js';
import type { PortalRoute } from '../portal-call.js';
import { EVERYBODY } from '../roles.js';
import { LIVE_PATH } from './path.js';

/** A header by which a page asks for its own content, to renew itself. */
export const FRAGMENT_HEADER = 'x-portal-fragment';

/** Tells a browser that there is no stream, and to ask no more. Browsers note other refusals on their consoles. */
export const NO_STREAM: PortalAnswer = { status: 204, body: '' };

export const LIVE: PortalRoute = {
  method: 'GET',
  path: LIVE_PATH,
  roles: EVERYBODY,
  async answer({ session, organisationId, streams, lastEventId, url }) {
    if (organisationId === undefined) return NO_STREAM;
    return streams.open(session, organisationId, lastEventId ?? url.searchParams.get('seen') ?? '') ?? NO_STREAM;
  },
};
