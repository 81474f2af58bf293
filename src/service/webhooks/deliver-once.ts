import type { Store } from '../../store/store.js';
import { type Attempt, type ClaimedDelivery, finishAttempt, releaseDelivery } from '../../store/webhook-deliveries.js';
import type { Log } from '../log.js';

/** Share by which each retry delay varies, so that deliveries that failed together do not retry together. */
const JITTER_SHARE = 0.1;

export interface DeliveryOptions {
  store: Store;
  log: Log;
  retryDelaysMs: readonly number[];
  /** Makes one attempt; undefined when this service cut it off itself. */
  attempt(delivery: ClaimedDelivery): Promise<Attempt | undefined>;
  /** Unix milliseconds on a clock that nobody sets, and a random number in [0, 1); tests pass their own. */
  now?: () => number;
  random?: () => number;
}

/** Makes one attempt of a delivery, records it and logs it. An attempt that was cut off is returned to the store uncounted. */
export async function deliverOnce(delivery: ClaimedDelivery, options: DeliveryOptions): Promise<void> {
  const { store, log, retryDelaysMs, now = options.store.clock.steadyNow, random = Math.random } = options;
  const attempt = await options.attempt(delivery);
  if (attempt === undefined) return await releaseDelivery(store, delivery);
  const recorded = await finishAttempt(store, delivery, attempt, {
    isDelivered: isSuccess(attempt),
    delaysMs: retryDelaysMs.map((ms) => jitter(ms, random)),
    nowMs: now(),
  });
  log.info(
    {
      deliveryId: delivery.id,
      endpointId: delivery.endpointId,
      event: delivery.event,
      attempt: recorded?.number,
      outcome: recorded?.status ?? 'taken over',
      status: attempt.status,
      error: attempt.error,
      durationMs: attempt.latencyMs,
    },
    'delivery',
  );
}

function isSuccess({ status = 0 }: Attempt): boolean {
  return status >= 200 && status < 300;
}

function jitter(ms: number, random: () => number): number {
  return Math.round(ms * (1 - JITTER_SHARE + 2 * JITTER_SHARE * random()));
}
