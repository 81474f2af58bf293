import { expect, test } from 'vitest';
import { createSemaphore } from '../../../src/submission-lifecycle/semaphore.js';

test('a full semaphore → callers wait, and enter in the order of their calls', async () => {
  const semaphore = createSemaphore(2);
  const entered: number[] = [];
  const releases = Array.from({ length: 5 }, async (_, i) => {
    const release = await semaphore.acquire();
    entered.push(i);
    return release;
  });
  const leave = async (i: number) => {
    (await releases[i])?.();
    await new Promise(setImmediate);
  };
  await new Promise(setImmediate);
  expect(entered).toEqual([0, 1]);
  await leave(1);
  expect(entered).toEqual([0, 1, 2]);
  await leave(0);
  await leave(2);
  expect(entered).toEqual([0, 1, 2, 3, 4]);
  await leave(3);
  await leave(4);
  expect(await Promise.race([semaphore.acquire(), 'none free'])).not.toBe('none free');
});
