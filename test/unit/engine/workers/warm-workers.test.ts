import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createWarmWorkers } from '../../../../dist/engine/workers/warm-workers.js';
import { readUnusedBytes } from '../../../../dist/service/documents/unused-memory.js';

const MIB = 1024 * 1024;
/** A thread that lives until it is ended. */
const IDLE_PROGRAM = 'data:text/javascript,setInterval(() => {}, 1000)';

afterEach(() => void vi.useRealTimers());

test.runIf(process.platform === 'linux')('an idle thread → little private memory', async () => {
  const workers = createWarmWorkers(new URL(IDLE_PROGRAM));
  const before = readUnusedBytes();
  const threads = Array.from({ length: 3 }, () => workers.take());
  await Promise.all(threads.map(({ thread }) => new Promise((resolve) => thread.once('online', resolve))));
  await sleep(200);
  const each = (readUnusedBytes() - before) / threads.length;
  await Promise.all(threads.map(({ thread }) => thread.terminate()));
  expect(each / MIB).toBeLessThan(200);
});

test('a thread given back → the next one taken; after 30 s without work it ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const workers = createWarmWorkers(new URL(IDLE_PROGRAM));
  const worker = workers.take();
  workers.giveBack(worker);
  vi.advanceTimersByTime(29_999);
  expect(workers.take()).toBe(worker);
  // Work ended the idle time.
  vi.advanceTimersByTime(30_000);
  expect(worker.ended).toBe(false);
  workers.giveBack(worker);
  const ended = once(worker.thread, 'exit');
  vi.advanceTimersByTime(30_000);
  await ended;
  const other = workers.take();
  expect(other).not.toBe(worker);
  await other.thread.terminate();
});

test('a thread that died while idle → not taken again', async () => {
  const workers = createWarmWorkers(new URL(IDLE_PROGRAM));
  const worker = workers.take();
  workers.giveBack(worker);
  await worker.thread.terminate();
  const other = workers.take();
  expect(other).not.toBe(worker);
  await other.thread.terminate();
});
