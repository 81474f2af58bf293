import type { PortalCall } from '../portal-call.js';

/** Keys, organisations and plans are cached for a while; a change takes effect at once in all processes. */
export function forgetAccess({ components }: Pick<PortalCall, 'components'>): void {
  components.access.clear();
  components.store.bell.ring('access');
}
