import { expect, test } from 'vitest';
import { createRateCounter } from '../../../../src/service/intake/rates.js';

test('the first call after a window → a new window, for each organisation separately', async () => {
  let now = 500;
  const rates = createRateCounter(1_000, () => now);
  const count = async (id: string) => (await rates.count(id)).count;
  const first = await rates.count('a');
  expect([first.count, first.remainingMs()]).toEqual([1, 1_000]);
  now = 900;
  expect([await count('a'), await count('b'), await count('a')]).toEqual([2, 1, 3]);
  expect(first.remainingMs()).toBe(600);
  now = 1_499;
  expect(await count('a')).toBe(4);
  now = 1_500;
  expect([await count('a'), await count('b')]).toEqual([1, 2]);
  expect(first.remainingMs()).toBe(0);
});

test('calls of one moment → each has a different count', async () => {
  const rates = createRateCounter(1_000, () => 0);
  const counts = await Promise.all(Array.from({ length: 64 }, async () => (await rates.count('a')).count));
  expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 64 }, (_, i) => i + 1));
});

test('a sweep → windows that have not ended keep their counts', async () => {
  let now = 0;
  const rates = createRateCounter(1_000, () => now);
  const count = async (id: string) => (await rates.count(id)).count;
  now = 999;
  expect(await count('a')).toBe(1);
  now = 1_000;
  expect(await count('b')).toBe(1);
  expect(await count('a')).toBe(2);
});
