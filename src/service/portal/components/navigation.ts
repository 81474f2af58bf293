import type { PortalRole } from '../../../store/portal-sessions.js';
import { EVERYBODY, STAFF } from '../roles.js';

/** Pages in the order of the navigation, each with whom it is for. `isOfAll`: a page about no organisation in particular. */
export const NAVIGATION: ReadonlyArray<{ title: string; path: string; roles: readonly PortalRole[]; isOfAll?: true }> =
  [
    { title: 'Overview', path: '/overview', roles: EVERYBODY },
    { title: 'API Keys', path: '/api-keys', roles: EVERYBODY },
    { title: 'Request Logs', path: '/request-logs', roles: EVERYBODY },
    { title: 'Job Queues', path: '/job-queues', roles: EVERYBODY },
    { title: 'Webhooks', path: '/webhooks', roles: EVERYBODY },
    { title: 'Functions', path: '/functions', roles: EVERYBODY },
    { title: 'Organisation', path: '/organisation', roles: EVERYBODY },
    { title: 'Operator', path: '/operator', roles: STAFF, isOfAll: true },
  ];

/** The page that a session begins with. */
export const HOME_PATH = '/overview';
