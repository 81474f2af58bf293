import { expect, it } from 'vitest';
import { readGlyphs } from '../../../../../support/read-glyphs.js';

const SIGNS = { A: 'a', B: 'e', C: '´', D: 'ı', E: '¨', F: 's', G: '¸', H: '\u20dd', I: 'c', J: '\u0338', K: '=' };
/** Each glyph is 10 points wide, the slash 0. A move begins at the end of the last one. */
const read = (content: string) => readGlyphs(content, SIGNS, [...Array(9).fill(500), 0, 500]);

// TeX draws accents so, with fonts that have no accented letters.
it.each([
  ['before its letter', '(A) Tj 10 0 Td (C) Tj 0 0 Td (B) Tj 10 0 Td (A) Tj', 'aéa'],
  ['after its letter', '(A) Tj 10 0 Td (B) Tj 0 0 Td (C) Tj 10 0 Td (A) Tj', 'aéa'],
  ['first of its word', '(C) Tj 0 0 Td (B) Tj 10 0 Td (A) Tj', 'éa'],
  ['over a letter without its dot', '(A) Tj 10 0 Td (E) Tj 0 0 Td (D) Tj', 'aï'],
  ['around a letter', '(H) Tj 0 0 Td (I) Tj', '©'],
  ['through a sign that it negates', '(J) Tj 0.4 0 Td (K) Tj', '≠'],
  ['over a letter before the last one', '(A) Tj 10 0 Td (FBA) Tj 0 0 Td (C) Tj', 'aśea'],
  ['under a letter', '(A) Tj 10 0 Td (F) Tj 0 0 Td (G) Tj', 'aş'],
])('an accent that is drawn %s → one character with its letter', async (_, content, word) => {
  expect(await read(content)).toEqual([word]);
});

it.each([
  ['beside the letters', '(A) Tj 10 0 Td (C) Tj 10 0 Td (B) Tj', 'a´e'],
  [
    'over a letter that is never written with it',
    '(B) Tj 10 0 Td (C) Tj 0 0 Td (D) Tj 10 0 Td (G) Tj 0 0 Td (A) Tj',
    'eí¸a',
  ],
])('an accent %s → a sign of its own', async (_, content, word) => {
  expect(await read(content)).toEqual([word]);
});
