import { expect, it } from 'vitest';
import { readByPdfium, withFile } from '../../../../../support/pdf-readers.js';
import { readGlyphs } from '../../../../../support/read-glyphs.js';
import { writePdf } from '../../../../../support/write-pdf.js';

it.each([
  ['a zero-width space', '\u200b'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
])('%s within a word → no part of it', async (_, sign) => {
  expect(await readGlyphs('(ABC) Tj', { A: 'r', B: sign, C: 'd' }, [500, 0, 500])).toEqual(['rd']);
});

it.each([
  ['an en space', '\u2002'],
  ['a thin space', '\u2009'],
  ['a narrow space of figures', '\u202f'],
  ['an ideographic space', '\u3000'],
])('%s → between two words', async (_, space) => {
  expect(await readGlyphs('(ABC) Tj', { A: 'r', B: space, C: 'd' }, [500, 300, 500])).toEqual(['r', 'd']);
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

it('a bracket and a quotation mark in plain type before a bold word → bold', async () => {
  const stream = 'BT /P 20 Tf 20 100 Td [(\\(")] TJ /B 20 Tf (In\\)) Tj /P 20 Tf ( \\(in) Tj /B 20 Tf (or) Tj ET';
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} >>`;
  const pdf = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /P 5 0 R /B 6 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
  ]);
  const [words = []] = await withFile(pdf, (path) => readByPdfium(path));
  expect(words.map(({ text, bold }) => [text, bold])).toEqual([
    ['("In)', true],
    ['(inor', false],
  ]);
});
