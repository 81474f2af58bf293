import type { PortalRole } from '../../store/portal-links.js';

export const EVERYBODY: readonly PortalRole[] = ['owner', 'member', 'support', 'operator'];
