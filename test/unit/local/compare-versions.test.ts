import { expect, test } from 'vitest';
import { isNewerVersion } from '../../../src/local/compare-versions.js';

// The order that Semantic Versioning 2.0, section 11, prints.
const ORDERED = [
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1',
  '1.2.0',
  '1.10.0',
  '2.0.0',
];

test('versions → ordered as Semantic Versioning says', () => {
  for (const [i, a] of ORDERED.entries()) {
    for (const [j, b] of ORDERED.entries()) expect(isNewerVersion(a, b), `${a} > ${b}`).toBe(i > j);
  }
});

test('other build metadata → not a newer version', () => {
  expect(isNewerVersion('1.0.0+2', '1.0.0+1')).toBe(false);
});
