import { setMaxListeners } from 'node:events';
import type { Store } from '../../store/store.js';
import {
  type Attempt,
  type ClaimedDelivery,
  claimDeliveries,
  findNextDue,
  finishAttempt,
  releaseAllDeliveries,
  releaseDelivery,
} from '../../store/webhook-deliveries.js';
import type { ServiceConfig } from '../config/service-config.js';
import type { Log } from '../log.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { createSingleFlight } from '../single-flight.js';
import { createAddressPolicy } from './address-policy.js';
import { attemptDelivery } from './attempt-delivery.js';
import { explainFailure } from './explain-failure.js';
import { type ResolveHost, resolveHost } from './resolve-host.js';
import { createSlots } from './slots.js';
import { createTurns } from './turns.js';

/** How late a delivery is seen that another process wrote or asked for again. */
const LOOK_EVERY_MS = 1_000;
/** What the store may take to write down an attempt, beyond the attempt's own time. */
const LEASE_MARGIN_MS = 60_000;
/** How long stopping waits for attempts under way. */
const STOP_PATIENCE_MS = 5_000;
/** Each delay is made up to so much longer or shorter, so that what failed together does not come again together. */
const JITTER = 0.1;

export interface WebhookSender {
  /** There is, or may be, something to send. */
  wake(): void;
  /** Attempts under way end within seconds or are given back; the rest waits for the next start. */
  stop(): Promise<void>;
}

export interface WebhookSenderOptions {
  store: Store;
  box: SecretBox;
  config: Pick<ServiceConfig, 'webhookRetryDelaysMs' | 'webhookTimeoutMs' | 'webhookAllowCidrs'>;
  version: string;
  log: Log;
  /** Another one than the system's name servers: a test's. */
  resolve?: ResolveHost;
}

/**
 * Sends what the store has to deliver: at least once, under an id that stays, in attempts that the store remembers across
 * restarts. Endpoints do not wait for each other. Call it as the only holder of the store.
 */
export async function startWebhookSender(options: WebhookSenderOptions): Promise<WebhookSender> {
  const { store, box, config, log, version, resolve = resolveHost } = options;
  const settings = {
    box,
    isAllowed: createAddressPolicy(config.webhookAllowCidrs),
    resolve,
    timeoutMs: config.webhookTimeoutMs,
    version,
  };
  const slots = createSlots();
  const turns = createTurns(store);
  const underWay = new Set<Promise<void>>();
  const cutOff = new AbortController();
  // Every attempt listens to it.
  setMaxListeners(0, cutOff.signal);
  const looks = createSingleFlight(look);
  let nextLook: NodeJS.Timeout | undefined;
  let isStopping = false;

  /** Begins what is due and can be sent, and sees to it that the next look comes in time. */
  async function look(): Promise<void> {
    clearTimeout(nextLook);
    let waitMs = LOOK_EVERY_MS;
    try {
      await sendDue();
      const nowMs = Date.now();
      const nextMs = findNextDue(store, nowMs) ?? Number.POSITIVE_INFINITY;
      waitMs = Math.min(LOOK_EVERY_MS, Math.max(1, nextMs - nowMs));
    } catch (error) {
      log.error({ reason: explainFailure(error) }, 'deliveries could not be looked up');
    }
    nextLook = setTimeout(looks.wake, waitMs);
    nextLook.unref();
  }

  async function sendDue(): Promise<void> {
    const nowMs = Date.now();
    if ((findNextDue(store) ?? Number.POSITIVE_INFINITY) > nowMs) return;
    const due = turns.choose(slots, nowMs);
    if (due.length === 0) return;
    for (const delivery of await claimDeliveries(store, due, nowMs, config.webhookTimeoutMs + LEASE_MARGIN_MS)) {
      if (isStopping) await releaseDelivery(store, delivery);
      else begin(delivery);
    }
  }

  function begin(delivery: ClaimedDelivery): void {
    slots.take(delivery.endpointId);
    const ended = deliver(delivery)
      .catch((error: unknown) =>
        // It is due again when its lease ends.
        log.error({ deliveryId: delivery.id, reason: explainFailure(error) }, 'an attempt could not be written down'),
      )
      .finally(() => {
        slots.free(delivery.endpointId);
        underWay.delete(ended);
        looks.wake();
      });
    underWay.add(ended);
  }

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const attempt = await attemptDelivery(delivery, settings, cutOff.signal);
    if (attempt === undefined) return await releaseDelivery(store, delivery);
    const written = await finishAttempt(store, delivery, attempt, {
      isDelivered: isSuccess(attempt),
      delaysMs: jitter(config.webhookRetryDelaysMs),
      nowMs: Date.now(),
    });
    log.info(
      {
        deliveryId: delivery.id,
        endpointId: delivery.endpointId,
        event: delivery.event,
        attempt: written?.number,
        outcome: written?.status ?? 'taken over',
        status: attempt.status,
        error: attempt.error,
        durationMs: attempt.latencyMs,
      },
      'delivery',
    );
  }

  const released = await releaseAllDeliveries(store);
  if (released > 0) log.info({ released }, 'deliveries of an earlier process go on');
  looks.wake();
  return {
    wake: looks.wake,
    stop: async () => {
      isStopping = true;
      await looks.stop();
      clearTimeout(nextLook);
      const timer = setTimeout(() => cutOff.abort(new Error('the service is stopping')), STOP_PATIENCE_MS);
      await Promise.all(underWay);
      clearTimeout(timer);
    },
  };
}

function isSuccess({ status = 0 }: Attempt): boolean {
  return status >= 200 && status < 300;
}

function jitter(delaysMs: readonly number[]): number[] {
  return delaysMs.map((ms) => Math.round(ms * (1 - JITTER + 2 * JITTER * Math.random())));
}
