import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hashApiKey } from '../../../../src/contract/api-key.js';
import { createAccessCache } from '../../../../src/service/intake/access-cache.js';
import { createLog } from '../../../../src/service/log.js';
import { createApiKey, createOrganisation } from '../../../../src/store/access.js';
import { openStore } from '../../../../src/store/sqlite/open-store.js';
import type { Store } from '../../../../src/store/store.js';
import { one, run } from '../../../../src/store/unit.js';

const log = createLog('silent');
let directory: string;
let store: Store;
let organisationId: string;
let reads: number;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-access-test-'));
  const opened = await openStore(join(directory, 'ocr.db'));
  store = {
    ...opened,
    read: (unit) => {
      // A read of an access begins with the statement that finds the key.
      reads++;
      return opened.read(unit);
    },
  };
  organisationId = await createOrganisation(store, 'Test');
  reads = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const mint = async (more = {}) => hashApiKey(await createApiKey(store, organisationId, 'test', more));

test('a known key → organisation and plan, from the cache', async () => {
  const hash = await mint({ functions: ['A'] });
  const cache = createAccessCache(store, 60_000, log);
  for (let i = 0; i < 5; i++)
    expect(await cache.find(hash)).toMatchObject({
      organisationId,
      keyFunctions: ['A'],
      subscription: 'active',
      plan: { name: 'ENTERPRISE', functions: undefined, documentsPerPeriod: undefined, hasWebhooks: true },
    });
  expect(reads).toBe(1);
});

test('a change in the store → seen after the cache time', async () => {
  const hash = await mint();
  const cache = createAccessCache(store, 20, log);
  expect(await cache.find(hash)).toBeDefined();
  await store.write(() => run('UPDATE api_key SET revoked_at = 1'));
  await sleep(30);
  expect(await cache.find(hash)).toBeUndefined();
});

test('an unknown key → not cached, works once it exists', async () => {
  const cache = createAccessCache(store, 60_000, log);
  const hash = await mint();
  await store.write(() => run('UPDATE api_key SET hash = :hash', { hash: 'elsewhere' }));
  expect(await cache.find(hash)).toBeUndefined();
  await store.write(() => run('UPDATE api_key SET hash = :hash', { hash }));
  expect(await cache.find(hash)).toBeDefined();
});

test('a full cache → the oldest entry is removed', async () => {
  const cache = createAccessCache(store, 60_000, log, 2);
  const [a = '', b = '', c = ''] = [await mint(), await mint(), await mint()];
  for (const hash of [a, b, c]) await cache.find(hash);
  reads = 0;
  await cache.find(c);
  await cache.find(b);
  expect(reads).toBe(0);
  await cache.find(a);
  expect(reads).toBe(1);
});

test('a cached key at its expiry → refused', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  const hash = await mint({ expiresAtMs: 1_005_000 });
  const cache = createAccessCache(store, 60_000, log);
  vi.setSystemTime(1_004_999);
  expect(await cache.find(hash)).toBeDefined();
  vi.setSystemTime(1_005_000);
  expect(await cache.find(hash)).toBeUndefined();
  expect(reads).toBe(1);
});

test('the last use → written once a minute; a failed write → the call succeeds', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  const hash = await mint();
  let writes = 0;
  let isFull = false;
  const counting: Store = {
    ...store,
    write: (work) => {
      writes++;
      return isFull ? Promise.reject(new Error('full')) : store.write(work);
    },
  };
  const cache = createAccessCache(counting, 1, log);
  const lastUse = async () => {
    await store.write(function* () {});
    return (await store.read(one<{ at: number }>('SELECT last_used_at AS at FROM api_key')))?.at;
  };
  for (let i = 0; i < 5; i++) {
    await cache.find(hash);
    expect(await lastUse()).toBe(1_000_000);
    await sleep(2);
    vi.setSystemTime(1_000_000 + i * 10_000);
  }
  expect(writes).toBe(1);
  vi.setSystemTime(1_060_000);
  await cache.find(hash);
  expect([writes, await lastUse()]).toEqual([2, 1_060_000]);
  isFull = true;
  vi.setSystemTime(1_120_000);
  expect(await cache.find(hash)).toBeDefined();
  expect([writes, await lastUse()]).toEqual([3, 1_060_000]);
});

test('a key that has ended → its owner, for so many calls; a key that there is not → undefined', async () => {
  const hash = await mint({ expiresAtMs: 1 });
  const cache = createAccessCache(store, 60_000, log);
  expect(await cache.find(hash)).toBeUndefined();
  for (let i = 0; i < 60; i++)
    expect(await cache.findRefused(hash)).toEqual({
      organisationId,
      keyId: expect.stringMatching(/^key_/),
      keyLastFour: expect.any(String),
    });
  expect(await cache.findRefused(hash)).toBeUndefined();
  expect(await cache.findRefused(hashApiKey('ocr_live_unknown'))).toBeUndefined();
});
