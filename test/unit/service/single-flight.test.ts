import { expect, test } from 'vitest';
import { createSingleFlight } from '../../../src/service/single-flight.js';

/** Rounds that end when they are told to. */
function start() {
  const seen = { begun: 0, ended: 0 };
  let end = () => {};
  const rounds = createSingleFlight(async () => {
    seen.begun++;
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    seen.ended++;
  });
  return { rounds, seen, end: () => end() };
}

test('wakes during a run → one more run', async () => {
  const { rounds, seen, end } = start();
  rounds.wake();
  for (let i = 0; i < 3; i++) rounds.wake();
  expect(seen).toEqual({ begun: 1, ended: 0 });
  end();
  await expect.poll(() => seen).toEqual({ begun: 2, ended: 1 });
  end();
  await expect.poll(() => seen.ended).toBe(2);
  expect(seen.begun).toBe(2);
  rounds.wake();
  expect(seen.begun).toBe(3);
});

test('a stop → waits for the run; no run starts after it', async () => {
  const { rounds, seen, end } = start();
  rounds.wake();
  rounds.wake();
  let hasStopped = false;
  const stopped = rounds.stop().then(() => {
    hasStopped = true;
  });
  await Promise.resolve();
  expect(hasStopped).toBe(false);
  end();
  await stopped;
  rounds.wake();
  await rounds.stop();
  expect(seen).toEqual({ begun: 1, ended: 1 });
});
