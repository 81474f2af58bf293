import { createHmac, randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { createSignature, parseSignature, signBody, verifySignature } from '../../../src/contract/signature.js';

const SECRET = 'whsec_test_secret';
const BODY = Buffer.from('{"test": 2432232314}');
const T = 1614265330;
const DIGEST = '10c96c6fd3f320fcfc264cdc4f476c15060ede8e8a08404cea2ddf3b72544a9c';

/** The npm package stripe signs and verifies the same scheme: a second opinion that we did not write. */
const { webhooks } = new Stripe('sk_test_none');

function verify(
  header: string,
  options: { body?: Uint8Array; secrets?: string[]; nowS?: number; toleranceS?: number } = {},
) {
  const { body = BODY, secrets = [SECRET], nowS = T, toleranceS = 300 } = options;
  const verdict = verifySignature({ signature: parseSignature(header), rawBody: body, secrets, nowS, toleranceS });
  return { ...verdict, isValid: verdict.isDigestRight && verdict.isInTolerance };
}

test('the known vector → signed and verified', () => {
  expect(signBody(SECRET, String(T), BODY)).toBe(DIGEST);
  expect(createSignature([SECRET], T, BODY)).toBe(`t=${T},v1=${DIGEST}`);
  expect(verify(`t=${T},v1=${DIGEST}`)).toEqual({
    ageS: 0,
    isDigestRight: true,
    isInTolerance: true,
    secret: 0,
    isValid: true,
  });
});

describe('against the package stripe', () => {
  const bodies = ['{}', '{"a":"ä€😀"}', 'not json', '{"id":1}\r\n', ' '.repeat(10_000), 'a.b=c,t=1'];
  test.each(bodies)('a signature of stripe → verified by us, and ours by stripe: %j', (text) => {
    const secret = `whsec_${randomBytes(32).toString('base64url')}`;
    const body = Buffer.from(text);
    const theirs = webhooks.generateTestHeaderString({ payload: text, secret, timestamp: T });
    expect(verify(theirs, { body, secrets: [secret] }).isValid).toBe(true);
    const ours = createSignature([secret], T, body);
    const taken = () => webhooks.signature?.verifyHeader(body, ours, secret, 300, undefined, T * 1000);
    expect(taken()).toBe(true);
  });

  test('capitals, a digest that is cut or too long → refused by both', () => {
    const header = createSignature([SECRET], T, BODY);
    for (const bad of [
      header.toUpperCase().replace('T=', 't=').replace('V1=', 'v1='),
      header.slice(0, -1),
      `${header}0`,
    ]) {
      expect(verify(bad).isValid).toBe(false);
      expect(() => webhooks.signature?.verifyHeader(BODY, bad, SECRET, 300, undefined, T * 1000)).toThrow();
    }
  });
});

test('a body that is no UTF-8 → its bytes are signed, not its text', () => {
  const body = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a]);
  const digest = createHmac('sha256', SECRET)
    .update(Buffer.concat([Buffer.from(`${T}.`), body]))
    .digest('hex');
  expect(verify(`t=${T},v1=${digest}`, { body }).isValid).toBe(true);
  const decoded = Buffer.from(body.toString('utf8'));
  expect(verify(`t=${T},v1=${digest}`, { body: decoded }).isValid).toBe(false);
});

test.each<[number, number, boolean]>([
  [T + 300, 300, true],
  [T + 301, 300, false],
  [T - 300, 300, true],
  [T - 301, 300, false],
  [T, 0, true],
  [T + 1, 0, false],
  [T + 300.5, 300, false],
])('at %d with a tolerance of %d s → valid: %s', (nowS, toleranceS, isValid) => {
  const verdict = verify(`t=${T},v1=${DIGEST}`, { nowS, toleranceS });
  expect(verdict.isDigestRight).toBe(true);
  expect(verdict.isValid).toBe(isValid);
});

test.each(['', 'abc', 'NaN', 'Infinity', '-Infinity', '1e999', '12s'])(
  't=%s, which is no finite number → refused',
  (t) => {
    const digest = signBody(SECRET, t, BODY);
    const verdict = verify(`t=${t},v1=${digest}`, { toleranceS: Number.POSITIVE_INFINITY });
    expect(verdict).toMatchObject({ isDigestRight: false, isValid: false, secret: undefined, ageS: Number.NaN });
  },
);

test('several v1 or several secrets → valid when one pair matches', () => {
  const wrong = 'f'.repeat(64);
  expect(verify(`t=${T},v1=${wrong},v1=${DIGEST}`).isValid).toBe(true);
  expect(verify(`t=${T},v1=${DIGEST},v1=${wrong}`).isValid).toBe(true);
  expect(verify(`t=${T},v1=${wrong}`).isValid).toBe(false);
  expect(verify(`t=${T},v1=${DIGEST}`, { secrets: ['whsec_new', SECRET] }).secret).toBe(1);
  expect(verify(createSignature(['whsec_new', SECRET], T, BODY), { secrets: ['whsec_new'] }).secret).toBe(0);
});

test('unknown keys, spaces and another order → the same verdict', () => {
  expect(parseSignature(` v0=x , v1=${DIGEST}, foo, =, t=${T},v2=y=z`)).toEqual({ t: String(T), v1: [DIGEST] });
  expect(verify(`v0=${'0'.repeat(64)},v1=${DIGEST},t=${T}`).isValid).toBe(true);
  expect(verify(`t=${T},v0=${DIGEST}`).isValid).toBe(false);
});

test.each([
  DIGEST.toUpperCase(),
  DIGEST.slice(0, 63),
  `${DIGEST}0`,
  '',
  `${DIGEST.slice(0, 63)}ä`,
  `0x${DIGEST.slice(2)}`,
  Buffer.from(DIGEST, 'hex').toString('base64'),
])('v1=%s, which is not the lower-case hex digest → refused', (digest) => {
  expect(verify(`t=${T},v1=${digest}`).isValid).toBe(false);
});

test('a digest with any one digit changed → refused', () => {
  for (let at = 0; at < DIGEST.length; at++) {
    const digit = DIGEST[at] === '0' ? '1' : '0';
    expect(verify(`t=${T},v1=${DIGEST.slice(0, at)}${digit}${DIGEST.slice(at + 1)}`).isValid).toBe(false);
  }
});

test('one changed byte of body, time or secret → refused', () => {
  for (let i = 0; i < BODY.length; i++) {
    const body = Buffer.from(BODY);
    body.writeUInt8(body.readUInt8(i) ^ 1, i);
    expect(verify(`t=${T},v1=${DIGEST}`, { body }).isValid).toBe(false);
  }
  expect(verify(`t=${T + 1},v1=${DIGEST}`).isValid).toBe(false);
  expect(verify(`t=${T}.0,v1=${DIGEST}`).isValid).toBe(false);
  expect(verify(`t=${T},v1=${DIGEST}`, { secrets: [`${SECRET} `] }).isValid).toBe(false);
});
