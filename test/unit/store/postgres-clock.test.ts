import { expect, it } from 'vitest';
import { carryOn } from '../../../src/store/postgres/clock.js';

/** A clock that was read as 10 s, give or take `errorMs`, when the monotonic clock was at 0. */
function startClock(errorMs: number) {
  let atMs = 0;
  const clock = carryOn({ offsetMs: 10_000, errorMs, atMs }, () => atMs);
  return {
    now: clock.now,
    /** Lets time go by, and reads the clock again. */
    correct: (afterMs: number, offsetMs: number, error: number) => {
      atMs += afterMs;
      clock.correct({ offsetMs, errorMs: error, atMs });
    },
    wait: (ms: number) => {
      atMs += ms;
    },
  };
}

it('a truer reading → the clock follows it; one that a busy machine held up → it does not', () => {
  const { now, correct } = startClock(100);
  correct(1_000, 10_060, 2);
  expect(now()).toBe(11_060);
  correct(1_000, 10_000, 100);
  expect(now()).toBe(12_060);
});

it('a truer reading that is earlier → the clock waits until it is right, and never goes back', () => {
  const { now, correct, wait } = startClock(100);
  expect(now()).toBe(10_000);
  correct(10, 9_950, 2);
  expect(now()).toBe(10_000);
  wait(40);
  expect(now()).toBe(10_000);
  wait(15);
  expect(now()).toBe(10_015);
});

it('readings as true as the last one, a drift apart → the clock follows them', () => {
  const { now, correct } = startClock(1);
  correct(10_000, 10_004, 5);
  expect(now()).toBe(20_004);
});

it('a clock that was set back, or a machine that slept → the new time at once', () => {
  const { now, correct } = startClock(1);
  expect(now()).toBe(10_000);
  correct(100, -3_590_000, 1);
  expect(now()).toBe(-3_589_900);
  correct(100, 10_000, 90);
  expect(now()).toBe(10_200);
});
