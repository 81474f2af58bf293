import { expect, test } from 'vitest';
import { chooseForNextSlot } from '../../../../src/service/jobs/running-slots.js';

test.each([
  [0, 1, 'any'],
  [1, 1, 'light'],
  [2, 1, undefined],
  [3, 4, 'any'],
  [4, 4, 'light'],
  [5, 4, undefined],
] as const)('%i documents run on %i workers → the next slot is for %s', (running, workers, choice) => {
  expect(chooseForNextSlot(running, workers)).toBe(choice);
});
