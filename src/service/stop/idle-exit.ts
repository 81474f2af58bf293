import { hasPendingDeliveries } from '../../store/webhook-deliveries.js';
import type { ServiceComponents } from '../service-components.js';

const LOOK_EVERY_MS = 1_000;

/** Stops the service after `idleExitMs` without calls, jobs and deliveries. Returns the function that ends the watch. */
export function watchIdleness(
  { config, activity, queue, store, log }: ServiceComponents,
  stop: () => Promise<void>,
): () => void {
  const { idleExitMs } = config;
  if (idleExitMs === undefined) return () => {};
  const look = async () => {
    if (activity.openRequests > 0 || performance.now() - activity.lastEndedAtMs < idleExitMs) return;
    if ((await queue.countUnfinished()) > 0 || (await hasPendingDeliveries(store))) return;
    log.info({ idleExitMs }, 'nothing to do for so long: stopping');
    await stop();
  };
  const timer = setInterval(
    () => look().catch((error: unknown) => log.error({ reason: String(error) }, 'the store cannot be read')),
    Math.min(LOOK_EVERY_MS, Math.max(10, idleExitMs / 4)),
  );
  return () => clearInterval(timer);
}
