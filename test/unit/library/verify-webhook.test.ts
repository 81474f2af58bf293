import { expect, test } from 'vitest';
import { createSignature } from '../../../src/contract/signature.js';
import { renderEvent } from '../../../src/contract/webhook-event.js';
import { InputError, WebhookError } from '../../../src/library/errors.js';
import type { VerifyWebhookOptions } from '../../../src/library/types.js';
import { verifyWebhook } from '../../../src/library/verify-webhook.js';

const SECRET = 'whsec_test_secret';
const BODY = Buffer.from(
  renderEvent('dlv_1', Date.now(), { requestId: 'req_1', function: 'TEXT_EXTRACTION', status: 'failed' }),
);
const nowS = () => Math.floor(Date.now() / 1_000);
const sign = (body: Uint8Array = BODY, t = nowS(), secret = SECRET) => createSignature([secret], t, body);

function reasonOf(options: Partial<VerifyWebhookOptions>): string | undefined {
  try {
    verifyWebhook({ body: BODY, signature: sign(), secrets: SECRET, ...options });
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(WebhookError);
    expect(error).toMatchObject({ name: 'WebhookError', code: 'SIGNATURE_INVALID', retryable: false });
    return (error as WebhookError).reason;
  }
}

test('a valid delivery → its event', () => {
  const event = verifyWebhook({ body: BODY, signature: sign(), secrets: [SECRET] });
  expect(event).toMatchObject({ id: 'dlv_1', type: 'document.failed', data: { requestId: 'req_1' } });
  expect(verifyWebhook({ body: BODY.toString(), signature: sign(), secrets: SECRET })).toEqual(event);
});

test('one of several secrets, or of several signatures → valid', () => {
  expect(reasonOf({ secrets: ['whsec_other', SECRET] })).toBeUndefined();
  expect(reasonOf({ signature: createSignature(['whsec_other', SECRET], nowS(), BODY) })).toBeUndefined();
});

test('a delivery that must not be believed → its reason', () => {
  expect(reasonOf({ signature: undefined })).toBe('missing-signature');
  expect(reasonOf({ signature: [] })).toBe('missing-signature');
  expect(reasonOf({ signature: 'v1=00' })).toBe('malformed-signature');
  expect(reasonOf({ signature: `t=soon,v1=${'0'.repeat(64)}` })).toBe('malformed-signature');
  expect(reasonOf({ signature: `t=${nowS()}` })).toBe('malformed-signature');
  expect(reasonOf({ body: Buffer.concat([BODY, Buffer.from('\n')]) })).toBe('wrong-signature');
  expect(reasonOf({ secrets: 'whsec_other' })).toBe('wrong-signature');
  expect(reasonOf({ signature: sign().toUpperCase().replace('T=', 't=').replace('V1', 'v1') })).toBe('wrong-signature');
});

test('an old or a future delivery → outside the tolerance, unless that is larger', () => {
  expect(reasonOf({ signature: sign(BODY, nowS() - 400) })).toBe('outside-tolerance');
  expect(reasonOf({ signature: sign(BODY, nowS() + 400) })).toBe('outside-tolerance');
  expect(reasonOf({ signature: sign(BODY, nowS() - 400), toleranceSeconds: 500 })).toBeUndefined();
  expect(reasonOf({ signature: sign(BODY, nowS() - 60), toleranceSeconds: 0 })).toBe('outside-tolerance');
});

test('a signed body that is no event → refused', () => {
  for (const text of ['not json', 'null', '{"type":"invoice.paid","data":{}}', '{"type":"document.failed"}']) {
    const body = Buffer.from(text);
    expect(reasonOf({ body, signature: sign(body) })).toBe('malformed-event');
  }
});

test('no secret, a parsed body or no tolerance → a mistake of the caller, not of the delivery', () => {
  const check = (options: object) => () =>
    verifyWebhook({ body: BODY, signature: sign(), secrets: SECRET, ...options });
  for (const secrets of [[], '', [undefined], undefined]) expect(check({ secrets })).toThrow(InputError);
  expect(check({ body: JSON.parse(BODY.toString()) })).toThrow(/raw body/);
  for (const toleranceSeconds of [Number.NaN, -1, '5 minutes']) expect(check({ toleranceSeconds })).toThrow(InputError);
});
