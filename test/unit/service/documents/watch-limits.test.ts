import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TaskLimits, type Usage, watchLimits } from '../../../../src/service/documents/watch-limits.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const LIMITS: TaskLimits = { timeoutMs: 9_000, idleTimeoutMs: 60_000, memoryBytes: 1e9, cpuMs: 3_000 };

const IDLE: Usage = {
  lookAtMemory: () => 0,
  lookAtCpu: () => undefined,
  lookAtWait: () => undefined,
  isStopped: () => false,
};

/** Returns the first end within the time limit, of a process that gets `share` of a core and had `beforeMs` of CPU time. */
function watch(share: number | undefined, { beforeMs = 0, limits = LIMITS } = {}) {
  const startMs = Date.now();
  const lookAtCpu = () => (share === undefined ? undefined : beforeMs + (Date.now() - startMs) * share);
  const ends: Array<{ cause: string; message: string; atMs: number }> = [];
  const note = (cause: string, message: string) => ends.push({ cause, message, atMs: Date.now() - startMs });
  const { stop } = watchLimits(limits, { ...IDLE, lookAtCpu }, note, () => {});
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

interface Watched {
  /** Share of each second in which its threads wait for a core; they sum up. */
  waits?: number;
  /** Seconds between which somebody has stopped it. */
  stopped?: readonly [from: number, to: number];
  limits?: Partial<TaskLimits>;
  /** Seconds at which a page is done. */
  pagesAt?: readonly number[];
}

/** Watches a document for eleven minutes; returns its end, with its time in seconds. */
function watchDocument({ waits, stopped = [0, 0], limits = {}, pagesAt = [] }: Watched) {
  const startMs = performance.now();
  const second = () => (performance.now() - startMs) / 1_000;
  const usage: Usage = {
    ...IDLE,
    lookAtWait: () => (waits === undefined ? undefined : second() * 1_000 * waits),
    isStopped: () => second() > stopped[0] && second() <= stopped[1],
  };
  const ends: Array<{ cause: string; at: number; message: string }> = [];
  const all = { timeoutMs: 600_000, idleTimeoutMs: 60_000, memoryBytes: 1e9, ...limits };
  const note = (cause: string, message: string) => ends.push({ cause, message, at: Math.round(second()) });
  const { stop, noteProgress } = watchLimits(all, usage, note, () => {});
  for (let now = 0; now < 660; now++) {
    vi.advanceTimersByTime(1_000);
    if (pagesAt.includes(now + 1)) noteProgress();
  }
  stop();
  return ends[0];
}

it('a document that computes without a page → no progress', () => {
  expect(watchDocument({ waits: 0 })).toEqual({
    cause: 'no-progress',
    at: 60,
    message: 'no page was done within 60 s',
  });
});

it('a system that does not report waits → the wall time counts', () => {
  expect(watchDocument({})).toMatchObject({ cause: 'no-progress', at: 60 });
});

it('a document that waits for a core half of the time → twice as long', () => {
  expect(watchDocument({ waits: 0.5 })).toMatchObject({ cause: 'no-progress', at: 120 });
});

it.each([0.95, 1, 4])('a document whose threads wait %d of the time → starved, which is not its fault', (waits) => {
  expect(watchDocument({ waits })).toEqual({
    cause: 'starved',
    at: 600,
    message: 'its process got too little CPU time within 600 s',
  });
});

it('a document that is stopped for a while → that time does not count', () => {
  expect(watchDocument({ waits: 0, stopped: [10, 70] })).toMatchObject({ cause: 'no-progress', at: 120 });
});

it('pages that are done now and then, on a busy machine → the wait counts from each', () => {
  expect(watchDocument({ waits: 0.5, pagesAt: [100, 200, 300] })).toMatchObject({ cause: 'no-progress', at: 420 });
});

it('the time of the whole document → lost time does not count either', () => {
  const limits = { timeoutMs: 100_000, idleTimeoutMs: 1e9 };
  expect(watchDocument({ waits: 0.5, limits })).toMatchObject({ cause: 'timeout', at: 200 });
});
