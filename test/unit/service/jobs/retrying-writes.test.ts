import { expect, test } from 'vitest';
import { createRetryingWrites, type RetryingWritesOptions } from '../../../../src/service/jobs/retrying-writes.js';

const FULL = Object.assign(new Error('database or disk is full'), { errcode: 13 });

/** Writes on a clock that moves only when they wait. */
function start({ maxWaitMs = 600_000, isStopping = false } = {}) {
  let nowMs = 0;
  const waits: number[] = [];
  const log: string[] = [];
  const note = (facts: unknown, text = String(facts)) => log.push(text);
  const writes = createRetryingWrites({
    log: { info: note, error: note } as unknown as RetryingWritesOptions['log'],
    maxWaitMs,
    isStopping: () => isStopping,
    clock: {
      now: () => nowMs,
      sleep: async (ms) => {
        waits.push(ms);
        nowMs += ms;
      },
    },
  });
  return { writes, waits, log, elapsedMs: () => nowMs };
}

/** Fails `failures` times with a full disk, then returns. */
function createWrite(failures: number) {
  let calls = 0;
  return async () => {
    if (calls++ < failures) throw FULL;
    return 'written';
  };
}

test('a store that stays full → waits double to 4 s and stay there', async () => {
  const { writes, waits } = start();
  expect(await writes.writeUntilDone(createWrite(8))).toBe('written');
  expect(waits).toEqual([1_000, 2_000, 4_000, 4_000, 4_000, 4_000, 4_000, 4_000]);
});

test('a store that stays full past the longest wait → the write fails, and never waits beyond it', async () => {
  const { writes, waits, elapsedMs } = start({ maxWaitMs: 7_000 });
  await expect(writes.writeUntilDone(createWrite(10))).rejects.toBe(FULL);
  expect(waits).toEqual([1_000, 2_000, 4_000]);
  expect(elapsedMs()).toBe(7_000);
  expect(writes.blockedReason).toBe('its disk is full');
});

test('a fault, or a service that stops → the write fails without a wait', async () => {
  const { writes, waits } = start();
  const fault = new Error('UNIQUE constraint failed');
  await expect(writes.writeUntilDone(() => Promise.reject(fault))).rejects.toBe(fault);
  expect(writes.blockedReason).toBeUndefined();
  const stopping = start({ isStopping: true });
  await expect(stopping.writes.writeUntilDone(createWrite(1))).rejects.toBe(FULL);
  expect([...waits, ...stopping.waits]).toEqual([]);
});

test('a smaller write that finds room → the state stays blocked while a larger one retries', async () => {
  const { writes, log } = start();
  let hasRoom = false;
  const large = writes.writeUntilDone(async () => {
    if (!hasRoom) {
      hasRoom = true;
      await expect(writes.attempt(() => Promise.reject(FULL))).rejects.toBe(FULL);
      await writes.attempt(async () => 'small');
      expect(writes.blockedReason).toBe('its disk is full');
      throw FULL;
    }
  });
  await large;
  expect(writes.blockedReason).toBeUndefined();
  expect(log).toEqual(['the store cannot be written', 'the store can be written again']);
});

test('an attempt that wrote nothing → proves no room', async () => {
  const { writes } = start();
  await expect(writes.attempt(() => Promise.reject(FULL))).rejects.toBe(FULL);
  await writes.attempt(
    async () => undefined,
    (value) => value !== undefined,
  );
  expect(writes.blockedReason).toBe('its disk is full');
});
