import type { Store } from '../../store/store.js';
import { type ClaimedDelivery, claimDeliveries, findNextDue, releaseDelivery } from '../../store/webhook-deliveries.js';
import type { Log } from '../log.js';
import { noteTrouble } from '../note-trouble.js';
import { createSingleFlight } from '../single-flight.js';
import type { Slots } from './slots.js';
import { createTurns } from './turns.js';

/** Longest time until the poller sees a delivery that another process wrote or resent. */
const POLL_INTERVAL_MS = 1_000;
/** Part of a lease beyond the attempt itself: time for the store to record the attempt. */
const LEASE_MARGIN_MS = 60_000;

export interface DeliveryPoller {
  /** Starts a look for due deliveries. */
  wake(): void;
  /** Resolves when no look runs and none will start. */
  stop(): Promise<void>;
}

export interface DeliveryPollerOptions {
  store: Store;
  slots: Slots;
  log: Log;
  /** Longest time of one attempt. */
  attemptTimeoutMs: number;
  /** Starts an attempt of a claimed delivery, without waiting for it. */
  begin(delivery: ClaimedDelivery): void;
  /** Unix milliseconds on a clock that nobody sets; tests pass their own. */
  now?: () => number;
}

/** Claims due deliveries as slots are free, and looks again when the next one is due. */
export function createDeliveryPoller(options: DeliveryPollerOptions): DeliveryPoller {
  const { store, slots, log, attemptTimeoutMs, begin, now = options.store.clock.steadyNow } = options;
  const turns = createTurns(store);
  const looks = createSingleFlight(look);
  let nextLook: NodeJS.Timeout | undefined;
  let isStopping = false;

  async function look(): Promise<void> {
    clearTimeout(nextLook);
    let waitMs = POLL_INTERVAL_MS;
    try {
      let nextMs = await findNextDue(store);
      if (nextMs !== undefined && nextMs <= now()) {
        await claimDue();
        nextMs = await findNextDue(store, now());
      }
      if (nextMs !== undefined) waitMs = Math.min(POLL_INTERVAL_MS, Math.max(1, nextMs - now()));
    } catch (error) {
      noteTrouble(log, error, 'deliveries could not be looked up');
    }
    nextLook = setTimeout(looks.wake, waitMs);
    nextLook.unref();
  }

  async function claimDue(): Promise<void> {
    const nowMs = now();
    const due = await turns.choose(slots, nowMs);
    if (due.length === 0) return;
    for (const delivery of await claimDeliveries(store, due, nowMs, attemptTimeoutMs + LEASE_MARGIN_MS)) {
      if (isStopping) await releaseDelivery(store, delivery);
      else begin(delivery);
    }
  }

  return {
    wake: looks.wake,
    stop: async () => {
      isStopping = true;
      await looks.stop();
      clearTimeout(nextLook);
    },
  };
}
