import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TaskLimits, watchLimits } from '../../../../src/service/documents/watch-limits.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LIMITS: TaskLimits = { timeoutMs: 9_000, idleTimeoutMs: 60_000, memoryBytes: 1e9, cpuMs: 3_000 };

/** Returns the first end within the time limit, of a process that gets `share` of a core and had `beforeMs` of CPU time. */
function watch(share: number | undefined, { beforeMs = 0, limits = LIMITS } = {}) {
  const startMs = Date.now();
  const lookAtCpu = () => (share === undefined ? undefined : beforeMs + (Date.now() - startMs) * share);
  const ends: Array<{ cause: string; message: string; atMs: number }> = [];
  const note = (cause: string, message: string) => ends.push({ cause, message, atMs: Date.now() - startMs });
  const { stop } = watchLimits(limits, { lookAtMemory: () => 0, lookAtCpu }, note);
  vi.advanceTimersByTime(9_500);
  stop();
  return ends[0];
}

it.each([1, 0.5])('a task that computes, on %d of a core → ended when its CPU time is used up', (share) => {
  expect(watch(share, { beforeMs: 100_000 })).toEqual({
    cause: 'timeout',
    message: 'it was not done within 3 s',
    // The first look counts as the start.
    atMs: 250 + 3_000 / share,
  });
});

it.each([0, 0.1])('a task that gets %d of a core → starved, which is not its fault', (share) => {
  expect(watch(share)).toMatchObject({ cause: 'starved', atMs: 9_000 });
});

it('a task that computes on a busy machine, for a third of its CPU time → ended by the wall time', () => {
  expect(watch(0.2)).toMatchObject({ cause: 'timeout', atMs: 9_000 });
});

it('a system that does not report CPU time → ended by the wall time', () => {
  expect(watch(undefined)).toMatchObject({ cause: 'timeout', message: 'it was not done within 9 s' });
});

it('a task without a limit of CPU time → ended by the wall time', () => {
  const { cpuMs: _, ...limits } = LIMITS;
  expect(watch(0, { limits })).toMatchObject({ cause: 'timeout', atMs: 9_000 });
});
