import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { openBlobs } from '../../../../src/service/data-directory/open-blobs.js';
import type { Activity } from '../../../../src/service/monitoring/activity.js';
import { createReadiness } from '../../../../src/service/monitoring/readiness.js';
import { openStore } from '../../../../src/store/sqlite/open-store.js';
import type { Store } from '../../../../src/store/store.js';

let directory: string;
let store: Store;
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Readiness of a service with a store of its own. */
async function setUp(activity: Partial<Activity> = {}, jobs: { blockedReason: string | undefined } = NOT_BLOCKED) {
  directory = mkdtempSync(join(tmpdir(), 'ocr-readiness-test-'));
  store = await openStore(join(directory, 'ocr.db'));
  return createReadiness({
    activity: { isReady: true, isStopping: false, openRequests: 0, lastEndedAtMs: 0, ...activity },
    store,
    blobs: (await openBlobs({ dataDir: directory, databaseUrl: undefined, blobsUrl: undefined }, store)).blobs,
    jobs,
    log: pino({ level: 'silent' }),
  });
}

const NOT_BLOCKED = { blockedReason: undefined };

test('a clock set back → no stale readiness', async () => {
  const readiness = await setUp();
  expect(await readiness.findObstacle()).toBeUndefined();
  rmSync(join(directory, 'incoming'), { recursive: true });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  await expect.poll(() => readiness.findObstacle()).toBe('its data directory cannot be written');
});

test('a service that starts or stops → not ready, with the reason', async () => {
  expect(await (await setUp({ isReady: false })).findObstacle()).toBe('it is starting');
  await store.close();
  rmSync(directory, { recursive: true });
  expect(await (await setUp({ isStopping: true })).findObstacle()).toBe('it is stopping');
});

test('a result that cannot be written → not ready until it is, though small writes succeed', async () => {
  const jobs: { blockedReason: string | undefined } = { blockedReason: 'its disk is full' };
  const readiness = await setUp({}, jobs);
  expect(await readiness.findObstacle()).toBe('its disk is full');
  jobs.blockedReason = undefined;
  expect(await readiness.findObstacle()).toBeUndefined();
});
