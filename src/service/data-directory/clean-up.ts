import type { Blobs } from '../../store/blobs/blobs.js';
import { type Duty, doInTurn } from '../../store/duties.js';
import { IDEMPOTENCY_TTL_MS } from '../../store/queue.js';
import { removeExpired } from '../../store/remove-expired.js';
import type { Store } from '../../store/store.js';
import type { ServiceConfig } from '../config/service-config.js';
import type { Log } from '../log.js';
import { noteTrouble } from '../note-trouble.js';

const CLEAN_UP: Duty = { name: 'clean-up', intervalMs: 3_600_000, leaseMs: 60_000 };
/** Shortest time between two looks. */
const MIN_WAIT_MS = 1_000;
/** Time until the next look after one that failed. */
const RETRY_MS = 60_000;

type Ages = Pick<ServiceConfig, 'resultTtlMs' | 'cacheTtlMs' | 'requestLogTtlMs'>;

/**
 * Removes expired records, and documents that no job needs, now and every hour; of several processes one does it. Returns the
 * function that stops it within a few rows.
 */
export function startCleanUp(
  { store, blobs }: { store: Store; blobs: Pick<Blobs, 'sweep'> },
  config: Ages,
  log: Log,
): () => Promise<void> {
  const stop = new AbortController();
  const ages = { ...config, idempotencyTtlMs: IDEMPOTENCY_TTL_MS };
  let timer: NodeJS.Timeout | undefined;
  let running = look();

  async function remove(what: string, work: () => Promise<number>): Promise<void> {
    try {
      const removed = await work();
      if (removed > 0) log.info({ removed }, `${what} removed`);
    } catch (error) {
      log.error({ reason: String(error) }, `${what} could not be removed`);
    }
  }

  async function cleanUp(signal: AbortSignal): Promise<void> {
    await remove('old records', () => removeExpired(store, ages, store.clock.now(), signal));
    if (!signal.aborted) await remove('documents that no job needs', () => blobs.sweep(signal));
  }

  async function look(): Promise<void> {
    const waitMs = await doInTurn(store, CLEAN_UP, cleanUp, stop.signal).catch((error: unknown) => {
      noteTrouble(log, error, 'old records could not be looked for');
      return RETRY_MS;
    });
    if (stop.signal.aborted) return;
    timer = setTimeout(
      () => {
        running = look();
      },
      Math.max(MIN_WAIT_MS, waitMs),
    ).unref();
  }

  return async () => {
    stop.abort();
    clearTimeout(timer);
    await running;
  };
}
