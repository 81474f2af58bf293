import { expect, it } from 'vitest';
import { readGlyphs } from '../../../../../support/read-glyphs.js';

const SIGNS = { A: 'r', B: 'e', C: 'd' };
/** Each glyph is 10 points wide. The rows are narrower than the page is long: then PDFium takes lone letters for columns. */
const read = (first: string) =>
  readGlyphs(`${first} 200 0 Td (A) Tj ${'0 -14 Td (A) Tj '.repeat(4)}`, SIGNS, Array(3).fill(500));

// Chrome prints kerned pairs so.
it('letters drawn one by one that touch → one word', async () => {
  expect((await read('(A) Tj 10 0 Td (B) Tj 10 0 Td (C) Tj')).slice(0, 2)).toEqual(['red', 'r']);
});

it('letters with space between them → apart', async () => {
  expect((await read('(A) Tj 10 0 Td (B) Tj 12 0 Td (C) Tj')).slice(0, 3)).toEqual(['re', 'd', 'r']);
});

// The box of a ligature ends with its ink, which the next letter stands further from.
it('a letter behind a ligature, drawn one by one → one word, but not over a space', async () => {
  const ligature = '/Span <</ActualText <feff006600660069>>> BDC 10 0 Td (B) Tj EMC';
  expect((await read(`(A) Tj ${ligature} 12 0 Td (C) Tj`)).slice(0, 2)).toEqual(['rffid', 'r']);
  expect((await read(`(A) Tj ${ligature} 13 0 Td (C) Tj`)).slice(0, 3)).toEqual(['rffi', 'd', 'r']);
});
