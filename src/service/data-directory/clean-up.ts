import type { Blobs } from '../../store/blobs.js';
import { IDEMPOTENCY_TTL_MS, type Queue } from '../../store/queue.js';
import { removeExpired } from '../../store/remove-expired.js';
import type { Store } from '../../store/store.js';
import type { ServiceConfig } from '../config/service-config.js';
import type { Log } from '../log.js';

const INTERVAL_MS = 3_600_000;

/** Removes files of interrupted uploads and ended jobs of an earlier process. Call it at start, before any upload. */
export async function removeLeftovers(queue: Queue, blobs: Blobs): Promise<number> {
  return await blobs.removeOrphans(await queue.listNeededDocuments());
}

/** Removes expired records, now and every hour. Returns the function that stops it within a few rows. */
export function startCleanUp(store: Store, config: ServiceConfig, log: Log): () => Promise<void> {
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const cleanUp = () => {
    running = removeExpired(store, { ...config, idempotencyTtlMs: IDEMPOTENCY_TTL_MS }, Date.now(), stop.signal).then(
      (removed) => {
        if (removed > 0) log.info({ removed }, 'old records removed');
      },
      (error: unknown) => log.error({ reason: String(error) }, 'old records could not be removed'),
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
