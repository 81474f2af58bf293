import { setMaxListeners } from 'node:events';
import type { Store } from '../../store/store.js';
import { type ClaimedDelivery, releaseAllDeliveries } from '../../store/webhook-deliveries.js';
import type { ServiceConfig } from '../config/service-config.js';
import type { Log } from '../log.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { createAddressPolicy } from './address-policy.js';
import { attemptDelivery } from './attempt-delivery.js';
import { deliverOnce } from './deliver-once.js';
import { createDeliveryPoller } from './delivery-poller.js';
import { explainFailure } from './explain-failure.js';
import { type ResolveHost, resolveHost } from './resolve-host.js';
import { createSlots } from './slots.js';

/** Time that stopping waits for running attempts. */
const MAX_STOP_WAIT_MS = 5_000;

export interface WebhookSender {
  /** Starts a look for due deliveries. */
  wake(): void;
  /** Ends running attempts within seconds or returns them to the store; the other deliveries wait for the next start. */
  stop(): Promise<void>;
}

/** The sender of a process that sends no webhooks: those that take calls do. */
export const NO_SENDER: WebhookSender = { wake: () => {}, stop: async () => {} };

export interface WebhookSenderOptions {
  store: Store;
  box: SecretBox;
  config: Pick<ServiceConfig, 'webhookRetryDelaysMs' | 'webhookTimeoutMs' | 'webhookAllowCidrs'>;
  version: string;
  log: Log;
  /** Called with the organisation of a delivery after each attempt. */
  onAttempt?: (organisationId: string) => void;
  /** Replaces the system's name servers in tests. */
  resolve?: ResolveHost;
}

/**
 * Sends the deliveries of the store: at least once, under a stable id, in attempts that the store remembers across restarts.
 * Endpoints do not wait for each other. Processes that share the store share the deliveries.
 */
export async function startWebhookSender(options: WebhookSenderOptions): Promise<WebhookSender> {
  const { store, box, config, log, version, resolve = resolveHost, onAttempt = () => {} } = options;
  const settings = {
    box,
    isAllowed: createAddressPolicy(config.webhookAllowCidrs),
    resolve,
    timeoutMs: config.webhookTimeoutMs,
    version,
    now: store.clock.now,
  };
  const slots = createSlots();
  const running = new Set<Promise<void>>();
  const cutOff = new AbortController();
  // Every attempt listens to this signal.
  setMaxListeners(0, cutOff.signal);
  const poller = createDeliveryPoller({ store, slots, log, attemptTimeoutMs: config.webhookTimeoutMs, begin });

  function begin(delivery: ClaimedDelivery): void {
    slots.take(delivery);
    const ended = deliverOnce(delivery, {
      store,
      log,
      retryDelaysMs: config.webhookRetryDelaysMs,
      attempt: (claimed) => attemptDelivery(claimed, settings, cutOff.signal),
    })
      .catch((error: unknown) =>
        // The delivery is due again when its lease ends.
        log.error({ deliveryId: delivery.id, reason: explainFailure(error) }, 'an attempt could not be written down'),
      )
      .finally(() => {
        onAttempt(delivery.organisationId);
        slots.free(delivery);
        running.delete(ended);
        poller.wake();
      });
    running.add(ended);
  }

  // Others send deliveries of a shared store, and lose them when their leases end.
  const released = store.isShared ? 0 : await releaseAllDeliveries(store);
  store.bell.listen('webhook', poller.wake);
  if (released > 0) log.info({ released }, 'deliveries of an earlier process go on');
  poller.wake();
  return {
    wake: poller.wake,
    stop: async () => {
      await poller.stop();
      const timer = setTimeout(() => cutOff.abort(new Error('the service is stopping')), MAX_STOP_WAIT_MS);
      await Promise.all(running);
      clearTimeout(timer);
    },
  };
}
