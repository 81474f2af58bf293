import { expect, test } from 'vitest';
import { findMissingPages, PAGE_RANGES_PATTERN } from '../../../src/contract/page-ranges.js';
import { selectPages } from '../../../src/engine/select-pages.js';

const ENDS = ['1', '2', '3', '4', '9', '-1', '-2', '-3', '-4'];
const RANGES = ENDS.flatMap((first) => [first, `${first}-`, ...ENDS.map((last) => `${first}-${last}`)]);

test('page ranges of a document with three pages → the client reports the same error as the service', () => {
  for (const range of [...RANGES, ' 1 , 4', '1,2-,9-1', '2, 3--3']) {
    expect(range).toMatch(new RegExp(PAGE_RANGES_PATTERN));
    let message: string | undefined;
    try {
      selectPages(range, 3);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(findMissingPages(range, 3), range).toBe(message);
  }
});
