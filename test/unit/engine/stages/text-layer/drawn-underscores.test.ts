import { expect, it } from 'vitest';
import { readDocument } from '../../../../../src/engine/read-document.js';
import { renderText } from '../../../../../src/engine/stages/render/text.js';
import { withFile } from '../../../../support/pdf-readers.js';
import { writePdf } from '../../../../support/write-pdf.js';

/** Words set 6 points a letter, on a base line at 700. */
const set = (words: string, x: number, y = 700, size = 10) => `BT /F ${size} Tf ${x} ${y} Td (${words}) Tj ET`;
const line = (x: number, y: number, width: number) => `q 1 0 0 1 ${x} ${y} cm 0.398 w 0 0 m ${width} 0 l S Q`;
const bar = (x: number, y: number, width: number) => `${x} ${y} ${width} 0.398 re f`;

async function read(...content: string[]): Promise<string> {
  const stream = content.join('\n');
  const pdf = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
  ]);
  return await withFile(pdf, async (path) => {
    const { document } = await readDocument(path, 'application/pdf', { ocr: 'never', parallelism: 1, maxPixels: 1e8 });
    return renderText(document);
  });
}

it.each([
  ["TeX's rule of .3 em, stroked", line(90.6, 700.2, 2.989), 93.6],
  ["TeX's rule of .3 em, filled", bar(90.6, 700, 2.989), 93.6],
  ['a line of half an em below the base line', line(90, 698.8, 5), 95],
])('%s between two words → one word with an underscore', async (_, drawn, x) => {
  expect(await read(set('the siftr', 36), drawn, set('mod runs', x))).toBe('the siftr_mod runs');
  expect(await read(set('the siftr', 36), set('mod runs', x + 3))).toBe('the siftr mod runs');
});

it('names with several underscores → one word each', async () => {
  const content = [set('SI', 60), bar(72.6, 700, 2.989), set('SUB', 75.6), bar(94.2, 700, 2.989), set('KLD', 97.2)];
  expect(await read(...content)).toBe('SI_SUB_KLD');
});

it.each([
  ['a line in the middle of the letters', [set('siftr', 60), line(90.6, 703, 3), set('mod', 93.6)]],
  ['a line apart from the words', [set('siftr', 60), line(92, 700.2, 3), set('mod', 97)]],
  ['a line under a raised sign', [set('siftr', 60), line(90.6, 699, 3), set('s', 90.6, 703, 5), set('mod', 93.6)]],
  ['a line before the number of a page', [set('siftr', 60), line(90.6, 700.2, 3), set('158', 93.6)]],
])('%s → no underscore', async (_, content) => {
  expect(await read(...content)).not.toContain('_');
});
