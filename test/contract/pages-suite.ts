import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { createApiKey, createOrganisation } from '../../dist/store/access.js';
import { createQueue } from '../../dist/store/create-queue.js';
import { countJobsOf, type JobPageFilter, readJobOf, readJobPage } from '../../dist/store/job-pages.js';
import type { Acceptance } from '../../dist/store/queue.js';
import { countCallsByKey, listTopErrors } from '../../dist/store/request-counts.js';
import {
  type RequestEntry,
  type RequestPageFilter,
  readRequestPage,
  streamRequests,
  writeRequest,
} from '../../dist/store/requests.js';
import type { Store } from '../../dist/store/store.js';
import { all, run } from '../../dist/store/unit.js';
import { makeAcceptance } from './support/make-acceptance.js';
import { makeRequestEntry } from './support/make-request-entry.js';

const NOON = Date.UTC(2026, 5, 15, 12);
const DAY_MS = 86_400_000;

/** Pages of what one organisation sees, on every store. */
export function describePages(engine: string, open: () => Promise<Store>): void {
  describe(`pages of calls and jobs on ${engine}`, () => {
    let store: Store;
    let organisationId: string;
    let other: string;
    beforeEach(async () => {
      store = await open();
      organisationId = await createOrganisation(store, 'Test');
      other = await createOrganisation(store, 'Other');
    });
    afterEach(() => store.close());

    const write = (entries: RequestEntry[]) =>
      store.write(function* () {
        for (const entry of entries) yield* writeRequest(entry);
      });
    /** Writes a call `times` more, a millisecond before each other: one by one takes a database seconds. */
    const repeat = async ({ id }: RequestEntry, times: number) => {
      const [row] = await store.read(all('SELECT * FROM request WHERE id = :id', { id }));
      const columns = Object.keys(row ?? {});
      const values = columns.map(
        (column) => ({ id: `id || '-' || CAST(number AS TEXT)`, created_at: 'created_at - number' })[column] ?? column,
      );
      await store.write(() =>
        run(
          `WITH RECURSIVE numbers(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${times})
           INSERT INTO request (${columns}) SELECT ${values} FROM request, numbers WHERE id = :id`,
          { id },
        ),
      );
    };
    const call = (atMs: number, more: Partial<RequestEntry> = {}) => ({
      ...makeRequestEntry(organisationId, atMs),
      ...more,
    });
    const find = async (filter: RequestPageFilter = {}, of = organisationId) => {
      const { rows, olderThan } = await store.read(readRequestPage(of, filter));
      return { ids: rows.map(({ requestId }) => requestId), olderThan };
    };

    test('pages one after the other → every call once, newest first, those of one millisecond too', async () => {
      const entries = Array.from({ length: 120 }, (_, at) => call(NOON + Math.floor(at / 7)));
      await write([...entries, call(NOON, { organisationId: other })]);
      const expected = entries
        .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1))
        .map(({ id }) => id);
      const seen: string[] = [];
      for (let before: string | undefined; ; ) {
        const { ids, olderThan } = await find({ before });
        expect(ids.length).toBeLessThanOrEqual(50);
        seen.push(...ids);
        if (olderThan === undefined) break;
        before = olderThan;
      }
      expect(seen).toEqual(expected);
      // The time in an id stands for a row that is gone.
      await store.write(() => run('DELETE FROM request WHERE id = :id', { id: expected[10] ?? '' }));
      expect((await find({ before: expected[10] ?? '', limit: 1 })).ids).toEqual([expected[11]]);
      expect(await find({ before: 'nothing' })).toEqual({ ids: [], olderThan: undefined });
    });

    test('a call → found by each of its facts, and by none of another', async () => {
      const facts = { keyId: 'key_2', function: 'TABLES', isCached: true, status: 429, errorCode: 'RATE_LIMITED' };
      const mine = call(NOON, facts);
      await write([mine, call(NOON - 1), call(NOON + 1), call(NOON, { ...facts, organisationId: other })]);
      const filters: RequestPageFilter[] = [
        { keyId: 'key_2' },
        { function: 'TABLES' },
        { cached: 1 },
        { httpStatus: 429 },
        { statusClass: 4 },
        { errorCode: 'RATE_LIMITED' },
        { requestId: mine.id },
        { fromMs: NOON, toMs: NOON },
      ];
      for (const filter of filters)
        expect(await find(filter), JSON.stringify(filter)).toMatchObject({ ids: [mine.id] });
      expect((await find(Object.assign({}, ...filters))).ids).toEqual([mine.id]);
      const none = [{ statusClass: 5 }, { httpStatus: 404 }, { cached: 0, keyId: 'key_2' }, { errorCode: 'INTERNAL' }];
      for (const filter of none) expect((await find(filter)).ids, JSON.stringify(filter)).toEqual([]);
      expect((await find({ requestId: mine.id }, other)).ids).toEqual([]);
      expect((await find({ before: mine.id }, other)).ids).not.toContain(mine.id);
    });

    test('few matches among many calls → each page looks at a bounded part, and all are found', async () => {
      const rare = [call(NOON - 25_000, { isCached: true }), call(NOON - 3, { isCached: true })];
      const usual = call(NOON - 1_000);
      await write([...rare, usual]);
      await repeat(usual, 20_500);
      const pages = [await find({ cached: 1 })];
      for (let last = pages[0]; last?.olderThan !== undefined; pages.push(last))
        last = await find({ cached: 1, before: last.olderThan });
      expect(pages.length).toBeGreaterThan(2);
      expect(pages[0]?.ids).toEqual([rare[1]?.id]);
      expect(pages.flatMap(({ ids }) => ids)).toEqual([rare[1]?.id, rare[0]?.id]);
      const parts: number[] = [];
      for await (const rows of streamRequests(store, organisationId, {})) parts.push(rows.length);
      expect(parts).toEqual(Array.from({ length: 20 }, () => 500));
      let found = 0;
      for await (const rows of streamRequests(store, organisationId, { cached: 1 })) found += rows.length;
      expect(found).toBe(2);
    });

    test('calls by key and errors by code and function → counted since a time', async () => {
      const [used, unused] = [createId('key'), createId('key')];
      await createApiKey(store, organisationId, 'used', { id: used });
      await createApiKey(store, organisationId, 'unused', { id: unused });
      const refused = { keyId: used, status: 400, errorCode: 'INVALID_ARGS', function: 'TABLES' };
      await write([
        call(NOON, refused),
        call(NOON, refused),
        call(NOON, { ...refused, status: 429, errorCode: 'RATE_LIMITED' }),
        call(NOON - 2 * DAY_MS, refused),
        call(NOON, { ...refused, organisationId: other }),
      ]);
      const counts = await store.read(countCallsByKey(organisationId, NOON - DAY_MS));
      expect(counts).toEqual([
        { keyId: used, n: 3, isAtLeast: false },
        { keyId: unused, n: 0, isAtLeast: false },
      ]);
      const jobId = await accept(NOON);
      await createQueue(store).defer(jobId);
      await end('fail');
      const errors = (await store.read(listTopErrors(organisationId, NOON - DAY_MS))).map((row) => ({ ...row }));
      expect(errors).toEqual([
        { code: 'INVALID_ARGS', function: 'TABLES', kind: 'call', n: 2 },
        { code: 'INVALID_DOCUMENT', function: 'TEXT_EXTRACTION', kind: 'job', n: 1 },
        { code: 'RATE_LIMITED', function: 'TABLES', kind: 'call', n: 1 },
      ]);
    });

    async function accept(nowMs: number, more: Partial<Acceptance> = {}): Promise<string> {
      const acceptance = makeAcceptance(organisationId, { nowMs, jobId: createId('job', nowMs), ...more });
      await createQueue(store).accept(acceptance);
      return acceptance.jobId;
    }
    async function end(how: 'complete' | 'fail'): Promise<string> {
      const queue = createQueue(store);
      const [job] = await queue.claim(600_000);
      if (job === undefined) throw new Error('nothing to claim');
      const run = { durationMs: 1, isBilled: false };
      if (how === 'fail') await queue.fail(job, { code: 'INVALID_DOCUMENT', message: 'no' }, run);
      else await queue.complete(job, { body: '{}', provider: 'test', pageCount: 1, durationMs: 1 });
      return job.id;
    }
    const jobs = async (filter: JobPageFilter = {}, of = organisationId) => {
      const { rows, olderThan } = await store.read(readJobPage(of, filter));
      return { ids: rows.map(({ jobId }) => jobId), olderThan };
    };

    test('jobs → a page at a time, by state, function, code and time, and counted', async () => {
      const nowMs = store.clock.now();
      const ids: string[] = [];
      for (let at = 0; at < 5; at++)
        ids.unshift(await accept(nowMs - 5_000 + at, at === 4 ? { function: 'TABLES' } : {}));
      const completed = await end('complete');
      const failed = await end('fail');
      await createQueue(store).accept(makeAcceptance(other));
      expect((await jobs({ status: 'completed' })).ids).toEqual([completed]);
      expect((await jobs({ status: 'failed' })).ids).toEqual([failed]);
      expect((await jobs()).ids).toEqual(ids);
      const part = await jobs({ limit: 2 });
      expect(part).toEqual({ ids: ids.slice(0, 2), olderThan: ids[1] });
      expect((await jobs({ limit: 2, before: part.olderThan })).ids).toEqual(ids.slice(2, 4));
      expect((await jobs({ function: 'TABLES' })).ids).toEqual(ids.slice(0, 1));
      expect((await jobs({ fromMs: nowMs - 4_998, toMs: nowMs - 4_997 })).ids).toEqual(ids.slice(1, 3));
      expect((await jobs({ errorCode: 'INVALID_DOCUMENT' })).ids).toEqual([failed]);
      const queued = ids.filter((id) => id !== completed && id !== failed);
      expect((await jobs({ status: 'queued' })).ids).toEqual(queued);
      const counts = await store.read(countJobsOf(organisationId, nowMs - 60_000));
      expect(counts).toMatchObject({
        queued: { n: 3, isAtLeast: false },
        running: { n: 0 },
        oldestQueuedAtMs: nowMs - 5_000 + ids.length - 1 - ids.indexOf(queued.at(-1) ?? ''),
        completed: { n: 1 },
        failed: { n: 1 },
      });
      const [newest = ''] = ids;
      expect(await store.read(readJobOf(organisationId, newest))).toMatchObject({ jobId: newest });
      expect(await store.read(readJobOf(other, newest))).toBeUndefined();
    });
  });
}
