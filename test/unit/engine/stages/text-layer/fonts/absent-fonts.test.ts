import { expect, it } from 'vitest';
import { openPdf } from '../../../../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { readDocument } from '../../../../../../dist/engine/read-document.js';
import { renderPage } from '../../../../../../dist/engine/stages/picture/decode/render-page.js';
import { renderText } from '../../../../../../dist/engine/stages/render/text.js';
import { withFile } from '../../../../../support/pdf-readers.js';
import { writePdf } from '../../../../../support/write-pdf.js';

/** A page of seven texts in a font that the file does not have. */
const pageOf = (text: string, font: string, collection = 'GB1', size = 12): Buffer => {
  const lines = Array.from({ length: 7 }, (_, index) => `1 0 0 1 50 ${700 - index * 2 * size} Tm ${text} Tj`);
  const content = `BT /F0 ${size} Tf ${lines.join(' ')} ET`;
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F0 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (${collection}) /Supplement 2 >> /DW 1000 /FontDescriptor 7 0 R >>`,
    '<< /Type /FontDescriptor /FontName /Song /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ]);
};

const composed = (encoding: string): string =>
  `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${encoding} /DescendantFonts [6 0 R] >>`;
const LATIN = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

const read = (file: Buffer, ocr: 'never' | 'force' = 'never') =>
  withFile(file, async (path) => {
    const { document } = await readDocument(path, 'application/pdf', { ocr, parallelism: 1, maxPixels: 1e8 });
    return {
      lines: renderText(document)
        .split('\n')
        .filter((line) => line !== ''),
      warnings: document.warnings.map(({ page, message }) => `${page}: ${message}`),
    };
  });

it.each([
  ['GB1', 'UniGB-UCS2-H', '<51735168>', '关全'],
  ['CNS1', 'UniCNS-UCS2-H', '<95DC6771>', '關東'],
  ['Japan1', '90ms-RKSJ-H', '<93FA967B8CEA>', '日本語'],
  ['Korea1', 'UniKS-UCS2-H', '<D55CAD6D>', '한국'],
])('text in a font of %s that is not in the file → read', async (collection, encoding, codes, text) => {
  const { lines, warnings } = await read(pageOf(codes, composed(encoding), collection));
  expect(lines).toHaveLength(7);
  expect(new Set(lines)).toEqual(new Set([text]));
  expect(warnings).toEqual([]);
});

it('the glyphs of an absent font, however large → nothing drawn in their place', async () => {
  await withFile(pageOf('<51735168>', composed('UniGB-UCS2-H'), 'GB1', 50), async (path) => {
    const pdf = await openPdf(path, undefined);
    const { raster } = renderPage(pdf, 0);
    pdf.close();
    expect(raster.data.every((grey) => grey === 255)).toBe(true);
  });
});

it('a recognised page with text in an absent font → a warning that this text is missing', async () => {
  expect((await read(pageOf('<5173>', composed('UniGB-UCS2-H')), 'force')).warnings).toEqual([
    '1: text is missing: recognition does not see what is in fonts that are not in the file (Song); take the text layer (argument "ocr": never), or save it again with its fonts where they are installed',
  ]);
});

it('an absent font with a substitute → no warning', async () => {
  expect((await read(pageOf('(Harbour)', LATIN), 'force')).warnings).toEqual([]);
});
