import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { createApiKey, createOrganisation } from '../../dist/store/access.js';
import { createQueue } from '../../dist/store/create-queue.js';
import { LANES } from '../../dist/store/lanes.js';
import { removeExpired, removeUnownedRequests } from '../../dist/store/remove-expired.js';
import { findNewestLine, listLinesAfter } from '../../dist/store/request-lines.js';
import {
  findEarlierAnswer,
  findRequest,
  listRequests,
  type RequestEntry,
  type RequestFilter,
  writeRequest,
} from '../../dist/store/requests.js';
import { findShortened } from '../../dist/store/short-ids.js';
import type { Store } from '../../dist/store/store.js';
import { ids } from '../../dist/store/unit.js';
import { makeRequestEntry } from './support/make-request-entry.js';

/** The log of every call on every store. */
export function describeRequestLog(engine: string, open: () => Promise<Store>): void {
  describe(`the request log on ${engine}`, () => {
    let store: Store;
    let organisationId: string;
    beforeEach(async () => {
      store = await open();
      organisationId = await createOrganisation(store, 'Test');
    });
    afterEach(() => store.close());

    const makeEntry = (createdAtMs: number, more: Partial<RequestEntry> = {}): RequestEntry => ({
      ...makeRequestEntry(organisationId, createdAtMs),
      ...more,
    });
    const write = (...entries: RequestEntry[]) =>
      store.write(function* () {
        for (const entry of entries) yield* writeRequest(entry);
      });
    const find = async (filter: Partial<RequestFilter>) =>
      (await listRequests(store, { limit: 100, ...filter })).map(({ requestId }) => requestId);

    /** Queues a job; returns its request and its own id. */
    async function accept(fileName = 'a.pdf'): Promise<{ requestId: string; jobId: string }> {
      const [requestId, jobId] = [createId('req'), createId('job')];
      const document = { id: createId('doc'), sha256: 'ab', sizeBytes: 1, mimeType: 'application/pdf', pageCount: 3 };
      const accepted = await createQueue(store).accept({
        ...{ requestId, jobId, organisationId, keyId: 'key_1', keyLastFour: 'abcd', function: 'TEXT_EXTRACTION' },
        ...{ args: '{}', cacheKey: 'c', engine: 'engine', fileName, document, isUrgent: false, nowMs: Date.now() },
        ...{ effort: { lane: LANES.long, delayMs: 0 }, idempotency: undefined },
        allowance: { period: '2026-01', limit: undefined },
      });
      expect(accepted).toEqual({ kind: 'accepted' });
      return { requestId, jobId };
    }

    test('lines → newest first, those of one millisecond by their ids', async () => {
      const entries = [makeEntry(1_000), makeEntry(3_000), makeEntry(2_000), makeEntry(2_000)];
      await write(...entries);
      const [first, last, ...middle] = entries.map(({ id }) => id);
      expect(await find({})).toEqual([last, ...middle.sort().reverse(), first]);
      expect(await find({ limit: 2 })).toHaveLength(2);
    });

    test('a line → found by each of its facts, and by none of another', async () => {
      const other = await createOrganisation(store, 'Other');
      const keyId = createId('key');
      const key = await createApiKey(store, organisationId, 'k', { id: keyId });
      const facts = { keyId, keyLastFour: key.slice(-4), function: 'TABLES', fileName: 'Q3_100%.PDF', sha256: 'cd12' };
      const mine = makeEntry(2_000, { ...facts, status: 400, errorCode: 'INVALID_ARGS' });
      await write(mine, makeEntry(1_000, { organisationId: other, fileName: 'Q3 100 .pdf' }));
      const filters: Array<Partial<RequestFilter>> = [
        { organisationId },
        { sinceMs: 1_500 },
        { httpStatus: 400 },
        { function: 'TABLES' },
        { keyId },
        { keyLastFour: key.slice(-4) },
        { fileName: 'q3_100%' },
        { sha256: 'CD1' },
        { requestId: mine.id },
        { failedOnly: true },
      ];
      for (const filter of filters) expect(await find(filter), JSON.stringify(filter)).toEqual([mine.id]);
      expect(await find({ organisationId, failedOnly: true, function: 'TEXT_EXTRACTION' })).toEqual([]);
      // A call that was refused for its key shows no more of it than four characters.
      const refused = makeEntry(3_000, { keyId: undefined, keyLastFour: key.slice(-4), status: 401 });
      await write(refused);
      expect(await find({ keyId })).toEqual([refused.id, mine.id]);
    });

    test('an accepted call → a line before its answer, which the answer completes', async () => {
      const { requestId, jobId } = await accept();
      expect(await findRequest(store, requestId)).toMatchObject({ httpStatus: null, jobId, jobStatus: 'queued' });
      await write(makeEntry(1, { id: requestId, jobId, status: 202, provider: undefined, durationMs: 7 }));
      expect(await findRequest(store, requestId)).toMatchObject({ httpStatus: 202, durationMs: 7, fileName: 'a.pdf' });
      expect(await find({ jobStatus: 'queued' })).toEqual([requestId]);
      expect(await find({ failedOnly: true })).toEqual([]);
      const queue = createQueue(store);
      const [job] = await queue.claim(10_000);
      if (job === undefined) throw new Error('nothing to claim');
      const run = { durationMs: 5, isBilled: false };
      await queue.fail(job, { code: 'INVALID_DOCUMENT', message: 'damaged' }, run);
      expect(await findRequest(store, requestId)).toMatchObject({ jobErrorMessage: 'damaged', cached: 0 });
      expect(await find({ failedOnly: true })).toEqual([requestId]);
      expect(await findEarlierAnswer(store, requestId)).toMatchObject({ jobId, isCached: false });
    });

    test('lines → numbered as they are added, whatever their time', async () => {
      expect(await findNewestLine(store)).toBe(0);
      const [late, early] = [makeEntry(2_000), makeEntry(1_000)];
      await write(late);
      const line = await findNewestLine(store);
      await write(early);
      await write(late);
      const { requestId } = await accept();
      const lines = await listLinesAfter(store, line, 10);
      expect(lines.map((one) => one.requestId)).toEqual([early.id, requestId]);
      expect(await findNewestLine(store)).toBe(lines[1]?.line);
      expect(await listLinesAfter(store, 0, 2)).toHaveLength(2);
    });

    test('texts with NUL, marks and signs of other alphabets → stored, without NUL alone', async () => {
      const { requestId } = await accept('a\0 “é” 日本\u{1F600}.pdf');
      const entry = makeEntry(1, { path: '/\0x', errorMessage: 'o\0dd', fileName: '\0' });
      await write(entry);
      expect((await findRequest(store, requestId))?.fileName).toBe('a “é” 日本\u{1F600}.pdf');
      expect(await findRequest(store, entry.id)).toMatchObject({ path: '/x', errorMessage: 'odd', fileName: '' });
      expect(await find({ fileName: 'A \0“é” 日' })).toEqual([requestId]);
    });

    test('a part of a name → found in any case and any normal form, beyond a page of others too', async () => {
      const names = ['ÜBER den Fluß.pdf'.normalize('NFD'), 'über.pdf', 'Ubermut.pdf', 'ОТЧЁТ.pdf', '請求書 Ä.pdf'];
      const entries = names.map((fileName, i) => makeEntry(i, { fileName }));
      await write(...entries);
      const [decomposed, composed, plain, cyrillic, cjk] = entries.map(({ id }) => id);
      const found: Array<[part: string, ids: Array<string | undefined>]> = [
        ['Über', [composed, decomposed]],
        ['über'.normalize('NFD'), [composed, decomposed]],
        ['uber', [plain]],
        ['FLUß.PDF', [decomposed]],
        ['отчёт', [cyrillic]],
        ['отчЁт'.normalize('NFD'), [cyrillic]],
        ['請求書 ä', [cjk]],
        ['%', []],
      ];
      for (const [part, ids] of found) expect(await find({ fileName: part }), part).toEqual(ids);
      expect(await find({ fileName: 'ÜBER', limit: 1 })).toEqual([composed]);
      await write(...Array.from({ length: 1_100 }, () => makeEntry(9, { fileName: 'hyber.pdf' })));
      expect(await find({ fileName: 'ÜBER', limit: 1 })).toEqual([composed]);
    });

    test('shortened ids → those that begin so, of one organisation or of all', async () => {
      const { requestId, jobId } = await accept();
      const other = await createOrganisation(store, 'Other');
      for (const characters of [8, 14, 20, 30]) {
        const start = (id: string) => id.slice(0, characters);
        expect(await findShortened(store, 'req', start(requestId))).toEqual([requestId]);
        expect(await findShortened(store, 'job', start(jobId), organisationId)).toEqual([jobId]);
        expect(await findShortened(store, 'job', start(jobId), other)).toEqual([]);
      }
      const next = (id: string) => id.slice(0, 13) + (id[13] === 'Z' ? 'Y' : 'Z');
      expect(await findShortened(store, 'job', next(jobId))).toEqual([]);
    });

    test('lines older than their lifetime → removed; the others stay', async () => {
      const days = (count: number) => count * 86_400_000;
      const nowMs = Date.UTC(2026, 5, 15, 12);
      const ages = { resultTtlMs: 1_000, cacheTtlMs: 1_000, idempotencyTtlMs: 1_000, requestLogTtlMs: days(20) };
      await removeExpired(store, ages, nowMs);
      // A database may keep lines until their day is over.
      const old = [400, 30, 21.1].map((age) => makeEntry(nowMs - days(age)));
      const young = [19.9, 0, -1].map((age) => makeEntry(nowMs - days(age)));
      await write(...old, ...young);
      await removeExpired(store, ages, nowMs);
      expect(await find({})).toEqual(young.map(({ id }) => id).reverse());
      await removeExpired(store, ages, nowMs + days(22.1));
      expect(await find({})).toEqual([]);
    });

    test('calls without a known key → the newest stay; those of organisations and of support keys all stay', async () => {
      const own = makeEntry(0);
      const support = makeEntry(1, { organisationId: undefined });
      const others = Array.from({ length: 1_200 }, (_, i) =>
        makeEntry(1_000 + i, { organisationId: undefined, keyId: undefined }),
      );
      await write(own, support, ...others);
      expect(await removeUnownedRequests(store, 2_000)).toBe(0);
      expect(await removeUnownedRequests(store, 100, AbortSignal.abort())).toBe(0);
      const stop = new AbortController();
      const stopping: Store = {
        ...store,
        write: (work, options) => {
          stop.abort();
          return store.write(work, options);
        },
      };
      expect(await removeUnownedRequests(stopping, 100, stop.signal)).toBe(500);
      expect(await removeUnownedRequests(store, 100)).toBe(600);
      const kept = await store.read(ids('SELECT id FROM request ORDER BY created_at'));
      expect(kept).toEqual([own, support, ...others.slice(-100)].map(({ id }) => id));
    });
  });
}
