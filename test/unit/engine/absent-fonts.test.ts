import { expect, it } from 'vitest';
import { readDocument } from '../../../dist/engine/read-document.js';
import { withFile } from '../../support/pdf-readers.js';
import { writePdf } from '../../support/write-pdf.js';

/** A page of seven texts in a font that the file does not have. */
const pageOf = (text: string, font: string): Buffer => {
  const lines = Array.from({ length: 7 }, (_, index) => `1 0 0 1 50 ${700 - index * 20} Tm ${text} Tj`);
  const content = `BT /F0 12 Tf ${lines.join(' ')} ET`;
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F0 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font,
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /DW 1000 /FontDescriptor 7 0 R >>',
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ]);
};

const CHINESE =
  '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>';
const LATIN = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

const warningsOf = (file: Buffer): Promise<string[]> =>
  withFile(file, async (path) => {
    const { document } = await readDocument(path, 'application/pdf', { ocr: 'never', parallelism: 1, maxPixels: 1e8 });
    return document.warnings.map(({ page, message }) => `${page}: ${message}`);
  });

it('text in a font that is not in the file, and has none in its place, is missing with a warning', async () => {
  expect(await warningsOf(pageOf('<5173>', CHINESE))).toEqual([
    '1: text is missing: it is in fonts that are not in the file (STSong-Light); save it again with its fonts where they are installed',
  ]);
});

it('there is no warning where another font stands for it, and none of spaces', async () => {
  expect(await warningsOf(pageOf('(Harbour)', LATIN))).toEqual([]);
  expect(await warningsOf(pageOf('( )', LATIN))).toEqual([]);
});
