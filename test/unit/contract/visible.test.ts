import { expect, test } from 'vitest';
import { makeJsonVisible, makeOneLine, makeVisible } from '../../../src/contract/visible.js';

test.each([
  ['plain\ttext\n', 'plain\ttext\n'],
  ['a\r\nb', 'a\nb'],
  ['a\rb', 'a^Mb'],
  ['\x1b[2J', '^[[2J'],
  ['\x00\x07\x08', '^@^G^H'],
  ['\x7f\x9b', '\\x7f\\x9b'],
  ['ä€😀שלום', 'ä€😀שלום'],
])('%j → shown as %j', (text, shown) => {
  expect(makeVisible(text)).toBe(shown);
});

test.each([
  ['plain text', 'plain text'],
  ['a\nb\tc\r\nd', 'a^Jb^Ic^M^Jd'],
  ['\x1b[2J\x9b', '^[[2J\\x9b'],
  ['exe.\u202efdp', 'exe.\\u202efdp'],
])('%j on one line → %j', (text, shown) => {
  expect(makeOneLine(text)).toBe(shown);
});

test('JSON with control characters → visible, and the same value', () => {
  const value = { text: '\x1b\x7f\x9bä\u202e\u2066' };
  const shown = makeJsonVisible(JSON.stringify(value));
  expect(shown).toMatch(/^[\x20-\x7e\u00e4]*$/);
  expect(JSON.parse(shown)).toEqual(value);
});
