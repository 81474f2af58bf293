import { expect, test } from 'vitest';
import { createId, idTime, sortableId } from '../../../src/contract/identifiers.js';

test('ids of one millisecond → sorted in the order in which they were made', () => {
  const ids = Array.from({ length: 1_000 }, () => sortableId(1_790_000_000_000));
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(1_000);
});

test('ids of two times → sorted by time; each begins with its time', () => {
  const [later, earlier] = [sortableId(2_000_000_000_000), sortableId(1_999_999_999_999)];
  expect(earlier < later).toBe(true);
  expect(later.startsWith(idTime(2_000_000_000_000))).toBe(true);
});

test('an id → its kind and 26 characters of Crockford base32', () => {
  expect(createId('job')).toMatch(/^job_0[0-9A-HJKMNP-TV-Z]{25}$/);
});
