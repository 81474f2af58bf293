import { expect, test } from 'vitest';
import { parseInputFilter } from '../../../src/cli/parse-option.js';

const HASH = 'ab01'.repeat(16);

test.each([
  [`sha256:${HASH.slice(0, 8)}`, { sha256: HASH.slice(0, 8) }],
  [HASH.toUpperCase(), { sha256: HASH }],
  [HASH.slice(1), { namePart: HASH.slice(1) }],
  ['report', { namePart: 'report' }],
])('--input %s → %j', (text, filter) => {
  expect(parseInputFilter(text)).toEqual(filter);
});
