import { expect, test } from 'vitest';
import type { ExitCode } from '../../../src/contract/exit-codes.js';
import { combineExitCodes } from '../../../src/submission-lifecycle/combine-exit-codes.js';

test.each<[ExitCode[], ExitCode]>([
  [[], 0],
  [[0], 0],
  [[0, 0], 0],
  [[5], 5],
  [[1, 1], 1],
  [[1, 5], 8],
  [[0, 1], 8],
  [[0, 3], 3],
  [[3], 3],
  [[1, 3], 8],
  [[4, 4, 4], 4],
  [[0, 130, 130], 130],
  [[1, 143], 143],
])('%j → %i', (codes, expected) => {
  expect(combineExitCodes(codes)).toBe(expected);
});
