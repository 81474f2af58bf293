import { expect, test } from 'vitest';
import { createPace } from '../../../../src/api/http/pace.js';
import { OcrError } from '../../../../src/contract/ocr-error.js';

/** Difference between the time of day and the monotonic clock. */
const UNIX_MS = 1_790_000_000_000;

function setUp() {
  let nowMs = 1_000;
  const slept: number[] = [];
  const ended: string[] = [];
  const controller = new AbortController();
  const clock = {
    now: () => nowMs + UNIX_MS,
    monotonicMs: () => nowMs,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      slept.push(ms);
      nowMs += ms;
    },
  };
  return {
    pace: createPace({ clock, signal: controller.signal, onStop: (because) => ended.push(because.code) }),
    slept,
    controller,
    ended,
  };
}

test('pauses asked for → every call waits for the longest; none asked for → no wait', async () => {
  const { pace, slept } = setUp();
  await pace.waitTurn();
  expect(slept).toEqual([]);
  pace.slowDown(5_000);
  pace.slowDown(2_000);
  const told: number[] = [];
  await pace.waitTurn((untilMs) => told.push(untilMs));
  expect(slept).toEqual([5_000]);
  await pace.waitTurn((untilMs) => told.push(untilMs));
  expect(slept).toEqual([5_000]);
  expect(told).toEqual([UNIX_MS + 6_000]);
});

test('an aborted command → waiting calls reject with its reason', async () => {
  const { pace, controller } = setUp();
  pace.slowDown(5_000);
  controller.abort(new Error('stopped'));
  await expect(pace.waitTurn()).rejects.toThrow('stopped');
});

test('a stop → its error is reported', () => {
  const { pace, ended } = setUp();
  pace.stop(new OcrError('QUOTA_EXCEEDED', 'None left', { status: 429 }));
  expect(ended).toEqual(['QUOTA_EXCEEDED']);
});
