import { parseSignature, readTimestamp, verifySignature } from '../contract/signature.js';
import { isEventType } from '../contract/webhook-event.js';
import { InputError, WebhookError } from './errors.js';
import { refuseUnknownOptions } from './refuse-unknown-options.js';
import type { VerifyWebhookOptions, WebhookEvent } from './types.js';

const DEFAULT_TOLERANCE_S = 300;

/**
 * Checks the signature of a webhook delivery and returns its event.
 * @throws WebhookError with its `reason`; InputError without a secret, and for an unknown option
 */
export function verifyWebhook(options: VerifyWebhookOptions): WebhookEvent {
  refuseUnknownOptions('verifyWebhook', options);
  const { body, signature, secrets, toleranceSeconds = DEFAULT_TOLERANCE_S } = options;
  const known = [secrets].flat().filter((secret): secret is string => typeof secret === 'string' && secret !== '');
  if (known.length === 0) throw new InputError('USAGE', 'verifyWebhook needs the signing secret of the endpoint');
  if (!(toleranceSeconds >= 0)) throw new InputError('USAGE', 'toleranceSeconds must be a number of seconds');
  if (typeof body !== 'string' && !(body instanceof Uint8Array))
    throw new InputError('USAGE', 'verifyWebhook needs the raw body, as it was before it was parsed');
  const header = [signature].flat().join(',');
  if (header.trim() === '') throw new WebhookError('missing-signature', 'The delivery has no X-Service-Signature');
  const parsed = parseSignature(header);
  if (readTimestamp(parsed.t) === undefined || parsed.v1.length === 0)
    throw new WebhookError('malformed-signature', 'The X-Service-Signature has no time or no digest');
  const rawBody = typeof body === 'string' ? Buffer.from(body) : body;
  const nowS = Date.now() / 1_000;
  const verdict = verifySignature({ signature: parsed, rawBody, secrets: known, nowS, toleranceS: toleranceSeconds });
  if (!verdict.isDigestRight) throw new WebhookError('wrong-signature', 'The signature is not of this body and secret');
  if (!verdict.isInTolerance) {
    const distance = `${Math.round(Math.abs(verdict.ageS))} s ${verdict.ageS < 0 ? 'in the future' : 'old'}`;
    throw new WebhookError('outside-tolerance', `The delivery is ${distance}, more than ${toleranceSeconds} s`);
  }
  return readEvent(Buffer.from(rawBody).toString('utf8'));
}

function readEvent(text: string): WebhookEvent {
  try {
    const event = JSON.parse(text) as Partial<WebhookEvent> | null;
    const { type, data } = event ?? {};
    if (typeof type === 'string' && isEventType(type) && typeof data === 'object' && data !== null)
      return event as WebhookEvent;
  } catch {
    // Below.
  }
  throw new WebhookError('malformed-event', 'The body is signed, but it is no event of this service');
}
