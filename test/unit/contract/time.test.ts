import { expect, test } from 'vitest';
import { formatAge } from '../../../src/contract/time.js';

test.each([
  [0, '0 sec. ago'],
  [59_999, '59 sec. ago'],
  [60_000, '1 min. ago'],
  [3_599_999, '59 min. ago'],
  [86_399_999, '23 hr. ago'],
  [90 * 86_400_000, '90 days ago'],
  // The clock was set back.
  [-120_000, 'in 2 min.'],
])('a time %i ms ago → "%s"', (ms, age) => {
  expect(formatAge('2026-01-31T12:00:00.000Z', Date.UTC(2026, 0, 31, 12) + ms)).toBe(age);
});

test('text that is no time, for instance in an edited record → unchanged', () => {
  expect(formatAge('yesterday', 0)).toBe('yesterday');
  expect(formatAge('', 0)).toBe('');
});
