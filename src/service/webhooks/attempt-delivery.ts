import { createSignature } from '../../contract/signature.js';
import type { Attempt, ClaimedDelivery } from '../../store/webhook-deliveries.js';
import type { SecretBox } from '../secrets/secret-box.js';
import type { AddressPolicy } from './address-policy.js';
import { checkTarget } from './check-target.js';
import { AttemptTimeoutError, explainFailure } from './explain-failure.js';
import { postToTarget, type Received } from './post-to-target.js';
import type { ResolveHost } from './resolve-host.js';
import { openSigningSecrets } from './signing-secrets.js';

/** Settings that all attempts of this service share. */
export interface AttemptSettings {
  box: SecretBox;
  isAllowed: AddressPolicy;
  resolve: ResolveHost;
  timeoutMs: number;
  /** Version of this service in the User-Agent. */
  version: string;
  /** The time that receivers see, in Unix milliseconds. */
  now(): number;
}

/**
 * Makes one attempt, from the look-up of the name to the answer. Undefined when `stop` ended it, which says nothing about the
 * receiver.
 */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  settings: AttemptSettings,
  stop: AbortSignal,
): Promise<Attempt | undefined> {
  const startedAtMs = settings.now();
  const startedAt = performance.now();
  const { timeoutMs } = settings;
  const cutOff = new AbortController();
  const end = () => cutOff.abort(stop.reason);
  const timer = setTimeout(() => cutOff.abort(new AttemptTimeoutError(`no answer within ${timeoutMs} ms`)), timeoutMs);
  stop.addEventListener('abort', end);
  let [status, answer, error]: [number?, string?, string?] = [];
  try {
    ({ status, answer } = await send(delivery, settings, cutOff.signal));
  } catch (reason) {
    if (stop.aborted) return undefined;
    error = explainFailure(reason);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
  }
  return { startedAtMs, latencyMs: Math.round(performance.now() - startedAt), status, error, answer };
}

async function send(
  delivery: ClaimedDelivery,
  { box, isAllowed, resolve, version, now }: AttemptSettings,
  signal: AbortSignal,
): Promise<Received> {
  const target = await checkTarget(delivery.url, isAllowed, resolve, signal);
  signal.throwIfAborted();
  const body = Buffer.from(delivery.body, 'utf8');
  const nowMs = now();
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
