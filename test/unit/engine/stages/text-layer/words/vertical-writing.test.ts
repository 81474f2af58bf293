import { expect, it } from 'vitest';
import { readDocument } from '../../../../../../dist/engine/read-document.js';
import { renderText } from '../../../../../../dist/engine/stages/render/text.js';
import { withFile } from '../../../../../support/pdf-readers.js';
import { writePdf } from '../../../../../support/write-pdf.js';

/** A page of vertical writing; each column begins at its x and y. */
const pageOf = (columns: readonly [x: number, y: number, text: string][]): Buffer => {
  const hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const content = columns.map(([x, y, text]) => `1 0 0 1 ${x} ${y} Tm <${hex(text)}> Tj`).join(' ');
  const stream = `BT /F0 12 Tf ${content} ET`;
  return writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 600] /Contents 4 0 R /Resources << /Font << /F0 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /UniJIS-UCS2-V /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Mincho /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /DW 1000 /FontDescriptor 7 0 R >>',
    '<< /Type /FontDescriptor /FontName /Mincho /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>',
  ]);
};

it('lines of vertical writing → read from top to bottom, right to left', async () => {
  const lines = ['春の朝の川は静かに流れ、', '岸の柳の影を映しながら', '遠い海へと向かっていく。'];
  const columns = lines.map((text, index): [number, number, string] => [300 - index * 18, 500, text]);
  await withFile(pageOf(columns), async (path) => {
    const { document } = await readDocument(path, 'application/pdf', { ocr: 'never', parallelism: 1, maxPixels: 1e8 });
    expect(renderText(document).replaceAll('\n', '')).toBe(lines.join(''));
  });
});
