import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { createOrganisation } from '../../dist/store/access.js';
import { findIdempotentUse } from '../../dist/store/idempotency.js';
import { IDEMPOTENCY_TTL_MS } from '../../dist/store/queue.js';
import { findEarlierAnswer } from '../../dist/store/requests.js';
import { rememberCachedAnswer } from '../../dist/store/result-cache.js';
import type { Store } from '../../dist/store/store.js';
import { all } from '../../dist/store/unit.js';
import { listDeliveries } from '../../dist/store/webhook-deliveries.js';
import { insertEndpoint } from '../../dist/store/webhooks.js';
import { makeRequestEntry } from './support/make-request-entry.js';

/** Idempotency-Keys of cached answers, and the log lines that these write, on every store. */
export function describeIdempotency(engine: string, open: () => Promise<Store>): void {
  describe(`idempotency keys on ${engine}`, () => {
    let store: Store;
    let organisationId: string;
    beforeEach(async () => {
      store = await open();
      organisationId = await createOrganisation(store, 'Test');
      await insertEndpoint(store, {
        id: createId('whe'),
        organisationId,
        url: 'https://hooks.example/',
        events: 'document.processed',
        secret: 'sealed',
        previousSecretUntilMs: null,
        createdAtMs: 0,
      });
    });
    afterEach(() => store.close());

    const makeEntry = (createdAtMs: number) =>
      makeRequestEntry(organisationId, createdAtMs, { id: createId('req'), jobId: createId('job'), isCached: true });

    async function remember(entry: ReturnType<typeof makeEntry>, contentHash = 'a') {
      const event = { requestId: entry.id, function: 'TEXT_EXTRACTION', status: 'completed' as const, pageCount: 1 };
      return await rememberCachedAnswer(store, entry, { key: 'k', contentHash }, event);
    }
    const countEvents = async () => (await listDeliveries(store, { organisationId, limit: 100 })).length;
    const findUse = (...use: Parameters<typeof findIdempotentUse>) => store.read(findIdempotentUse(...use));

    test('concurrent cached answers under one key → one of them counts', async () => {
      const nowMs = Date.now();
      const calls = ['a', 'a', 'b'].map((content) => ({ entry: makeEntry(nowMs), content }));
      const answers = await Promise.all(calls.map(({ entry, content }) => remember(entry, content)));
      // Any of them may come first at the database.
      const first = calls[answers.indexOf(undefined)];
      if (first === undefined) throw new Error('none of them counts');
      expect(answers).toEqual(
        calls.map((call) => {
          if (call === first) return undefined;
          if (call.content !== first.content) return { kind: 'conflict' };
          return { kind: 'replay', requestId: first.entry.id };
        }),
      );
      expect(await countEvents()).toBe(1);
      for (const call of calls)
        expect(await findEarlierAnswer(store, call.entry.id)).toEqual(
          call === first ? expect.objectContaining({ isCached: true, jobId: first.entry.jobId }) : undefined,
        );
    });

    test('a key that another organisation uses → free', async () => {
      const nowMs = Date.now();
      const entry = makeEntry(nowMs);
      await remember(entry);
      const use = { key: 'k', contentHash: 'a' };
      const other = await createOrganisation(store, 'Other');
      expect(await findUse(other, use, nowMs)).toBeUndefined();
      expect(await remember({ ...makeEntry(nowMs), organisationId: other }, 'b')).toBeUndefined();
      expect(await findUse(organisationId, use, nowMs)).toEqual({ kind: 'replay', requestId: entry.id });
    });

    test('an expired use → replaced before the clean-up', async () => {
      const nowMs = Date.now();
      await remember(makeEntry(nowMs - IDEMPOTENCY_TTL_MS - 1_000));
      const entry = makeEntry(nowMs);
      expect(await remember(entry, 'b')).toBeUndefined();
      expect(await countEvents()).toBe(2);
      expect(await findUse(organisationId, { key: 'k', contentHash: 'b' }, nowMs)).toEqual({
        kind: 'replay',
        requestId: entry.id,
      });
    });

    test('stored keys → hashed', async () => {
      await remember(makeEntry(Date.now()));
      const keys = await store.read(all<{ key: string }>('SELECT idempotency_key AS key FROM idempotency'));
      expect(keys).toEqual([{ key: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    });
  });
}
