import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createId } from '../../dist/contract/identifiers.js';
import { createOrganisation } from '../../dist/store/access.js';
import { deleteOrganisation } from '../../dist/store/delete-organisation.js';
import {
  EVENT_BOUNDS,
  EVENT_TTL_MS,
  findEndOfEvents,
  findEventPlace,
  findNewestEvent,
  findSurplusEvents,
  insertEvent,
  listEvents,
} from '../../dist/store/events.js';
import { removeExpired, removeSurplusEvents } from '../../dist/store/remove-expired.js';
import type { Store } from '../../dist/store/store.js';
import { all, run } from '../../dist/store/unit.js';

const AGES = { resultTtlMs: 1, cacheTtlMs: 1, idempotencyTtlMs: 1, requestLogTtlMs: 1 };

/** The stream of events that every store keeps for callers that follow them. */
export function describeEvents(engine: string, open: () => Promise<Store>): void {
  describe(`events on ${engine}`, () => {
    let store: Store;
    let organisationId: string;
    beforeEach(async () => {
      store = await open();
      organisationId = await createOrganisation(store, 'Archive', {});
    });
    afterEach(() => store.close());

    const insert = (nowMs: number, owner = organisationId) =>
      store.write(() => insertEvent(owner, { requestId: 'req_1', function: 'F', status: 'failed' }, nowMs));
    const list = (afterNumber: number, owner = organisationId) => listEvents(store, owner, afterNumber, 100);
    const numbersOf = async (owner = organisationId) => (await list(0, owner)).events.map(({ number }) => number);

    test('events older than a day → removed; their numbers are not used again', async () => {
      const nowMs = Date.now();
      await insert(nowMs - EVENT_TTL_MS - 1);
      await insert(nowMs);
      await removeExpired(store, AGES, nowMs);
      expect(await numbersOf()).toEqual([2]);
      await removeExpired(store, AGES, nowMs + EVENT_TTL_MS + 1);
      expect(await numbersOf()).toEqual([]);
      expect(await findNewestEvent(store)).toBe(0);
      await insert(nowMs);
      expect((await list(2)).events.map(({ number }) => number)).toEqual([3]);
    });

    test('more events than one organisation may have → its oldest', async () => {
      const small = await createOrganisation(store, 'Small', {});
      for (let i = 0; i < 2; i++) await insert(Date.now(), small);
      for (let i = 0; i < 5; i++) await insert(Date.now());
      expect(await findSurplusEvents(store, EVENT_BOUNDS)).toEqual([]);
      expect(await findSurplusEvents(store, { organisation: 3, all: 100 })).toEqual([
        { organisationId, untilNumber: 4 },
      ]);
      expect(await removeSurplusEvents(store, { organisation: 3, all: 100 })).toBe(2);
      expect(await numbersOf()).toEqual([5, 6, 7]);
      expect(await numbersOf(small)).toEqual([1, 2]);
    });

    test('more events than all may have → those of the largest organisations, down to a common level', async () => {
      const [middle, small] = [
        await createOrganisation(store, 'Middle', {}),
        await createOrganisation(store, 'Small', {}),
      ];
      await insert(Date.now(), small);
      for (let i = 0; i < 5; i++) await insert(Date.now(), middle);
      for (let i = 0; i < 12; i++) await insert(Date.now());
      expect(await removeSurplusEvents(store, { organisation: 100, all: 9 })).toBe(9);
      const left = await Promise.all([small, middle, organisationId].map(numbersOf));
      expect(left.map(({ length }) => length)).toEqual([1, 4, 4]);
      expect(await removeSurplusEvents(store, { organisation: 100, all: 9 })).toBe(0);
    });

    test('events after a place that were removed → missing, for this organisation alone', async () => {
      const other = await createOrganisation(store, 'Other', {});
      await insert(Date.now(), other);
      for (let i = 0; i < 4; i++) await insert(Date.now());
      const ids = (await list(0)).events.map(({ id }) => id);
      expect((await list(0)).isMissing).toBe(false);
      await removeSurplusEvents(store, { organisation: 2, all: 100 });
      expect((await list(2)).isMissing).toBe(true);
      // Nothing is missing after the last one that was removed.
      expect(await findEventPlace(store, organisationId, ids[1] ?? '')).toEqual({ number: 3, isUnknown: false });
      expect(await list(3)).toMatchObject({ isMissing: false, events: [{ id: ids[2] }, { id: ids[3] }] });
      expect(await findEventPlace(store, organisationId, ids[0] ?? '')).toEqual({ number: 0, isUnknown: true });
      expect((await list(0, other)).isMissing).toBe(false);
      await store.write(() => run('DELETE FROM event'));
      expect(await findEndOfEvents(store, organisationId)).toBe(5);
      expect((await list(await findEndOfEvents(store, organisationId))).isMissing).toBe(false);
    });

    test('an unknown id → the place of the last event before its millisecond', async () => {
      const nowMs = Date.now();
      for (let i = 0; i < 3; i++) await insert(nowMs + i * 1_000);
      expect(await findEventPlace(store, organisationId, createId('evt', nowMs + 1_500))).toEqual({
        number: 2,
        isUnknown: true,
      });
      expect(await findEventPlace(store, organisationId, createId('evt', nowMs + 1_000))).toEqual({
        number: 1,
        isUnknown: true,
      });
    });

    test('an organisation that is deleted → nothing of its events stays', async () => {
      await insert(Date.now());
      await deleteOrganisation(store, organisationId);
      for (const table of ['event', 'event_removal'])
        expect(await store.read(all(`SELECT * FROM ${table}`))).toEqual([]);
    });
  });
}
