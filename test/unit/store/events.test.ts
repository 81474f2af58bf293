import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createOrganisation } from '../../../src/store/access.js';
import {
  EVENT_TTL_MS,
  findNewestEvent,
  findSurplusEvents,
  insertEvent,
  listEvents,
} from '../../../src/store/events.js';
import { removeExpired } from '../../../src/store/remove-expired.js';
import { openStore, type Store } from '../../../src/store/store.js';

const AGES = { resultTtlMs: 1, cacheTtlMs: 1, idempotencyTtlMs: 1, requestLogTtlMs: 1 };
let directory: string;
let store: Store;
let organisationId: string;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-events-'));
  store = await openStore(join(directory, 'ocr.db'));
  organisationId = await createOrganisation(store, 'Archive', {});
});
afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const insert = (nowMs: number) =>
  store.write((db) => insertEvent(db, organisationId, { requestId: 'req_1', function: 'F', status: 'failed' }, nowMs));

test('events older than a day → removed; their numbers are not used again', async () => {
  const nowMs = Date.now();
  await insert(nowMs - EVENT_TTL_MS - 1);
  await insert(nowMs);
  await removeExpired(store, AGES, nowMs);
  expect(listEvents(store, organisationId, 0, 10).map(({ number }) => number)).toEqual([2]);
  await removeExpired(store, AGES, nowMs + EVENT_TTL_MS + 1);
  expect(listEvents(store, organisationId, 0, 10)).toEqual([]);
  expect(findNewestEvent(store)).toBe(0);
  await insert(nowMs);
  expect(listEvents(store, organisationId, 2, 10).map(({ number }) => number)).toEqual([3]);
});

test('more events than are kept → the place of the newest that has to go', async () => {
  for (let i = 0; i < 5; i++) await insert(Date.now());
  expect(findSurplusEvents(store, 5)).toBeUndefined();
  expect(findSurplusEvents(store, 3)).toBe(2);
});
