import { expect, test } from 'vitest';
import { niceMax } from '../../../../dist/service/portal/components/nice-max.js';

test.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [5, 6],
  [7, 8],
  [9, 10],
  [10, 10],
  [11, 20],
  [41, 50],
  [333, 400],
  [1_001, 2_000],
  [9_999, 10_000],
])('%i → a scale to %i, whose half is whole', (value, expected) => {
  expect(niceMax(value)).toBe(expected);
  expect(Number.isInteger(expected / 2)).toBe(true);
});
