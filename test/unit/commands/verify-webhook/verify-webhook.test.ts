import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../../../src/commands/verify-webhook/verify-webhook.js';
import { signBody } from '../../../../src/contract/signature.js';
import { fakeContext, type Target } from '../../../support/fake-context.js';

const SECRET = 'whsec_test_secret';
const BODY = '{"type":"document.completed","id":"dlv_1"}';
const NOW_S = 1_614_265_340;

async function setUp(target: Target, body: string) {
  const fake = fakeContext(target, { nowMs: NOW_S * 1_000, env: { OCR_WEBHOOK_SECRET: SECRET } });
  const path = join((await fake.context.directories()).stateDir, '..', 'body.json');
  writeFileSync(path, body);
  const t = String(NOW_S - 10);
  const signature = `t=${t},v1=${signBody(SECRET, t, Buffer.from(BODY))}`;
  return { fake, options: { body: path, signature, secretFiles: [], toleranceS: 300, explain: true } };
}

test('a valid delivery on a terminal → its facts', async () => {
  const { fake, options } = await setUp('terminal', BODY);
  await verifyWebhook(fake.context, options);
  expect(fake.stdout).toBe(
    [
      'Signature  valid',
      'Event      document.completed',
      'Delivery   dlv_1',
      'Age        10 s',
      'Secret     OCR_WEBHOOK_SECRET',
      '',
    ].join('\n'),
  );
  expect(fake.context.exitCode).toBe(0);
});

test('a valid delivery with --json → its facts', async () => {
  const { fake, options } = await setUp('json', BODY);
  await verifyWebhook(fake.context, options);
  expect(JSON.parse(fake.stdout)).toEqual({
    valid: true,
    event: 'document.completed',
    deliveryId: 'dlv_1',
    signedAt: '2021-02-25T15:02:10.000Z',
    ageSeconds: 10,
    secret: 'OCR_WEBHOOK_SECRET',
  });
});

test('a body with a newline more → exit code 1, and the cause', async () => {
  const { fake, options } = await setUp('pipe', `${BODY}\n`);
  await verifyWebhook(fake.context, options);
  expect(fake.context.exitCode).toBe(1);
  expect(fake.stdout).toContain('a trailing newline was added\twould match\n');
  expect(fake.stdout).toContain('LF became CRLF\twould not match\n');
  expect(fake.stderr).toContain('It would match but for this: a trailing newline was added');
});

test.each<[string, object, string]>([
  ['no signature', { signature: undefined }, 'There is no signature to check'],
  ['a delivery beside a body', { delivery: 'request' }, '--delivery holds the body already'],
])('%s → a usage error', async (_, change, message) => {
  const { fake, options } = await setUp('pipe', BODY);
  await expect(verifyWebhook(fake.context, { ...options, ...change })).rejects.toMatchObject({
    code: 'USAGE',
    message,
  });
});
