import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../dist/store/access.js';
import { call } from './support/http.js';
import { type Beside, openBeside } from './support/organisations.js';
import { createClient, HOSTILE_PROGRAM, startTestService, type TestService } from './support/running-service.js';

const KEY_CACHE_MS = 5;
const HOUR_MS = 3_600_000;

let running: TestService;
let beside: Beside;
beforeAll(async () => {
  running = await startTestService({
    documentProgram: HOSTILE_PROGRAM,
    config: { keyCacheMs: KEY_CACHE_MS, rateWindowMs: HOUR_MS },
  });
  beside = await openBeside(running);
});
afterAll(async () => {
  await beside.close();
  await running.remove();
});

const pdf = (text: string) => Buffer.from(`%PDF-1.4 TEXT=${text}`);
const usageOf = async ({ get }: Pick<TestService, 'get'>) => (await get('/v1/ocr/usage')).json;

test('documents of a month → used, limit and left; the month and the rate are said', async () => {
  const own = await beside.add({ documentsPerPeriod: 3, requestsPerWindow: 7 });
  const other = await beside.add({ documentsPerPeriod: 3 });
  const month = new Date();
  expect(await usageOf(own)).toEqual({
    organisation: { id: own.id, name: own.plan },
    plan: own.plan,
    subscription: 'active',
    period: {
      start: new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 1)).toISOString(),
      end: new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1)).toISOString(),
    },
    documents: { used: 0, limit: 3, left: 3 },
    rate: { limit: 7, windowMs: HOUR_MS },
  });
  for (const text of ['a', 'b']) expect((await own.submit(pdf(text))).status).toBe(200);
  expect((await usageOf(own)).documents).toEqual({ used: 2, limit: 3, left: 1 });
  expect((await usageOf(other)).documents).toEqual({ used: 0, limit: 3, left: 3 });
  // A limit below what was used leaves nothing, not less than nothing.
  await beside.run('UPDATE plan SET documents_per_period = 1 WHERE name = :plan', { plan: own.plan });
  await sleep(KEY_CACHE_MS * 2);
  expect((await usageOf(own)).documents).toEqual({ used: 2, limit: 1, left: 0 });
});

test('a document that fails → not counted in the usage', async () => {
  const own = await beside.add({ documentsPerPeriod: 3 });
  await own.submit('no document');
  expect((await usageOf(own)).documents.used).toBe(0);
});

test('no limit → null', async () => {
  const own = await beside.add();
  await own.submit(pdf('c'));
  expect((await usageOf(own)).documents).toEqual({ used: 1, limit: null, left: null });
});

test('a trial → its own span; after its end the subscription is expired and still told', async () => {
  const startedAtMs = Date.UTC(2026, 0, 31);
  const trial = { startedAtMs, endsAtMs: Date.now() + HOUR_MS };
  const own = await beside.add({ documentsPerPeriod: 50 }, { organisation: { subscription: 'trialing', trial } });
  await own.submit(pdf('d'));
  expect(await usageOf(own)).toMatchObject({
    subscription: 'trialing',
    period: { start: '2026-01-31T00:00:00.000Z', end: new Date(trial.endsAtMs).toISOString() },
    documents: { used: 1, limit: 50, left: 49 },
  });
  await beside.run('UPDATE organisation SET trial_ends_at = 1767312000000 WHERE id = :id', { id: own.id });
  await sleep(KEY_CACHE_MS * 2);
  expect(await usageOf(own)).toMatchObject({ subscription: 'expired', documents: { used: 1 } });
  expect((await own.submit(pdf('e'))).status).toBe(402);
});

test('another key of the organisation → the same usage; no key → 401; asking counts in no rate', async () => {
  const own = await beside.add({ requestsPerWindow: 1 });
  const second = createClient(running.url, await createApiKey(beside.store, own.id, 'second'));
  for (let i = 0; i < 3; i++) expect((await own.get('/v1/ocr/usage')).status).toBe(200);
  expect((await own.submit(pdf('f'))).status).toBe(200);
  expect((await usageOf(second)).documents.used).toBe(1);
  expect((await call(`${running.url}/v1/ocr/usage`)).status).toBe(401);
});

test('the catalog → names the extension; other methods → 405', async () => {
  expect((await running.get('/v1/ocr/functions')).json.extensions).toContain('usage');
  const post = await call(`${running.url}/v1/ocr/usage`, { method: 'POST', headers: { 'x-api-key': running.key } });
  expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
});
