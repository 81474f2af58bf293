import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { createOrganisation } from '../../dist/store/access.js';
import { createQueue } from '../../dist/store/create-queue.js';
import { deleteOrganisation } from '../../dist/store/delete-organisation.js';
import type { Acceptance, ClaimedJob, Queue } from '../../dist/store/queue.js';
import { rememberCachedAnswer } from '../../dist/store/result-cache.js';
import type { Store } from '../../dist/store/store.js';
import { all } from '../../dist/store/unit.js';
import { findUsage } from '../../dist/store/usage.js';
import { listUsageDays } from '../../dist/store/usage-days.js';
import { makeAcceptance } from './support/make-acceptance.js';
import { makeRequestEntry } from './support/make-request-entry.js';

const DAY_MS = 86_400_000;
/** Noon, so that hours around it are the same day. */
const NOON = Date.UTC(2026, 5, 15, 12);
const allowance = { period: '2026-06', limit: 3 };

/** Documents by the day on every store. */
export function describeUsageDays(engine: string, open: () => Promise<Store>): void {
  describe(`days of usage on ${engine}`, () => {
    let store: Store;
    let queue: Queue;
    let organisationId: string;
    beforeEach(async () => {
      store = await open();
      queue = createQueue(store);
      organisationId = await createOrganisation(store, 'Test');
    });
    afterEach(() => store.close());

    const accept = (nowMs: number, more: Partial<Acceptance> = {}) =>
      queue.accept(makeAcceptance(organisationId, { nowMs, allowance, ...more }));
    const days = (from = '2026-06-01', to = '2026-06-30') =>
      store.read(listUsageDays(organisationId, from, to)).then((rows) => rows.map((row) => ({ ...row })));
    async function claim(): Promise<ClaimedJob> {
      const [job] = await queue.claim(600_000);
      if (job === undefined) throw new Error('nothing to claim');
      return job;
    }
    const outcome = { body: '{}', provider: 'test', pageCount: 3, durationMs: 5 };
    const failure = { code: 'INVALID_DOCUMENT', message: 'no' } as const;

    test('documents, their ends and cached answers → rows of the days on which they came', async () => {
      await accept(NOON - DAY_MS);
      await accept(NOON);
      await accept(NOON + 3_600_000);
      await queue.complete(await claim(), outcome);
      await queue.complete(await claim(), outcome);
      await queue.fail(await claim(), failure, { durationMs: 5, isBilled: false });
      const entry = { ...makeRequestEntry(organisationId, NOON + DAY_MS), organisationId };
      const head = { requestId: entry.id, function: 'TEXT_EXTRACTION', status: 'completed', pageCount: 1 } as const;
      await rememberCachedAnswer(store, entry, undefined, head);
      const none = { accepted: 0, failed: 0, cached: 0, pages: 0 };
      expect(await days()).toEqual([
        { ...none, day: '2026-06-14', accepted: 1, pages: 3 },
        { ...none, day: '2026-06-15', accepted: 2, failed: 1, pages: 3 },
        { ...none, day: '2026-06-16', cached: 1 },
      ]);
      expect(await days('2026-06-15', '2026-06-15')).toHaveLength(1);
    });

    test('what counts in the plan → the sum of its days, whatever became of the documents', async () => {
      const [first, second] = [createId('job'), createId('job')];
      await accept(NOON, { jobId: first });
      await accept(NOON, { jobId: second });
      await accept(NOON);
      expect(await accept(NOON)).toEqual({ kind: 'exhausted' });
      // One is cancelled before it begins, and again; one fails at the cost of its caller.
      const removal = { organisationId, resultTtlMs: DAY_MS };
      await queue.remove({ jobId: second, ...removal });
      await queue.remove({ jobId: second, ...removal });
      await queue.fail(await claim(), failure, { durationMs: 5, isBilled: true });
      const [day] = await days();
      expect(day).toMatchObject({ accepted: 3, failed: 1, pages: 0 });
      expect(await findUsage(store, organisationId, allowance.period)).toBe(2);
    });

    test('a run whose lease was lost → no pages of it', async () => {
      await accept(NOON);
      const job = await claim();
      await queue.complete({ ...job, token: 'another' }, outcome);
      expect(await days()).toMatchObject([{ pages: 0 }]);
      await queue.complete(job, outcome);
      await queue.complete(job, outcome);
      expect(await days()).toMatchObject([{ pages: 3 }]);
    });

    test('an organisation → its days alone, and removed with it', async () => {
      const other = await createOrganisation(store, 'Other');
      await accept(NOON);
      await queue.accept(makeAcceptance(other, { nowMs: NOON, allowance }));
      expect(await days()).toMatchObject([{ accepted: 1 }]);
      await deleteOrganisation(store, organisationId);
      const left = await store.read(all<{ id: string }>('SELECT organisation_id AS id FROM usage_day'));
      expect(left.map(({ id }) => id)).toEqual([other]);
    });
  });
}
