import { expect, it } from 'vitest';
import { readGlyphs } from '../../support/read-glyphs.js';

const SOFT = '\u00ad';
/** Each glyph is 10 points wide; D and E stand for a letter and the place beside it where a word may be parted. */
const SIGNS = { A: 'a', B: 'b', C: SOFT, D: `${SOFT}b`, E: `a${SOFT}` };
const read = (content: string) => readGlyphs(content, SIGNS, [500, 500, 500, 500, 500]);

it.each([
  ['within a word is a hyphen', '(ACB) Tj', ['a-b']],
  ['by itself is one too', '(C) Tj 20 0 Td (A) Tj', ['-', 'a']],
  ['at the end of a word stays, since it may part it', '(AC) Tj 0 -20 Td (B) Tj', [`a${SOFT}`, 'b']],
])('a soft hyphen that is drawn %s', async (_, content, words) => {
  expect(await read(content)).toEqual(words);
});

it.each([
  ['after it', '(AD) Tj', ['ab']],
  ['before it', '(EB) Tj', ['ab']],
])('a soft hyphen that only the text of the glyph %s has is none', async (_, content, words) => {
  expect(await read(content)).toEqual(words);
});
