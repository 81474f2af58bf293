import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { createOrganisation } from '../../dist/store/access.js';
import { createQueue } from '../../dist/store/create-queue.js';
import { findJob } from '../../dist/store/jobs.js';
import { LANES, LANES_BESIDE } from '../../dist/store/lanes.js';
import type { Acceptance, ClaimedJob, Queue } from '../../dist/store/queue.js';
import { removeExpired } from '../../dist/store/remove-expired.js';
import { findEarlierAnswer } from '../../dist/store/requests.js';
import { findCachedResult } from '../../dist/store/result-cache.js';
import type { Store } from '../../dist/store/store.js';
import { one } from '../../dist/store/unit.js';
import { findUsage } from '../../dist/store/usage.js';
import { makeAcceptance as acceptanceOf } from './support/make-acceptance.js';

/** Results, cache, usage and log lines that the queue writes on every store. */
export function describeJobs(engine: string, open: () => Promise<Store>): void {
  describe(`jobs on ${engine}`, () => {
    let store: Store;
    let queue: Queue;
    let organisationId: string;

    beforeEach(async () => {
      store = await open();
      queue = createQueue(store);
      organisationId = await createOrganisation(store, 'Test');
    });
    afterEach(() => store.close());

    const makeAcceptance = (more: Partial<Acceptance> = {}) => acceptanceOf(organisationId, more);

    async function claim(leaseMs = 10_000): Promise<ClaimedJob> {
      const [job] = await queue.claim(leaseMs);
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
      expect(await findCachedResult(store, organisationId, 'cache', Date.now() + 60_000)).toBeUndefined();
      expect(await store.read(one('SELECT args FROM job'))).toMatchObject({ args: '{}' });
    });

    test('a result of another engine than the job was accepted for → the job’s, and no other call’s', async () => {
      await queue.accept(makeAcceptance());
      const job = await claim();
      expect(job.engine).toBe('engine');
      expect(await queue.complete(job, outcome, false)).toBe(true);
      expect({ ...(await queue.findOutcome(job.id)) }).toEqual(outcome);
      expect(await findCachedResult(store, organisationId, 'cache', 0)).toBeUndefined();
    });

    test('expired records → removed in order; others stay', async () => {
      await queue.accept(makeAcceptance({ idempotency: { key: 'k', contentHash: 'c' } }));
      const job = await claim();
      await queue.complete(job, outcome);
      // Minutes, which no busy machine takes between two steps.
      const ages = { resultTtlMs: 600_000, cacheTtlMs: 300_000, idempotencyTtlMs: 300_000, requestLogTtlMs: 3_000_000 };
      const count = async (table: string) =>
        (await store.read(one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)))?.n;
      const counts = () =>
        Promise.all(['result_cache', 'result', 'request', 'job', 'document', 'idempotency'].map(count));
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
      expect((await queue.accept(makeAcceptance({ allowance: { period: '2026-03', limit: 1 } }))).kind).toBe(
        'accepted',
      );
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
      // Reported again, because its answer was lost.
      expect(await queue.fail(job, { code: 'INTERNAL', message: 'x' }, run)).toBe(true);
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
      const [job] = await queue.claim(10_000, beside);
      if (job === undefined) throw new Error('nothing to claim');
      await queue.postpone(job, { lane: LANES.heavy, delayMs: 0 }, run);
      expect(await queue.claim(10_000, beside)).toEqual([]);
      expect(await queue.claim(10_000, { choice: 'light', lanes: LANES_BESIDE })).toEqual([]);
      expect(await claim()).toMatchObject({ id: job.id, lane: LANES.heavy, attempts: 1 });
    });

    test('a release with an old token → refused, the attempts stay', async () => {
      await queue.accept(makeAcceptance());
      const job = await claim();
      expect(await queue.release({ ...job, token: 'old' }, 'service-stops', run)).toBe(false);
      expect(await findJob(store, job.id)).toMatchObject({ status: 'processing', attempts: 1 });
    });
  });
}
