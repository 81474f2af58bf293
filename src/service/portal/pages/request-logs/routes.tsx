import { answerPage } from '../../answers.js';
import { Page } from '../../components/page.js';
import type { PortalRoute } from '../../portal-call.js';
import { EVERYBODY } from '../../roles.js';

export const REQUEST_LOG_ROUTES: readonly PortalRoute[] = [
  {
    method: 'GET',
    path: '/request-logs',
    roles: EVERYBODY,
    answer: async ({ frame }) =>
      answerPage(
        <Page frame={frame} title="Request Logs">
          <p>{frame.organisation === undefined ? 'All organisations' : frame.organisation.name}</p>
        </Page>,
      ),
  },
];
