import { expect, it } from 'vitest';
import { readPdfPage } from '../../../../../dist/engine/stages/text-layer/read-page.js';
import { openPdf } from '../../../../../src/engine/pdf-files/pdfium/pdfium.js';
import type { PageDrawing } from '../../../../../src/engine/stages/text-layer/read-drawing.js';
import { withFile } from '../../../../support/pdf-readers.js';
import { writePdf } from '../../../../support/write-pdf.js';

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
