import type { PortalRole } from '../../store/portal-sessions.js';

export const EVERYBODY: readonly PortalRole[] = ['owner', 'member', 'support', 'operator'];

/** Roles of the members of an organisation. */
export const PEOPLE: readonly PortalRole[] = ['owner', 'member'];

/** Roles that see every organisation. */
export const STAFF: readonly PortalRole[] = ['support', 'operator'];

/** Roles that change keys and endpoints. */
export const OWNERS: readonly PortalRole[] = ['owner', 'operator'];

/** Roles that send again, and try. */
export const MEMBERS: readonly PortalRole[] = ['owner', 'member', 'operator'];

/** Roles that step into the running of the service. */
export const OPERATORS: readonly PortalRole[] = ['operator'];
