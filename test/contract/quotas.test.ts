import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findUsage } from '../../dist/store/usage.js';
import { examples } from '../fixtures/manifest.js';
import type { Answer } from './support/http.js';
import { type Beside, openBeside, type TestOrganisation } from './support/organisations.js';
import {
  createClient,
  HOSTILE_PROGRAM,
  startTestService,
  type TestService,
  waitForNoBlobs,
} from './support/running-service.js';
import { killSpawnedServices } from './support/spawned-service.js';

const CALLERS = 64;
const LIMIT = 10;
const KEY_CACHE_MS = 5;

let running: TestService;
let beside: Beside;
beforeAll(async () => {
  running = await startTestService({
    documentProgram: HOSTILE_PROGRAM,
    config: { keyCacheMs: KEY_CACHE_MS, rateWindowMs: 3_600_000, jobMaxAttempts: 1 },
  });
  beside = await openBeside(running);
});
afterAll(async () => {
  killSpawnedServices();
  await beside.close();
  await running.remove();
});

const ASYNC = { prefer: 'respond-async' };
let count = 0;
const fresh = (text = '') => Buffer.from(`%PDF-1.4 TEXT=${++count} ${text}`);
const codes = (answers: readonly Answer[]) => {
  const found: Record<string, number> = {};
  for (const { status, json } of answers) {
    const name = json.error?.code ?? String(status);
    found[name] = (found[name] ?? 0) + 1;
  }
  return found;
};
const atOnce = (organisation: TestOrganisation, headersOf: (i: number) => Record<string, string> = () => ({})) =>
  Promise.all(Array.from({ length: CALLERS }, (_, i) => organisation.submit(fresh(), { headers: headersOf(i) })));

test(`${CALLERS} calls at once with two keys, at a rate of ${LIMIT} → exactly ${LIMIT} pass`, async () => {
  const organisation = await beside.add({ requestsPerWindow: LIMIT });
  const second = await beside.add();
  await beside.run('UPDATE api_key SET organisation_id = :organisationId WHERE id = :keyId', {
    organisationId: organisation.id,
    keyId: second.keyId,
  });
  const neighbour = await beside.add({ requestsPerWindow: LIMIT });
  const other = createClient(running.url, second.key);
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, (_, i) => (i % 2 === 0 ? organisation : other).submit(fresh())),
  );
  expect(codes(answers)).toEqual({ 200: LIMIT, RATE_LIMITED: CALLERS - LIMIT });
  const left = answers.filter(({ status }) => status === 200).map(({ headers }) => headers['ratelimit-remaining']);
  expect(left.sort()).toEqual(Array.from({ length: LIMIT }, (_, i) => String(i)));
  for (const { status, headers } of answers) {
    if (status !== 429) continue;
    expect(headers).toMatchObject({ 'ratelimit-limit': String(LIMIT), 'ratelimit-remaining': '0' });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(await beside.countUsage(organisation.id)).toBe(LIMIT);
  expect((await neighbour.submit(fresh())).status).toBe(200);
});

test.each([
  ['inline', {}, '200'],
  ['queued', ASYNC, '202'],
])(
  `${CALLERS} %s calls at once, with an allowance of ${LIMIT} → exactly ${LIMIT} are accepted`,
  async (_, headers, status) => {
    const organisation = await beside.add({ documentsPerPeriod: LIMIT });
    const answers = await atOnce(organisation, (i) => ({ ...headers, 'idempotency-key': `k${i}` }));
    expect(codes(answers)).toEqual({ [status]: LIMIT, QUOTA_EXCEEDED: CALLERS - LIMIT });
    expect(await beside.countUsage(organisation.id)).toBe(LIMIT);
    // Refused documents leave nothing behind.
    for (const table of ['job', 'document', 'idempotency'])
      expect(await beside.countRows(table, organisation.id)).toBe(LIMIT);
    for (const { json } of answers) if (json.jobId !== undefined) await organisation.waitForJob(json.jobId);
    expect(await waitForNoBlobs(running.dataDir)).toEqual([]);
    // A refused Idempotency-Key is free for another document after the allowance has grown.
    await beside.run('UPDATE plan SET documents_per_period = NULL WHERE name = :plan', { plan: organisation.plan });
    await sleep(KEY_CACHE_MS * 2);
    const refused = answers.findIndex(({ status: code }) => code === 429);
    const again = await organisation.submit(fresh(), { headers: { 'idempotency-key': `k${refused}` } });
    expect(again.status, again.text).toBe(200);
  },
);

test('concurrent calls under one Idempotency-Key → count once', async () => {
  const organisation = await beside.add({ documentsPerPeriod: LIMIT });
  const file = fresh();
  const answers = await Promise.all(
    Array.from({ length: CALLERS }, () => organisation.submit(file, { headers: { 'idempotency-key': 'one' } })),
  );
  expect(codes(answers)).toEqual({ 200: CALLERS });
  expect(new Set(answers.map(({ json }) => json.requestId)).size).toBe(1);
  expect(await beside.countUsage(organisation.id)).toBe(1);
});

test('cached answers and replays → not counted; refused without allowance', async () => {
  const organisation = await beside.add({ documentsPerPeriod: 2 });
  const file = fresh();
  const headers = { 'idempotency-key': 'mine' };
  expect((await organisation.submit(file, { headers })).json.meta.cached).toBe(false);
  expect((await organisation.submit(file)).json.meta.cached).toBe(true);
  expect((await organisation.submit(file, { headers })).status).toBe(200);
  expect(await beside.countUsage(organisation.id)).toBe(1);
  expect((await organisation.submit(fresh())).status).toBe(200);
  for (const options of [{}, { headers }])
    expect(codes([await organisation.submit(file, options)])).toEqual({ QUOTA_EXCEEDED: 1 });
  expect(await beside.countUsage(organisation.id)).toBe(2);
});

test.each([
  ['a fault of the service', 'DO=fault', 'INTERNAL'],
  ['a document that kills its process', 'DO=crash', 'INTERNAL'],
  ['a document that turns out to be damaged', 'DO=refuse REASON=damaged', 'INVALID_DOCUMENT'],
  ['arguments that do not fit the document', 'DO=refuse REASON=invalid-argument', 'INVALID_ARGS'],
])('%s → not counted, inline or queued', async (_, text, code) => {
  const organisation = await beside.add({ documentsPerPeriod: 1 });
  expect(codes([await organisation.submit(fresh(text))])).toEqual({ [code]: 1 });
  expect(await beside.countUsage(organisation.id)).toBe(0);
  const queued = await organisation.submit(fresh(text), { headers: ASYNC });
  expect(queued.status).toBe(202);
  expect((await organisation.waitForJob(queued.json.jobId)).json).toMatchObject({ status: 'failed', error: { code } });
  expect(await beside.countUsage(organisation.id)).toBe(0);
  expect((await organisation.submit(fresh())).status).toBe(200);
  expect(codes([await organisation.submit(fresh())])).toEqual({ QUOTA_EXCEEDED: 1 });
});

test('a document refused after its upload → not counted', async () => {
  const organisation = await beside.add({ documentsPerPeriod: 1, pageCap: 1 });
  expect(codes([await organisation.submit(fresh('COUNT=crash'))])).toEqual({ INVALID_DOCUMENT: 1 });
  expect(codes([await organisation.submit(fresh('PAGES=2'))])).toEqual({ PAGE_LIMIT_EXCEEDED: 1 });
  expect(codes([await organisation.submit('neither')])).toEqual({ UNSUPPORTED_MEDIA_TYPE: 1 });
  expect(await beside.countUsage(organisation.id)).toBe(0);
});

test('a failed job of an earlier period → uncounted there', async () => {
  const nowMs = Date.now();
  const trial = { startedAtMs: nowMs, endsAtMs: nowMs + 86_400_000 };
  const organisation = await beside.add({}, { organisation: { subscription: 'trialing', trial } });
  const [month, ofTrial] = [new Date().toISOString().slice(0, 7), `trial:${nowMs}`];
  const used = async () => [
    await findUsage(beside.store, organisation.id, ofTrial),
    await findUsage(beside.store, organisation.id, month),
  ];
  // Both processes are busy while the period changes; the waiting document fails afterwards.
  const gate = join(running.dataDir, 'gate');
  for (let i = 0; i < 2; i++) await organisation.submit(fresh(`DO=wait GATE=${gate}`), { headers: ASYNC });
  const failing = await organisation.submit(fresh('DO=fault'), { headers: ASYNC });
  expect(await used()).toEqual([3, 0]);
  await beside.run(`UPDATE organisation SET subscription = 'active' WHERE id = :id`, { id: organisation.id });
  await sleep(KEY_CACHE_MS * 2);
  const later = await organisation.submit(fresh(), { headers: ASYNC });
  expect(await used()).toEqual([3, 1]);
  writeFileSync(gate, '');
  expect((await organisation.waitForJob(failing.json.jobId)).json.status).toBe('failed');
  await organisation.waitForJob(later.json.jobId);
  expect(await used()).toEqual([2, 1]);
});

test('a missing language, found in the job → not counted', async () => {
  const real = await startTestService();
  const store = await openBeside(real);
  try {
    const organisation = await store.add({ documentsPerPeriod: 1 });
    const args = { languages: ['tlh'], ocr: 'force' };
    const answer = await organisation.submit(readFileSync(examples.report.path), { args });
    expect(answer.json.error.code).toBe('INVALID_ARGS');
    expect(await store.countUsage(organisation.id)).toBe(0);
    expect((await organisation.submit(readFileSync(examples.report.path))).status).toBe(200);
  } finally {
    await store.close();
    await real.remove();
  }
});

test('a restart → the counted usage stays', async () => {
  const first = await startTestService({ documentProgram: HOSTILE_PROGRAM });
  const store = await openBeside(first);
  const organisation = await store.add({ documentsPerPeriod: 2, requestsPerWindow: 2 });
  expect(codes([await organisation.submit(fresh()), await organisation.submit(fresh())])).toEqual({ 200: 2 });
  await first.service.stop();
  await store.close();
  const second = await startTestService({ documentProgram: HOSTILE_PROGRAM, dataDir: first.dataDir });
  try {
    // The window starts anew, the allowance does not.
    const { submit } = createClient(second.url, organisation.key);
    const answer = await submit(fresh());
    expect(codes([answer])).toEqual({ QUOTA_EXCEEDED: 1 });
    expect(answer.headers['ratelimit-remaining']).toBe('1');
  } finally {
    await second.remove();
  }
});
