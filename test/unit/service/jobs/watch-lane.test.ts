import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchLane } from '../../../../src/service/jobs/watch-lane.js';
import { limitRunMs } from '../../../../src/service/page-counts/estimate-effort.js';
import { LANES, type Lane } from '../../../../src/store/lanes.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const { brief, medium, long } = LANES;

/** Watches a document that has begun. Its lane is corrected in place, unless it `stays`. */
function watch(lane: Lane, stays = false) {
  const watched = watchStart(lane, stays);
  watched.lanes.noteProgress(0, 10);
  return watched;
}

function watchStart(lane: Lane, stays = false) {
  const slot = { lane };
  const corrections: Lane[] = [];
  const lanes = watchLane(slot, 10, (effort) => {
    corrections.push(effort.lane);
    if (!stays) slot.lane = effort.lane;
  });
  return { slot, corrections, lanes };
}

test('a run that ends in time → nothing', () => {
  const { corrections, lanes } = watch(brief);
  vi.advanceTimersByTime(limitRunMs(brief) - 1);
  lanes.stop();
  vi.advanceTimersByTime(1e6);
  expect(corrections).toEqual([]);
});

test('time in which its process could not work → does not count', () => {
  const { corrections, lanes } = watch(brief);
  let lostMs = 0;
  lanes.noteStart(() => lostMs);
  lostMs = 1_000;
  vi.advanceTimersByTime(limitRunMs(brief) + 999);
  expect(corrections).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(corrections).toHaveLength(1);
});

test('a document in place → corrected by its progress, again after the limit of its next lane, at last to the longest', () => {
  const { corrections, lanes } = watch(brief);
  lanes.noteProgress(2, 10);
  vi.advanceTimersByTime(limitRunMs(brief));
  expect(corrections).toEqual([medium]);
  vi.advanceTimersByTime(limitRunMs(medium) - limitRunMs(brief) - 1);
  expect(corrections).toEqual([medium]);
  vi.advanceTimersByTime(1);
  expect(corrections).toEqual([medium, long]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a document whose lane stays as it is → reported once', () => {
  const { corrections } = watch(brief, true);
  vi.advanceTimersByTime(1e6);
  expect(corrections).toEqual([long]);
});

test('a document that is counted meanwhile → the limit of its new lane', () => {
  const { slot, corrections } = watch(brief);
  slot.lane = medium;
  vi.advanceTimersByTime(limitRunMs(medium) - 1);
  expect(corrections).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(corrections).toEqual([long]);
});

test('a process that takes its time to start → the time of its document counts from the first progress', () => {
  const { corrections, lanes } = watchStart(brief);
  vi.advanceTimersByTime(4_000);
  lanes.noteProgress(0, 10);
  vi.advanceTimersByTime(limitRunMs(brief) - 1);
  lanes.noteProgress(1, 10);
  expect(corrections).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(corrections).toEqual([medium]);
});

test('a document that never begins → corrected all the same', () => {
  const { corrections } = watchStart(brief);
  vi.advanceTimersByTime(2 * limitRunMs(brief));
  expect(corrections).toEqual([long]);
});

test('a document of the longest lane → no timer', () => {
  watch(long);
  expect(vi.getTimerCount()).toBe(0);
});
