import type { FastifyInstance } from 'fastify';
import { PORTAL_PATH } from '../../contract/portal.js';
import { ServiceError } from '../http/service-error.js';
import type { ServiceComponents } from '../service-components.js';
import type { Portal } from './create-portal.js';

/** True for a path of the portal, with or without a query. */
export function isPortalPath(url: string): boolean {
  return url.startsWith(PORTAL_PATH) && /^(?:$|[/?])/.test(url.slice(PORTAL_PATH.length));
}

/** `/portal` and all paths below it. What answers them is imported at the first call, so that the service starts without it. */
export function registerPortal(app: FastifyInstance, components: ServiceComponents): void {
  let portal: Promise<Portal> | undefined;
  const load = async (): Promise<Portal> => (await import('./create-portal.js')).createPortal(components);
  // Streams of open pages would keep a stopping service waiting.
  app.addHook('preClose', async () => (await portal)?.close());
  // Whoever takes the portal's address for the service's is told; the portal would send programs to its door.
  app.all(`${PORTAL_PATH}/v1/*`, () => {
    throw new ServiceError(
      'NOT_FOUND',
      `Nothing is called below ${PORTAL_PATH}: leave ${PORTAL_PATH} out of the address`,
    );
  });
  for (const path of [PORTAL_PATH, `${PORTAL_PATH}/*`])
    app.all(path, async (request, reply) => {
      portal ??= load();
      return await (await portal).answer(request, reply);
    });
}
