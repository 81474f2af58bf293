import { expect, it } from 'vitest';
import { readDocument } from '../../../../../src/engine/read-document.js';
import { renderMarkdown } from '../../../../../src/engine/stages/render/markdown.js';
import { withFile } from '../../../../support/pdf-readers.js';
import { writePdf } from '../../../../support/write-pdf.js';

const ITEMS = ['The ferry leaves at dawn', 'It comes back at noon', 'Nobody is left behind'];
const FIRST = 600;
const STEP = 20;
const BALL = stream('/Type /XObject /Subtype /Form /BBox [0 0 6 6] /Resources << /Shading << /S 8 0 R >> >>', '/S sh');

function stream(entries: string, content: string): string {
  return `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

const text = (words: string, x: number, y: number, size = 11) => `BT /F ${size} Tf ${x} ${y} Td (${words}) Tj ET`;

/** Items at x 84; `before` draws the sign before each, around (72, y + 3.5). */
async function read(before: (y: number, index: number) => string, items = ITEMS, rotation = 0): Promise<string> {
  const lines = items.map((item, index) => {
    const y = FIRST - index * STEP;
    return `${before(y, index)}\n${text(item, 84, y)}`;
  });
  const pdf = writePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Rotate ${rotation} /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /Outer 6 0 R /Picture 9 0 R >> >> >>`,
    stream('', lines.join('\n')),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    stream(
      '/Type /XObject /Subtype /Form /BBox [0 0 6 6] /Resources << /XObject << /Ball 7 0 R >> >>',
      'q 0.5 0 0 0.5 1.5 1.5 cm /Ball Do Q',
    ),
    BALL,
    `<< /ShadingType 3 /ColorSpace /DeviceGray /Coords [3 3 0 3 3 3] /Function << /FunctionType 2 /Domain [0 1] /C0 [1] /C1 [0] /N 1 >> >>`,
    stream('/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8', '0'),
  ]);
  return await withFile(pdf, async (path) => {
    const { document } = await readDocument(path, 'application/pdf', { ocr: 'never', parallelism: 1, maxPixels: 1e8 });
    return renderMarkdown(document);
  });
}

const square = (x: number, y: number, side: number) => `${x - side / 2} ${y - side / 2} ${side} ${side} re f`;
const listed = (marker: (index: number) => string) => ITEMS.map((item, i) => `${marker(i)} ${item}`).join('\n');

it.each([90, 180, 270])('squares before items of a page that is turned by %d degrees → bullets', async (rotation) => {
  expect(await read((y) => square(72, y + 3.5, 4), ITEMS, rotation)).toBe(listed(() => '-'));
});

it.each<[string, (y: number) => string]>([
  ['a shading in a form in a form, as presentations of LaTeX have', (y) => `q 1 0 0 1 69 ${y + 0.5} cm /Outer Do Q`],
  ['a picture, as those of offices have', (y) => `q 5 0 0 5 69.5 ${y + 1} cm /Picture Do Q`],
  ['a line as thick as it is long, as TeX draws squares', (y) => `q 5 w 72 ${y + 1} m 72 ${y + 6} l S Q`],
  ['the same, set in tenths', (y) => `q .1 0 0 .1 0 0 cm 50 w 720 ${y * 10 + 10} m 720 ${y * 10 + 60} l S Q`],
  [
    'what is seen of a page filled through a clip, as HTML is printed by some',
    (y) => `q 60 0 60 842 re W n 69.5 ${y + 1} 5 5 re W n 0 0 595 842 re f Q`,
  ],
  [
    'the same through a clip in tenths',
    (y) => `q .1 0 0 .1 0 0 cm 695 ${y * 10 + 10} 50 50 re W n 0 0 5950 8420 re f Q`,
  ],
])('%s before an item → a bullet', async (_, draw) => {
  expect(await read(draw)).toBe(listed(() => '-'));
});

it.each<[string, (y: number) => string]>([
  ['a square', (y) => `0 g ${square(72, y + 3.5, 9)}`],
  ['rings', (y) => `${[9, 8, 7, 6].map((side) => `.${side} g ${square(72, y + 3.5, side)}`).join(' ')}`],
])('a number with %s around it → the number of an item', async (_, draw) => {
  const numbered = (y: number, index: number) => `${draw(y)} 1 g ${text(String(index + 1), 70.5, y + 1.5, 5)} 0 g`;
  expect(await read(numbered)).toBe(listed((index) => `${index + 1}.`));
});

it('numbers that continue from another page → one list', async () => {
  const numbered = (y: number, index: number) =>
    `0 g ${square(72, y + 3.5, 9)} 1 g ${text(String(index + 4), 70, y, 6)} 0 g`;
  expect(await read(numbered)).toBe(listed((index) => `${index + 4}.`));
});

it.each([
  ['counts of messages', ['3', '4', '12']],
  ['grades', ['3', '2', '1']],
])('%s in discs → no numbers of items', async (_, counts) => {
  const badge = (y: number, index: number) =>
    `0 g ${square(72, y + 3.5, 9)} 1 g ${text(counts[index] ?? '', 69, y, 6)} 0 g`;
  expect(await read(badge)).not.toMatch(/\d\\?\./);
});

it('a small number with a disc around it, an exponent above → no note mark', async () => {
  const raised = `${text('in 40 m', 84, 640)} ${text('2', 124, 645, 7)}`;
  const numbered = (y: number, index: number) =>
    `${index === 0 ? raised : ''} 0 g ${square(72, y + 3.5, 9)} 1 g ${text(String(index + 1), 70.5, y + 3, 5)} 0 g`;
  expect(await read(numbered)).toContain(listed((index) => `${index + 1}.`));
});

it('a number in a box of a diagram → unchanged', async () => {
  const boxed = (y: number, index: number) => `.9 g ${square(72, y + 3.5, 9)} 0 g ${text(String(index + 1), 70, y)}`;
  expect(await read(boxed, ['17', '18', '19'])).not.toMatch(/\d\./);
});

it('a small dot level with a large square, or the full squares of a legend → no bullets', async () => {
  const left = (y: number, side: number) => `${72 - 2} ${y + 1} ${side} ${side} re f`;
  expect(await read((y, index) => left(y, index === 0 ? 4 : 9), ITEMS.slice(0, 2))).not.toMatch(/^[-*]/m);
  expect(await read((y) => left(y, 9))).not.toMatch(/^[-*]/m);
});

it('dots of a leader beside each other → no bullets', async () => {
  const leader = (y: number) => Array.from({ length: 6 }, (_, dot) => square(56 + dot * 4, y + 3.5, 2)).join('\n');
  expect(await read(leader)).not.toContain('-');
  expect(await read((y) => square(72, y + 3.5, 2))).toBe(listed(() => '-'));
});
