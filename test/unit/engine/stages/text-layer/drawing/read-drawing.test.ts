import { expect, it } from 'vitest';
import { readPdfPage } from '../../../../../../dist/engine/stages/text-layer/read-page.js';
import { openPdf } from '../../../../../../src/engine/pdf-files/pdfium/pdfium.js';
import type { PageDrawing } from '../../../../../../src/engine/stages/text-layer/drawing/read-drawing.js';
import { withFile } from '../../../../../support/pdf-readers.js';
import { writePdf } from '../../../../../support/write-pdf.js';

/** The drawing of a page of 600 x 800 points. */
async function draw(content: string): Promise<PageDrawing | undefined> {
  const pdf = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]);
  return await withFile(pdf, async (path) => readPdfPage(await openPdf(path, undefined), 0)?.drawing);
}

it('a fill between two rectangles → the sides of a box', async () => {
  const upper = await draw('100 500 400 100 re 100 500 400 102 re f*');
  expect(upper?.rules).toEqual([{ x0: 100, x1: 500, y0: 199, y1: 199 }]);
  expect(upper?.shades).toEqual([]);
  const all = await draw('102 502 396 98 re 100 500 400 102 re f*');
  expect(all?.rules).toHaveLength(4);
  const thick = await draw('110 510 380 80 re 100 500 400 100 re f*');
  expect({ rules: thick?.rules, shades: thick?.shades.length }).toEqual({ rules: [], shades: 4 });
});

it('two grounds on each other, and a small checkbox → two grounds and a checkbox', async () => {
  expect((await draw('100 500 400 100 re 100 500 400 102 re f'))?.shades).toHaveLength(2);
  expect((await draw('101 501 8 8 re 100 500 10 10 re f*'))?.rules).toEqual([]);
});

it('a rectangle with round corners, or filled white → a box', async () => {
  const round = '110 500 m 490 500 l 500 500 500 510 500 510 c 500 590 l 500 600 490 600 490 600 c 110 600 l';
  const drawn = await draw(`${round} 100 600 100 590 100 590 c 100 510 l 100 500 110 500 110 500 c h S`);
  expect(drawn?.boxes).toEqual([{ x0: 100, x1: 500, y0: 200, y1: 300 }]);
  expect(drawn?.rules).toEqual([]);
  expect((await draw('1 g 100 500 400 100 re f'))?.boxes).toHaveLength(1);
  expect((await draw('300 500 m 500 500 500 600 300 600 c 100 600 100 500 300 500 c h S'))?.boxes).toEqual([]);
});
