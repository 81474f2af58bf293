import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createIgnore } from '../../../../src/commands/watch/own-files.js';

const directory = mkdtempSync(join(tmpdir(), 'ocr-own-files-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
for (const name of ['photo.jpg', 'scan']) writeFileSync(join(directory, name), '');

test.each([
  ['photo.jpg', false],
  ['photo.jpg.pdf', true],
  ['photo.jpg.txt', true],
  ['photo.jpg.table-2.csv', true],
  // Nothing says that the document of this name is a result.
  ['scan.pdf', false],
  ['other.jpg.pdf', false],
  ['.photo.jpg', true],
])('%s, with results elsewhere → left out: %s', (name, expected) => {
  const outputDir = join(tmpdir(), 'elsewhere');
  const isIgnored = createIgnore({ directories: [directory], outputDir, extension: '.json', part: undefined });
  expect(isIgnored(join(directory, name))).toBe(expected);
});
