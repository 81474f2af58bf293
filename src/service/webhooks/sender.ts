import { createSignature } from '../../contract/signature.js';
import type { Store } from '../../store/store.js';
import {
  type Attempt,
  type ClaimedDelivery,
  claimDeliveries,
  findNextDue,
  findNextWaitingEndpoint,
  finishAttempt,
  listDue,
  releaseAllDeliveries,
  releaseDelivery,
} from '../../store/webhook-deliveries.js';
import type { ServiceConfig } from '../config.js';
import type { Log } from '../log.js';
import type { SecretBox } from '../secret-box.js';
import { createAddressPolicy } from './address-policy.js';
import { checkTarget } from './check-target.js';
import { AttemptTimeoutError, explainFailure } from './explain-failure.js';
import { postToTarget } from './post-to-target.js';
import { type ResolveHost, resolveHost } from './resolve-host.js';
import { openSigningSecrets } from './signing-secrets.js';
import { createSlots } from './slots.js';

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
  const isAllowed = createAddressPolicy(config.webhookAllowCidrs);
  const slots = createSlots();
  const underWay = new Map<AbortController, Promise<void>>();
  let isStopping = false;
  let looking: Promise<void> | undefined;
  let wasWoken = false;
  let timer: NodeJS.Timeout | undefined;
  /** Where the next look begins, so that every endpoint has its turn when there is more than can be sent. */
  let lastServed = '';

  function wake(): void {
    wasWoken = true;
    if (isStopping || looking !== undefined) return;
    clearTimeout(timer);
    looking = look().then((waitMs) => {
      looking = undefined;
      if (isStopping) return;
      // Asked again since its last look.
      if (wasWoken) return wake();
      timer = setTimeout(wake, waitMs);
      timer.unref();
    });
  }

  /** Returns how long nothing is due, unless somebody asks for another look. */
  async function look(): Promise<number> {
    wasWoken = false;
    try {
      await sendDue();
      const nowMs = Date.now();
      const nextMs = findNextDue(store, nowMs) ?? Number.POSITIVE_INFINITY;
      return Math.min(LOOK_EVERY_MS, Math.max(1, nextMs - nowMs));
    } catch (error) {
      log.error({ reason: explainFailure(error) }, 'deliveries could not be looked up');
      return LOOK_EVERY_MS;
    }
  }

  async function sendDue(): Promise<void> {
    const nowMs = Date.now();
    if ((findNextDue(store) ?? Number.POSITIVE_INFINITY) > nowMs) return;
    const due = findDue(nowMs);
    if (due.length === 0) return;
    for (const delivery of await claimDeliveries(store, due, nowMs, config.webhookTimeoutMs + LEASE_MARGIN_MS)) {
      if (isStopping) await releaseDelivery(store, delivery);
      else begin(delivery);
    }
  }

  /** As many as there are slots for, endpoint by endpoint, from where the last look ended. */
  function findDue(nowMs: number): string[] {
    const due: string[] = [];
    const planned = slots.plan();
    const start = lastServed;
    let hasWrapped = false;
    for (let at = start; ; ) {
      const endpointId = findNextWaitingEndpoint(store, at);
      if (endpointId === undefined || (hasWrapped && endpointId > start)) {
        if (hasWrapped || start === '') return due;
        hasWrapped = true;
        at = '';
        continue;
      }
      at = endpointId;
      const free = planned.freeFor(endpointId);
      const found = free === 0 ? [] : listDue(store, endpointId, nowMs, free);
      if (found.length > 0) lastServed = endpointId;
      planned.take(endpointId, found.length);
      due.push(...found);
      if (planned.isFull()) return due;
    }
  }

  function begin(delivery: ClaimedDelivery): void {
    const controller = new AbortController();
    slots.take(delivery.endpointId);
    const ended = attempt(delivery, controller)
      .catch((error: unknown) =>
        // It is due again when its lease ends.
        log.error({ deliveryId: delivery.id, reason: explainFailure(error) }, 'an attempt could not be written down'),
      )
      .finally(() => {
        slots.free(delivery.endpointId);
        underWay.delete(controller);
        wake();
      });
    underWay.set(controller, ended);
  }

  async function attempt(delivery: ClaimedDelivery, controller: AbortController): Promise<void> {
    const startedAtMs = Date.now();
    const timeoutMs = config.webhookTimeoutMs;
    const timeout = setTimeout(
      () => controller.abort(new AttemptTimeoutError(`no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    let [status, answer, error]: [number?, string?, string?] = [];
    try {
      ({ status, answer } = await send(delivery, controller.signal));
    } catch (reason) {
      if (reason instanceof StoppingError) return await releaseDelivery(store, delivery);
      error = explainFailure(reason);
    } finally {
      clearTimeout(timeout);
    }
    const nowMs = Date.now();
    const made: Attempt = { startedAtMs, latencyMs: nowMs - startedAtMs, status, error, answer };
    const isDelivered = status !== undefined && status >= 200 && status < 300;
    const written = await finishAttempt(store, delivery, made, {
      isDelivered,
      delaysMs: jitter(config.webhookRetryDelaysMs),
      nowMs,
    });
    log.info(
      {
        deliveryId: delivery.id,
        endpointId: delivery.endpointId,
        event: delivery.event,
        attempt: written?.number,
        outcome: written?.status ?? 'taken over',
        status,
        error,
        durationMs: made.latencyMs,
      },
      'delivery',
    );
  }

  async function send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<{ status: number; answer: string }> {
    const target = await checkTarget(delivery.url, isAllowed, resolve, signal);
    signal.throwIfAborted();
    const body = Buffer.from(delivery.body, 'utf8');
    const nowMs = Date.now();
    const secrets = openSigningSecrets(delivery, box.open, nowMs);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `ocr-webhooks/${version}`,
      'x-service-event': delivery.event,
      'x-service-delivery': delivery.id,
      'x-service-signature': createSignature(secrets, Math.floor(nowMs / 1000), body),
    };
    return await postToTarget(target, body, headers, signal);
  }

  const released = await releaseAllDeliveries(store);
  if (released > 0) log.info({ released }, 'deliveries of an earlier process go on');
  wake();
  return {
    wake,
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      await looking;
      const cutOff = setTimeout(() => {
        for (const controller of underWay.keys()) controller.abort(new StoppingError());
      }, STOP_PATIENCE_MS);
      await Promise.all(underWay.values());
      clearTimeout(cutOff);
    },
  };
}

class StoppingError extends Error {
  override readonly name = 'StoppingError';
}

function jitter(delaysMs: readonly number[]): number[] {
  return delaysMs.map((ms) => Math.round(ms * (1 - JITTER + 2 * JITTER * Math.random())));
}
