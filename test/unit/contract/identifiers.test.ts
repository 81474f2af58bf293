import { expect, test } from 'vitest';
import { createId, idTime, sortableId } from '../../../src/contract/identifiers.js';

test('ids of one millisecond sort in the order in which they were made', () => {
  const ids = Array.from({ length: 1_000 }, () => sortableId(1_790_000_000_000));
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(1_000);
});

test('ids sort by time, and begin with it', () => {
  const [later, earlier] = [sortableId(2_000_000_000_000), sortableId(1_999_999_999_999)];
  expect(earlier < later).toBe(true);
  expect(later.startsWith(idTime(2_000_000_000_000))).toBe(true);
});

test('an id is 26 characters of Crockford base32 after its kind', () => {
  expect(createId('job')).toMatch(/^job_0[0-9A-HJKMNP-TV-Z]{25}$/);
});
