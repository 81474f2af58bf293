import { expect, it } from 'vitest';
import { readGlyphs } from '../../../../../support/read-glyphs.js';

it.each([
  ['a zero-width space', '\u200b'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
])('%s within a word → no part of it', async (_, sign) => {
  expect(await readGlyphs('(ABC) Tj', { A: 'r', B: sign, C: 'd' }, [500, 0, 500])).toEqual(['rd']);
});

// The page is 400 points wide and 200 high; the text begins at 100, 100.
it.each([
  ['right of', '400 0'],
  ['left of', '-200 0'],
  ['above', '0 200'],
  ['below', '0 -200'],
])('a word %s the page → left out', async (_, move) => {
  expect(await readGlyphs(`(A) Tj ${move} Td (B) Tj`, { A: 'r', B: 'd' }, [500, 500])).toEqual(['r']);
});

it('a figure left of a bracket, read from the right → a word beside the bracket', async () => {
  const letters = { A: 'م', B: '8', C: ')', D: 'F' };
  const content = '(AA) Tj 30 0 Td (D) Tj 15 0 Td (B) Tj 10 0 Td (C) Tj 15 0 Td (AA) Tj';
  expect(await readGlyphs(content, letters, [500, 500, 500, 500])).toEqual(['مم', '(', '8', 'F', 'مم']);
});

it('the bullet of a font of bitmaps, which has the number of a control character → a bullet', async () => {
  expect(await readGlyphs('(A) Tj 30 0 Td (BB) Tj', { A: '\u0088', B: 'e' }, [500, 500])).toEqual(['•', 'ee']);
  expect(await readGlyphs('(BAB) Tj', { A: '\u0088', B: 'e' }, [500, 500])).toEqual(['e\u0088e']);
});
