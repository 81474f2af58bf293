import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { createReadiness } from '../../../../src/service/monitoring/readiness.js';
import { createBlobs } from '../../../../src/store/blobs.js';
import { openStore, type Store } from '../../../../src/store/store.js';

let directory: string;
let store: Store;
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

test('a clock set back → no stale readiness', async () => {
  directory = mkdtempSync(join(tmpdir(), 'ocr-readiness-test-'));
  store = await openStore(join(directory, 'ocr.db'));
  const readiness = createReadiness({
    activity: { isReady: true, isStopping: false, openRequests: 0, lastEndedAtMs: 0 },
    store,
    blobs: await createBlobs(directory, store),
    jobs: { blockedReason: undefined },
    log: pino({ level: 'silent' }),
  });
  expect(await readiness.findObstacle()).toBeUndefined();
  rmSync(join(directory, 'incoming'), { recursive: true });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  await expect.poll(() => readiness.findObstacle(), { timeout: 10_000 }).toBe('its data directory cannot be written');
});
