import { expect, test } from 'vitest';
import { HeldUpItems, runInOrder } from '../../../src/submission-lifecycle/run-in-order.js';

/** Starts a run whose items end when the test says so. */
function setUp(options: { count: number; concurrency: number; maxWaitingWeight?: number }) {
  const ends: Array<() => void> = [];
  const begun: number[] = [];
  const delivered: number[] = [];
  const state = { isAbandoned: false };
  const heldUp = new HeldUpItems();
  const run = runInOrder<number>({
    maxWaitingWeight: 1_000,
    ...options,
    work: (index) => {
      begun.push(index);
      return new Promise((resolve) => {
        ends[index] = () => resolve(index);
      });
    },
    deliver: async (done) => void delivered.push(done),
    weigh: () => 10,
    isAbandoned: () => state.isAbandoned,
    heldUp,
  });
  const end = async (...indexes: number[]) => {
    for (const index of indexes) ends[index]?.();
    for (let i = 0; i < 20; i++) await Promise.resolve();
  };
  return { run, end, begun, delivered, state, heldUp };
}

test('an item that is held up → the later ones pass it; it is delivered when it ends', async () => {
  const { run, end, delivered, heldUp } = setUp({ count: 4, concurrency: 4 });
  await end(1, 3);
  heldUp.add(0);
  await end();
  expect(delivered).toEqual([1]);
  heldUp.delete(0);
  await end(2);
  expect(delivered).toEqual([1]);
  await end(0);
  expect(delivered).toEqual([1, 0, 2, 3]);
  await run;
});

test('items that end out of order → delivered in order, as soon as possible', async () => {
  const { run, end, delivered } = setUp({ count: 4, concurrency: 4 });
  await end(3, 1);
  expect(delivered).toEqual([]);
  await end(0);
  expect(delivered).toEqual([0, 1]);
  await end(2);
  expect(delivered).toEqual([0, 1, 2, 3]);
  await run;
});

test('a concurrency of two → two items at once', async () => {
  const { run, end, begun } = setUp({ count: 5, concurrency: 2 });
  expect(begun).toEqual([0, 1]);
  await end(1);
  expect(begun).toEqual([0, 1, 2]);
  await end(0, 2);
  await end(3, 4);
  await run;
});

test('too much weight waits for its turn → no item begins until it is delivered', async () => {
  const { run, end, begun } = setUp({ count: 20, concurrency: 2, maxWaitingWeight: 25 });
  await end(1);
  await end(2);
  expect(begun).toEqual([0, 1, 2, 3]);
  await end(3);
  // Three results of weight 10 wait for the first.
  expect(begun).toEqual([0, 1, 2, 3]);
  await end(0);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
  for (let i = 4; i < 20; i++) await end(i);
  await run;
});

test('nobody wants the rest → the run ends and begins no more items', async () => {
  const { run, end, begun, state } = setUp({ count: 9, concurrency: 2 });
  state.isAbandoned = true;
  await end(0);
  await run;
  await end(1);
  expect(begun).toEqual([0, 1, 2]);
});

test('a failed delivery or item → the run rejects; no items → it resolves', async () => {
  const options = { concurrency: 1, maxWaitingWeight: 1, weigh: () => 1, isAbandoned: () => false };
  const fail = async () => {
    throw new Error('full');
  };
  await expect(runInOrder({ ...options, count: 2, work: async () => 1, deliver: fail })).rejects.toThrow('full');
  await expect(runInOrder({ ...options, count: 2, work: fail, deliver: async () => {} })).rejects.toThrow('full');
  await runInOrder({ ...options, count: 0, work: fail, deliver: fail });
});
