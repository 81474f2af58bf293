import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createId } from '../../../src/contract/identifiers.js';
import { createOrganisation } from '../../../src/store/access.js';
import { type Acceptance, type ClaimedJob, IDEMPOTENCY_TTL_MS, type Queue } from '../../../src/store/queue.js';
import { removeExpired } from '../../../src/store/remove-expired.js';
import { findEarlierAnswer } from '../../../src/store/requests.js';
import { findCachedResult } from '../../../src/store/result-cache.js';
import { createSqliteQueue } from '../../../src/store/sqlite-queue.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { findUsage } from '../../../src/store/usage.js';

let directory: string;
let store: Store;
let queue: Queue;
let organisationId: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-queue-test-'));
  store = await openStore(join(directory, 'ocr.db'));
  queue = createSqliteQueue(store);
  organisationId = await createOrganisation(store, 'Test');
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

function makeAcceptance(more: Partial<Acceptance> = {}): Acceptance {
  return {
    requestId: createId('req'),
    jobId: createId('job'),
    organisationId,
    keyId: 'key_1',
    keyLastFour: 'abcd',
    function: 'TEXT_EXTRACTION',
    args: '{"args":{"password":"sealed"}}',
    cacheKey: 'cache',
    fileName: 'a.pdf',
    document: { id: createId('doc'), sha256: 'ab', sizeBytes: 1, mimeType: 'application/pdf', pageCount: 3 },
    isUrgent: false,
    idempotency: undefined,
    allowance: { period: '2026-01', limit: undefined },
    nowMs: Date.now(),
    ...more,
  };
}

async function claim(leaseMs = 10_000): Promise<ClaimedJob> {
  const job = await queue.claim(leaseMs);
  if (job === undefined) throw new Error('nothing to claim');
  return job;
}

const outcome = { body: '{"text":"x"}', provider: 'test', pageCount: 3, durationMs: 5 };

test('a job is claimed once, with what it needs, and counts the attempt', async () => {
  const acceptance = makeAcceptance();
  await queue.accept(acceptance);
  const claims = await Promise.all(Array.from({ length: 5 }, () => queue.claim(10_000)));
  const [job, ...others] = claims.filter((one) => one !== undefined);
  expect(others).toEqual([]);
  expect(job).toMatchObject({
    id: acceptance.jobId,
    requestId: acceptance.requestId,
    documentId: acceptance.document.id,
    mimeType: 'application/pdf',
    documentPageCount: 3,
    attempts: 1,
  });
  expect(await queue.find(acceptance.jobId)).toMatchObject({ status: 'processing', startedAtMs: expect.any(Number) });
});

test('jobs that somebody waits for come first, then the oldest', async () => {
  const ids = ['late', 'early', 'urgent'].map(() => createId('job'));
  const [late = '', early = '', urgent = ''] = ids;
  await queue.accept(makeAcceptance({ jobId: late, nowMs: 300 }));
  await queue.accept(makeAcceptance({ jobId: early, nowMs: 100 }));
  await queue.accept(makeAcceptance({ jobId: urgent, nowMs: 500, isUrgent: true }));
  expect([(await claim()).id, (await claim()).id, (await claim()).id]).toEqual([urgent, early, late]);
});

test('completing stores result and cache at once, and forgets the arguments', async () => {
  await queue.accept(makeAcceptance());
  const job = await claim();
  expect(await queue.findOutcome(job.id)).toBeUndefined();
  expect(await queue.complete(job, outcome)).toBe(true);
  expect(await queue.find(job.id)).toMatchObject({
    status: 'completed',
    pagesDone: 3,
    finishedAtMs: expect.any(Number),
  });
  expect({ ...(await queue.findOutcome(job.id)) }).toEqual(outcome);
  expect(await findCachedResult(store, organisationId, 'cache', 0)).toMatchObject({ jobId: job.id });
  expect(await findCachedResult(store, 'org_other', 'cache', 0)).toBeUndefined();
  expect(await findCachedResult(store, organisationId, 'cache', Date.now() + 1)).toBeUndefined();
  expect(store.read.get('SELECT args FROM job')).toMatchObject({ args: '{}' });
});

test('a zombie whose lease ran out cannot end the job, nor keep it', async () => {
  await queue.accept(makeAcceptance());
  const zombie = await claim(1);
  await sleep(5);
  expect(await queue.releaseExpired()).toBe(1);
  const heir = await claim();
  expect(heir).toMatchObject({ id: zombie.id, attempts: 2 });
  const beat = { jobId: zombie.id, token: zombie.token, pagesDone: 1, pageCount: 3 };
  expect(await queue.beat([beat], 10_000)).toEqual([zombie.id]);
  expect(await queue.complete(zombie, outcome)).toBe(false);
  expect(await queue.fail(zombie, { code: 'INTERNAL', message: '' })).toBe(false);
  expect(await queue.release(zombie, 'worker-died')).toBe(false);
  expect(await queue.complete(heir, outcome)).toBe(true);
  expect(await queue.complete(heir, outcome)).toBe(false);
  expect(store.read.all('SELECT * FROM result')).toHaveLength(1);
});

test('a heartbeat extends the lease and tells the progress', async () => {
  await queue.accept(makeAcceptance());
  const job = await claim(1);
  expect(await queue.beat([{ jobId: job.id, token: job.token, pagesDone: 2, pageCount: 3 }], 60_000)).toEqual([]);
  await sleep(5);
  expect(await queue.releaseExpired()).toBe(0);
  expect(await queue.find(job.id)).toMatchObject({ pagesDone: 2, pageCount: 3 });
});

test('a worker that died costs an attempt, a service that stops or was killed does not', async () => {
  await queue.accept(makeAcceptance());
  await queue.release(await claim(), 'worker-died');
  const second = await claim();
  expect(second.attempts).toBe(2);
  await queue.release(second, 'service-stops');
  expect((await claim()).attempts).toBe(2);
  expect(await queue.releaseAll()).toBe(1);
  expect((await claim()).attempts).toBe(2);
});

test('a document over which the service dies again and again ends as INTERNAL', async () => {
  await queue.accept(makeAcceptance());
  let deaths = 0;
  for (;;) {
    const job = await queue.claim(60_000);
    if (job === undefined) break;
    deaths++;
    expect(deaths).toBeLessThan(50);
    await queue.releaseAll();
  }
  expect(deaths).toBeGreaterThan(3);
  expect(await queue.countUnfinished()).toBe(0);
});

test('unfinished jobs and the documents they need are known', async () => {
  const [first, second] = [makeAcceptance(), makeAcceptance()];
  await queue.accept(first);
  await queue.accept(second);
  const job = await claim();
  await queue.fail(job, { code: 'INVALID_DOCUMENT', message: 'damaged' });
  expect(await queue.countUnfinished()).toBe(1);
  const other = [first, second].find((acceptance) => acceptance.jobId !== job.id);
  expect(await queue.listNeededDocuments()).toEqual(new Set([other?.document.id]));
  expect(await queue.find(job.id)).toMatchObject({ status: 'failed', errorCode: 'INVALID_DOCUMENT' });
});

test('of many calls under one key one is accepted; other content conflicts; after a day the key is free', async () => {
  const idempotency = { key: 'k', contentHash: 'same' };
  const calls = Array.from({ length: 10 }, () => makeAcceptance({ idempotency }));
  const answers = await Promise.all(calls.map((acceptance) => queue.accept(acceptance)));
  const accepted = calls.filter((_, index) => answers[index]?.kind === 'accepted');
  expect(accepted).toHaveLength(1);
  const replay = { kind: 'replay', requestId: accepted[0]?.requestId };
  expect(answers.filter((answer) => answer.kind !== 'accepted')).toEqual(Array(9).fill(replay));
  expect(await queue.countUnfinished()).toBe(1);
  const other = { idempotency: { key: 'k', contentHash: 'other' } };
  expect(await queue.accept(makeAcceptance(other))).toEqual({ kind: 'conflict' });
  expect(await queue.countUnfinished()).toBe(1);
  const nowMs = Date.now() + IDEMPOTENCY_TTL_MS + 1_000;
  expect(await queue.accept(makeAcceptance({ ...other, nowMs }))).toEqual({ kind: 'accepted' });
});

test('what is older than it is kept goes, in the order of its kinds, and nothing else', async () => {
  await queue.accept(makeAcceptance({ idempotency: { key: 'k', contentHash: 'c' } }));
  const job = await claim();
  await queue.complete(job, outcome);
  const ages = { resultTtlMs: 1_000, cacheTtlMs: 500, idempotencyTtlMs: 500, requestLogTtlMs: 5_000 };
  const count = (table: string) => store.read.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n;
  const counts = () => ['result_cache', 'result', 'request', 'job', 'document', 'idempotency'].map(count);
  await removeExpired(store, ages, Date.now() + 100);
  expect(counts()).toEqual([1, 1, 1, 1, 1, 1]);
  await removeExpired(store, ages, Date.now() + 700);
  expect(counts()).toEqual([0, 1, 1, 1, 1, 0]);
  await removeExpired(store, ages, Date.now() + 2_000);
  expect(counts()).toEqual([0, 0, 1, 1, 1, 0]);
  await queue.accept(makeAcceptance());
  await removeExpired(store, ages, Date.now() + 6_000);
  expect(counts().slice(0, 2)).toEqual([0, 0]);
  expect(await findEarlierAnswer(store, job.requestId)).toBeUndefined();
  expect(await queue.find(job.id)).toBeUndefined();
  expect(await queue.countUnfinished()).toBe(1);
});

test('a document counts once it is accepted, up to the limit, and what is refused leaves nothing', async () => {
  const allowance = { period: '2026-02', limit: 2 };
  const idempotency = () => ({ key: createId('req'), contentHash: 'a' });
  const kinds = await Promise.all(
    Array.from({ length: 5 }, () => queue.accept(makeAcceptance({ allowance, idempotency: idempotency() }))),
  );
  expect(kinds.map(({ kind }) => kind).sort()).toEqual(['accepted', 'accepted', ...Array(3).fill('exhausted')]);
  for (const table of ['job', 'document', 'request', 'idempotency'])
    expect(store.read.get(`SELECT count(*) AS n FROM ${table}`), table).toMatchObject({ n: 2 });
  expect(await findUsage(store, organisationId, '2026-02')).toBe(2);
  // The next period is another matter.
  expect((await queue.accept(makeAcceptance({ allowance: { period: '2026-03', limit: 1 } }))).kind).toBe('accepted');
});

test('what is answered from an earlier call does not count, also where nothing is left', async () => {
  const allowance = { period: '2026-02', limit: 1 };
  const idempotency = { key: 'k', contentHash: 'a' };
  const first = makeAcceptance({ allowance, idempotency });
  await queue.accept(first);
  expect(await queue.accept(makeAcceptance({ allowance, idempotency }))).toEqual({
    kind: 'replay',
    requestId: first.requestId,
  });
  expect(await findUsage(store, organisationId, '2026-02')).toBe(1);
});

test('what a failed document counted is given back once, in the period that it counted in', async () => {
  for (const period of ['2026-02', '2026-02', '2026-03'])
    await queue.accept(makeAcceptance({ allowance: { period, limit: 5 } }));
  const usage = async () => [
    await findUsage(store, organisationId, '2026-02'),
    await findUsage(store, organisationId, '2026-03'),
  ];
  const job = await claim();
  expect(await queue.fail({ ...job, token: 'lost' }, { code: 'INTERNAL', message: 'x' })).toBe(false);
  expect(await usage()).toEqual([2, 1]);
  expect(await queue.fail(job, { code: 'INTERNAL', message: 'x' })).toBe(true);
  expect(await queue.fail(job, { code: 'INTERNAL', message: 'x' })).toBe(false);
  expect(await usage()).toEqual([1, 1]);
  await queue.complete(await claim(), outcome);
  expect(await usage()).toEqual([1, 1]);
});

test('what a document counted over which the service died again and again is given back', async () => {
  await queue.accept(makeAcceptance({ allowance: { period: '2026-02', limit: 5 } }));
  for (let deaths = 0; deaths <= 20; deaths++) {
    expect(await findUsage(store, organisationId, '2026-02')).toBe(1);
    await claim();
    await queue.releaseAll();
  }
  expect(await findUsage(store, organisationId, '2026-02')).toBe(0);
});
