import { expect, it } from 'vitest';
import { openPdf } from '../../../../../../dist/engine/pdf-files/pdfium/pdfium.js';
import { readPdfPage } from '../../../../../../dist/engine/stages/text-layer/read-page.js';
import { withFile } from '../../../../../support/pdf-readers.js';
import { writePdf } from '../../../../../support/write-pdf.js';

/**
 * "ABA" in a font that the page draws, whose letters are 7 points high and 5 wide, by its unit and the size that it is
 * shown with. A page that is shown turned has its text turned the other way.
 */
async function readDrawn(
  unit: number,
  size: number,
  { first = 65, names = ['A', 'B'], turned = false } = {},
): Promise<{ text: string; fontSize: number; y0: number; y1: number }[]> {
  const stream = (data: string) => `<< /Length ${data.length} >>\nstream\n${data}\nendstream`;
  const [width, height] = [5, 7].map((points) => Math.round(points / (unit * size)));
  const hex = [0, 1, 0].map((step) => Buffer.of(first + step).toString('hex')).join('');
  const file = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 300] ${turned ? '/Rotate 270' : ''} /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>`,
    stream(`BT /F ${size} Tf ${turned ? '0 -1 1 0 100 200' : '1 0 0 1 20 200'} Tm <${hex}> Tj ET`),
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 -1] /FontMatrix [${unit} 0 0 ${unit} 0 0] /FirstChar ${first} /LastChar ${first + 1} /Widths [${width} ${width}] /Encoding << /Differences [${first} /${names.join(' /')}] >> /CharProcs << /${names.join(' 6 0 R /')} 6 0 R >> >>`,
    stream(`${width} 0 0 0 ${width} ${height} d1 0 0 ${width} ${height} re f`),
  ]);
  return withFile(file, async (path) => {
    const pdf = await openPdf(path, undefined);
    const words = readPdfPage(pdf, 0)?.layer.words ?? [];
    pdf.close();
    return words.map(({ text, fontSize, y0, y1 }) => ({ text, fontSize, y0, y1 }));
  });
}

it('type measured in dots → the size of its glyphs', async () => {
  const [word, ...others] = await readDrawn(1, 72 / 600);
  expect([word?.text, others]).toEqual(['ABA', []]);
  expect(word?.fontSize).toBeCloseTo(10, 0);
  expect(word?.y0).toBeCloseTo(92.5, 0);
  expect(word?.y1).toBeCloseTo(102.5, 0);
});

it('type with a unit above a thousandth → the size of its glyphs', async () => {
  expect((await readDrawn(0.0042, 60))[0]?.fontSize).toBeCloseTo(10, 0);
});

it('type measured in parts of its size → that size', async () => {
  expect((await readDrawn(0.001, 10))[0]?.fontSize).toBe(10);
});

it('type measured in dots on a turned page → the size of its glyphs, on the page', async () => {
  const [word] = await readDrawn(1, 72 / 600, { turned: true });
  expect(word?.text).toBe('ABA');
  expect(word?.fontSize).toBeCloseTo(10, 0);
});

it('letters as names, from the code 0 on: with gaps → their letters; one after the other → unknown', async () => {
  expect((await readDrawn(0.001, 10, { first: 0, names: ['H', 'O'] }))[0]?.text).toBe('HOH');
  expect(await readDrawn(0.001, 10, { first: 0, names: ['A', 'B'] })).toEqual([]);
});
