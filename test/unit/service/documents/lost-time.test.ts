import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LostTime } from '../../../../src/service/documents/lost-time.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const usage = { lookAtWait: () => undefined, isStopped: () => false };

test('looks at the interval → nothing is lost', () => {
  const lost = new LostTime(usage, 250);
  for (let i = 0; i < 100; i++) {
    vi.advanceTimersByTime(300);
    lost.look();
  }
  expect(lost.totalMs).toBe(0);
});

test('a look that comes minutes late → the time between was lost', () => {
  const lost = new LostTime(usage, 250);
  vi.advanceTimersByTime(120_000);
  lost.look();
  expect(lost.totalMs).toBe(120_000);
});

test('a thread that ends, and takes its waits along → nothing is given back', () => {
  const waits = [1_000, 1_200, 300, 500];
  const lost = new LostTime({ ...usage, lookAtWait: () => waits.shift() }, 250);
  for (let i = 0; i < 4; i++) {
    vi.advanceTimersByTime(250);
    lost.look();
  }
  expect(lost.totalMs).toBe(400);
});
