import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWarmWorkers } from '../../../../dist/engine/workers/warm-workers.js';
import { readUnusedBytes } from '../../../../dist/service/documents/unused-memory.js';

const MIB = 1024 * 1024;

test.runIf(process.platform === 'linux')('an idle thread → little private memory', async () => {
  const workers = createWarmWorkers(new URL('data:text/javascript,setInterval(() => {}, 1000)'));
  const before = readUnusedBytes();
  const threads = Array.from({ length: 3 }, () => workers.take());
  await Promise.all(threads.map(({ thread }) => new Promise((resolve) => thread.once('online', resolve))));
  await sleep(200);
  const each = (readUnusedBytes() - before) / threads.length;
  await Promise.all(threads.map(({ thread }) => thread.terminate()));
  expect(each / MIB).toBeLessThan(200);
});
