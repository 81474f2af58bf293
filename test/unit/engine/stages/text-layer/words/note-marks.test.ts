import { expect, it } from 'vitest';
import { openPdf } from '../../../../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { readPdfPage } from '../../../../../../dist/engine/stages/text-layer/read-page.js';
import { withFile } from '../../../../../support/pdf-readers.js';
import { writeGlyphs } from '../../../../../support/read-glyphs.js';

const SIGNS = { A: 'r', B: 'e', C: '2', D: ',' };

/** Reads a line whose raised mark PDFium takes for a separate line; the comma stands `gap` points behind the mark. */
const read = async (gap: number, size = 12, word = '(AB) Tj 20'): Promise<string> => {
  const content = `${word} 8 Td /F ${size} Tf (C) Tj /F 20 Tf ${size / 2 + gap} -8 Td (D) Tj 20 0 Td (AB) Tj`;
  return (await readWords(content)).join('');
};

/** Reads words, each with the space that stands before it. */
const readWords = (content: string): Promise<string[]> =>
  withFile(writeGlyphs(content, SIGNS, [500, 500, 500, 500]), async (path) => {
    const pdf = await openPdf(path, undefined);
    const words = readPdfPage(pdf, 0)?.layer.words ?? [];
    pdf.close();
    return words.map(({ text, glued }) => (glued ? text : ` ${text}`));
  });

it("a stop right at a raised mark → part of the mark's word", async () => {
  expect(await read(0)).toBe(' re2, re');
  expect(await read(4)).toBe(' re2 , re');
});

it('a mark nearly as large as its word, behind letters drawn one by one, as in browsers → no space before it', async () => {
  expect(await read(0, 16.6, '(A) Tj 10 0 Td (B) Tj 10')).toBe(' re2, re');
});

it('a mark of nearly the size of its word, half an em above it, as WeasyPrint sets it → a word without a space before it', async () => {
  const content = '(AB) Tj 20 9 Td /F 19.4 Tf (C) Tj 9.7 -9 Td /F 20 Tf (D) Tj';
  expect(await readWords(content)).toEqual([' re', '2', ',']);
});

it('a letter right behind a lowered mark → no space before it', async () => {
  const content = '(AB) Tj 20 -6 Td /F 14 Tf (C) Tj 7 6 Td /F 20 Tf (A) Tj';
  expect((await readWords(content)).join('')).toBe(' re2r');
});
