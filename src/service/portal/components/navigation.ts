import type { PortalRole } from '../../../store/portal-links.js';
import { EVERYBODY } from '../roles.js';

/** Pages in the order of the navigation, each with whom it is for. */
export const NAVIGATION: ReadonlyArray<{ title: string; path: string; roles: readonly PortalRole[] }> = [
  { title: 'Overview', path: '/overview', roles: EVERYBODY },
  { title: 'API Keys', path: '/api-keys', roles: EVERYBODY },
  { title: 'Request Logs', path: '/request-logs', roles: EVERYBODY },
  { title: 'Job Queues', path: '/job-queues', roles: EVERYBODY },
  { title: 'Webhooks', path: '/webhooks', roles: EVERYBODY },
  { title: 'Functions', path: '/functions', roles: EVERYBODY },
  { title: 'Organisation', path: '/organisation', roles: EVERYBODY },
];

/** The page that a session begins with. */
export const HOME_PATH = '/overview';
