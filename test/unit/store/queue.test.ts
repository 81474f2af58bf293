import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createId } from '../../../src/contract/identifiers.js';
import { createOrganisation } from '../../../src/store/access.js';
import { createQueue } from '../../../src/store/create-queue.js';
import { findJob } from '../../../src/store/jobs.js';
import { ALL_LANES, LANES, LANES_BESIDE, setOfLanes } from '../../../src/store/lanes.js';
import type { Acceptance, ClaimedJob, Queue } from '../../../src/store/queue.js';
import { removeExpired } from '../../../src/store/remove-expired.js';
import { findEarlierAnswer } from '../../../src/store/requests.js';
import { findCachedResult } from '../../../src/store/result-cache.js';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import { openStore } from '../../../src/store/sqlite/open-store.js';
import { runUnit } from '../../../src/store/sqlite/run-unit.js';
import { createWriteQueue, ERASURE_DELAY_MS } from '../../../src/store/sqlite/write-queue.js';
import type { Store } from '../../../src/store/store.js';
import { findNextOrganisation, NEXT_JOB_ID } from '../../../src/store/turns.js';
import type { SqlValues } from '../../../src/store/unit.js';
import { all, one, type Statement } from '../../../src/store/unit.js';
import { findUsage } from '../../../src/store/usage.js';

let directory: string;
let store: Store;
let queue: Queue;
let organisationId: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-queue-test-'));
  store = await openStore(join(directory, 'ocr.db'));
  queue = createQueue(store);
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
    effort: { lane: LANES.long, delayMs: 0 },
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

const run = { durationMs: 5, isBilled: false };
const outcome = { body: '{"text":"x"}', provider: 'test', pageCount: 3, confidence: 0.875, durationMs: 5 };

test('a completed job → result and cache stored, arguments removed', async () => {
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
  expect(await store.read(one('SELECT args FROM job'))).toMatchObject({ args: '{}' });
});

test('the search for the next job → reads queued and running jobs alone, by their indices', async () => {
  const plan: string[] = [];
  const unit = findNextOrganisation({ choice: 'light', lanes: setOfLanes([LANES.brief]) }, 0);
  for (let step = unit.next(); step.done !== true; ) {
    const { kind, sql, values } = step.value as Statement;
    plan.push(...(await explainQuery(sql, values)));
    step = unit.next(kind === 'all' ? [] : undefined);
  }
  plan.push(...(await explainQuery(NEXT_JOB_ID, { organisationId, lanes: ALL_LANES })));
  const used = plan.flatMap((step) => / job (?:USING (.*?)(?: \(|$)|$)/.exec(step)?.[1] ?? []);
  expect(new Set(used)).toEqual(new Set(['COVERING INDEX job_turn', 'COVERING INDEX job_busy', 'INDEX job_running']));
  expect(plan.filter((step) => /^(?:SCAN|SEARCH) job(?! USING)/.test(step))).toEqual([]);
});

const explainQuery = async (sql: string, values: SqlValues) =>
  (await store.read(all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, values))).map(({ detail }) => detail);

test('expired records → removed in order; others stay', async () => {
  await queue.accept(makeAcceptance({ idempotency: { key: 'k', contentHash: 'c' } }));
  const job = await claim();
  await queue.complete(job, outcome);
  // Minutes, which no busy machine takes between two steps.
  const ages = { resultTtlMs: 600_000, cacheTtlMs: 300_000, idempotencyTtlMs: 300_000, requestLogTtlMs: 3_000_000 };
  const count = async (table: string) =>
    (await store.read(one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)))?.n;
  const counts = () => Promise.all(['result_cache', 'result', 'request', 'job', 'document', 'idempotency'].map(count));
  await removeExpired(store, ages, Date.now() + 60_000);
  expect(await counts()).toEqual([1, 1, 1, 1, 1, 1]);
  await removeExpired(store, ages, Date.now() + 420_000);
  expect(await counts()).toEqual([0, 1, 1, 1, 1, 0]);
  await removeExpired(store, ages, Date.now() + 1_200_000);
  expect(await counts()).toEqual([0, 0, 1, 1, 1, 0]);
  await queue.accept(makeAcceptance());
  await removeExpired(store, ages, Date.now() + 3_600_000);
  expect((await counts()).slice(0, 2)).toEqual([0, 0]);
  expect(await findEarlierAnswer(store, job.requestId)).toBeUndefined();
  expect(await queue.find(job.id)).toBeUndefined();
  expect(await queue.countUnfinished()).toBe(1);
});

test('a deleted and an expired result → gone from the files, the journal too', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const isInFiles = (text: string) =>
    ['ocr.db', 'ocr.db-wal'].some((name) => readFileSync(join(directory, name)).includes(text));
  const completeWith = async (text: string): Promise<ClaimedJob> => {
    await queue.accept(makeAcceptance());
    const job = await claim();
    await queue.complete(job, { ...outcome, body: JSON.stringify({ text }) });
    return job;
  };
  const job = await completeWith('a text that is deleted');
  await queue.remove({ jobId: job.id, organisationId, resultTtlMs: 60_000 });
  expect(isInFiles('a text that is deleted')).toBe(true);
  await vi.advanceTimersByTimeAsync(ERASURE_DELAY_MS);
  expect(isInFiles('a text that is deleted')).toBe(false);
  await completeWith('a text that expires');
  const ages = { resultTtlMs: 1_000, cacheTtlMs: 500, idempotencyTtlMs: 500, requestLogTtlMs: 5_000 };
  await removeExpired(store, ages, Date.now() + 2_000);
  expect(isInFiles('a text that expires')).toBe(true);
  await vi.advanceTimersByTimeAsync(ERASURE_DELAY_MS);
  expect(isInFiles('a text that expires')).toBe(false);
});

test('an accepted document → counts up to the limit; a refused one → no trace', async () => {
  const allowance = { period: '2026-02', limit: 2 };
  const idempotency = () => ({ key: createId('req'), contentHash: 'a' });
  const kinds = await Promise.all(
    Array.from({ length: 5 }, () => queue.accept(makeAcceptance({ allowance, idempotency: idempotency() }))),
  );
  expect(kinds.map(({ kind }) => kind).sort()).toEqual(['accepted', 'accepted', ...Array(3).fill('exhausted')]);
  for (const table of ['job', 'document', 'request', 'idempotency'])
    expect(await store.read(one(`SELECT count(*) AS n FROM ${table}`)), table).toMatchObject({ n: 2 });
  expect(await findUsage(store, organisationId, '2026-02')).toBe(2);
  // The next period is another matter.
  expect((await queue.accept(makeAcceptance({ allowance: { period: '2026-03', limit: 1 } }))).kind).toBe('accepted');
});

test('a replay → not counted, also without allowance', async () => {
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

test('a failed document → uncounted once, in its period', async () => {
  for (const period of ['2026-02', '2026-02', '2026-03'])
    await queue.accept(makeAcceptance({ allowance: { period, limit: 5 } }));
  const usage = async () => [
    await findUsage(store, organisationId, '2026-02'),
    await findUsage(store, organisationId, '2026-03'),
  ];
  const job = await claim();
  expect(await queue.fail({ ...job, token: 'lost' }, { code: 'INTERNAL', message: 'x' }, run)).toBe(false);
  expect(await usage()).toEqual([2, 1]);
  expect(await queue.fail(job, { code: 'INTERNAL', message: 'x' }, run)).toBe(true);
  expect(await queue.fail(job, { code: 'INTERNAL', message: 'x' }, run)).toBe(false);
  expect(await usage()).toEqual([1, 1]);
  await queue.complete(await claim(), outcome);
  expect(await usage()).toEqual([1, 1]);
});

test('a document that failed by itself → counts all the same', async () => {
  await queue.accept(makeAcceptance({ allowance: { period: '2026-02', limit: 5 } }));
  const failure = { code: 'INVALID_DOCUMENT', message: 'it needs more memory' };
  expect(await queue.fail(await claim(), failure, { durationMs: 5, isBilled: true })).toBe(true);
  expect(await findUsage(store, organisationId, '2026-02')).toBe(1);
});

test('a document with too many interruptions → uncounted', async () => {
  await queue.accept(makeAcceptance({ allowance: { period: '2026-02', limit: 5 } }));
  for (let deaths = 0; deaths <= 20; deaths++) {
    expect(await findUsage(store, organisationId, '2026-02')).toBe(1);
    await claim();
    await queue.releaseAll();
  }
  expect(await findUsage(store, organisationId, '2026-02')).toBe(0);
});

test.each([
  ['service-stops', 0],
  ['worker-died', 1],
] as const)('a job that is released because of %s → queued with %i counted attempts', async (reason, attempts) => {
  await queue.accept(makeAcceptance());
  const job = await claim();
  expect(job.attempts).toBe(1);
  expect(await queue.release(job, reason, run)).toBe(true);
  expect(await findJob(store, job.id)).toMatchObject({ status: 'queued', attempts, leaseUntilMs: null });
  expect((await claim()).attempts).toBe(attempts + 1);
});

test('a document that gave way for its memory → only in place of a document of the workers', async () => {
  await queue.accept(makeAcceptance({ effort: { lane: LANES.short, delayMs: 0 } }));
  const beside = { choice: 'any', lanes: LANES_BESIDE } as const;
  const job = await queue.claim(10_000, beside);
  if (job === undefined) throw new Error('nothing to claim');
  await queue.postpone(job, { lane: LANES.heavy, delayMs: 0 }, run);
  expect(await queue.claim(10_000, beside)).toBeUndefined();
  expect(await queue.claim(10_000, { choice: 'light', lanes: LANES_BESIDE })).toBeUndefined();
  expect(await claim()).toMatchObject({ id: job.id, lane: LANES.heavy, attempts: 1 });
});

test('a release with an old token → refused, the attempts stay', async () => {
  await queue.accept(makeAcceptance());
  const job = await claim();
  expect(await queue.release({ ...job, token: 'old' }, 'service-stops', run)).toBe(false);
  expect(await findJob(store, job.id)).toMatchObject({ status: 'processing', attempts: 1 });
});

test('a job that is finished but not yet on disk → not found before it is; an unfinished one at once', async () => {
  const { jobId } = await acceptOne();
  const other = await acceptOne();
  const job = await claim();
  const path = join(directory, 'ocr.db');
  const db = openDatabase(path);
  onTestFinished(() => db.close());
  let bringToDisk = () => {};
  const disk = new Promise<void>((resolve) => {
    bringToDisk = resolve;
  });
  const { write, synced } = createWriteQueue(db, { path, syncJournal: () => disk });
  const slow = createQueue({
    ...store,
    write: (work, options) => write(() => runUnit(db, { ...store.clock, hasOneWriter: true }, work()), options),
    synced,
  });
  let isCompleted = false;
  const outcome = { body: '{}', provider: 'test', pageCount: 3, confidence: null, durationMs: 5 };
  const completing = slow.complete(job, outcome).then(() => {
    isCompleted = true;
  });
  await vi.waitFor(async () => expect((await findJob(store, jobId))?.status).toBe('completed'));
  let isFound = false;
  const finding = slow.find(jobId).then((view) => {
    isFound = true;
    return view;
  });
  expect((await slow.find(other.jobId))?.status).toBe('queued');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect([isCompleted, isFound]).toEqual([false, false]);
  bringToDisk();
  expect((await finding)?.status).toBe('completed');
  await completing;
});

async function acceptOne(): Promise<Acceptance> {
  const acceptance = makeAcceptance();
  await queue.accept(acceptance);
  return acceptance;
}
