import type { Blobs } from '../../store/blobs/blobs.js';
import { IDEMPOTENCY_TTL_MS } from '../../store/queue.js';
import { removeExpired } from '../../store/remove-expired.js';
import type { Store } from '../../store/store.js';
import type { ServiceConfig } from '../config/service-config.js';
import type { Log } from '../log.js';

const INTERVAL_MS = 3_600_000;

/** Removes expired records, and documents that no job needs, now and every hour. Returns the function that stops it within a few rows. */
export function startCleanUp(
  { store, blobs }: { store: Store; blobs: Blobs },
  config: ServiceConfig,
  log: Log,
): () => Promise<void> {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const remove = async (what: string, work: () => Promise<number>) => {
    try {
      const removed = await work();
      if (removed > 0) log.info({ removed }, `${what} removed`);
    } catch (error) {
      log.error({ reason: String(error) }, `${what} could not be removed`);
    }
  };
  const ages = { ...config, idempotencyTtlMs: IDEMPOTENCY_TTL_MS };
  const cleanUp = () => {
    running = remove('old records', () => removeExpired(store, ages, store.clock.now(), stop.signal)).then(() =>
      remove('documents that no job needs', () => blobs.sweep(stop.signal)),
    );
  };
  cleanUp();
  const timer = setInterval(cleanUp, INTERVAL_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  };
}
