import { LIVE } from './live/route.js';
import { API_KEY_ROUTES } from './pages/api-keys/routes.js';
import { LEAVE } from './pages/enter/leave.js';
import { FUNCTION_ROUTES } from './pages/functions/routes.js';
import { JOB_QUEUE_ROUTES } from './pages/job-queues/routes.js';
import { OPERATOR_ROUTES } from './pages/operator/routes.js';
import { ORGANISATION_ROUTES } from './pages/organisation/routes.js';
import { OVERVIEW_ROUTES } from './pages/overview/routes.js';
import { REQUEST_LOG_ROUTES } from './pages/request-logs/routes.js';
import { TRY_ROUTES } from './pages/try-it/routes.js';
import { WEBHOOK_ROUTES } from './pages/webhooks/routes.js';
import type { PortalRoute } from './portal-call.js';

/** Every path of the portal but the door. */
export const ROUTES: readonly PortalRoute[] = [
  LEAVE,
  LIVE,
  ...OVERVIEW_ROUTES,
  ...API_KEY_ROUTES,
  ...REQUEST_LOG_ROUTES,
  ...JOB_QUEUE_ROUTES,
  ...WEBHOOK_ROUTES,
  ...FUNCTION_ROUTES,
  ...ORGANISATION_ROUTES,
  ...OPERATOR_ROUTES,
  ...TRY_ROUTES,
];
