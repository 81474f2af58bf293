import { LEAVE } from './pages/enter/leave.js';
import { REQUEST_LOG_ROUTES } from './pages/request-logs/routes.js';
import type { PortalRoute } from './portal-call.js';

/** Every path of the portal but the door. */
export const ROUTES: readonly PortalRoute[] = [LEAVE, ...REQUEST_LOG_ROUTES];
