import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LostTime } from '../../../../src/service/documents/lost-time.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const usage = { lookAtWait: () => undefined, lookAtCpu: () => undefined, isStopped: () => false };

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

test('threads that wait while another one computes → only the time in which none did was lost', () => {
  let [waitMs, cpuMs] = [0, 0];
  const lost = new LostTime({ ...usage, lookAtWait: () => waitMs, lookAtCpu: () => cpuMs }, 250);
  lost.look();
  for (let i = 0; i < 4; i++) {
    vi.advanceTimersByTime(250);
    waitMs += 500;
    cpuMs += 200;
    lost.look();
  }
  expect(lost.totalMs).toBe(200);
});
