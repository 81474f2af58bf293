import { expect, it } from 'vitest';
import { readGlyphs } from '../../../../../support/read-glyphs.js';

const SOFT = '\u00ad';
/** Each glyph is 10 points wide; D and E stand for a letter and the place beside it where a word may be divided. */
const SIGNS = { A: 'a', B: 'b', C: SOFT, D: `${SOFT}b`, E: `a${SOFT}` };
const read = (content: string) => readGlyphs(content, SIGNS, [500, 500, 500, 500, 500]);

it.each([
  ['within a word → a hyphen', '(ACB) Tj', ['a-b']],
  ['by itself → a hyphen', '(C) Tj 20 0 Td (A) Tj', ['-', 'a']],
  ['at the end of a word → kept, since the word may be divided there', '(AC) Tj 0 -20 Td (B) Tj', [`a${SOFT}`, 'b']],
])('a drawn soft hyphen %s', async (_, content, words) => {
  expect(await read(content)).toEqual(words);
});

it.each([
  ['after it', '(AD) Tj', ['ab']],
  ['before it', '(EB) Tj', ['ab']],
])('a soft hyphen that only the text of the glyph %s has → no hyphen', async (_, content, words) => {
  expect(await read(content)).toEqual(words);
});

it('a hyphen a little apart at the end of a justified line → part of its word', async () => {
  const hyphen = { ...SIGNS, C: '-' };
  const set = (content: string) => readGlyphs(content, hyphen, [500, 500, 500, 500, 500]);
  const next = '/F 20 Tf 0 -20 Td (B) Tj';
  expect(await set(`(AB) Tj 23 0 Td (C) Tj ${next}`)).toEqual(['ab-', 'b']);
  expect(await set(`(AB) Tj 25 0 Td (C) Tj ${next}`)).toEqual(['ab', '-', 'b']);
  expect(await set('(AB) Tj 23 0 Td (C) Tj 13 0 Td (B) Tj')).toEqual(['ab', '-', 'b']);
});
