import { expect, it } from 'vitest';
import { layOutRows } from '../../../../../src/engine/stages/recognise/row-sheet.js';

const raster = { data: new Uint8Array(1000 * 800).fill(255), width: 1000, height: 800 };
const rowOf = (letters: number, width = 100) => ({
  ...{ x0: 10, y0: 20, x1: 10 + width, y1: 40 },
  letters,
  baseline: 40,
  runsUp: false,
});

it('more rows than a sheet has room for → those of many letters', () => {
  const rows = Array.from({ length: 2000 }, (_, index) => rowOf(index === 1999 ? 9 : 1));
  const { picture, place } = layOutRows(raster, rows, 24);
  expect(picture.height).toBeLessThanOrEqual(30_000);
  expect(picture.height).toBeGreaterThan(29_000);
  const word = { text: 'last', baseline: 0, fontSize: 24, bold: false, italic: false, confidence: 1 };
  const middle = picture.height - 24 - 15;
  expect(place({ ...word, x0: 30, x1: 60, y0: middle - 5, y1: middle + 5 })?.row).toBe(rows.at(-1));
  expect(place({ ...word, x0: 30, x1: 60, y0: 0, y1: 4 })).toBe(undefined);
});

it('rows as wide as a page → no more pixels than a page has', () => {
  const { picture } = layOutRows(
    raster,
    Array.from({ length: 2000 }, () => rowOf(50, 980)),
    24,
  );
  expect(picture.width * picture.height).toBeLessThanOrEqual(24e6);
  expect(picture.height).toBeGreaterThan(20_000);
});

it('a sample → before short rows and numbers, on its base line, and no word of the page', () => {
  const page = { ...raster, data: new Uint8Array(raster.data) };
  const sample = { x0: 300, y0: 100, x1: 340, y1: 125 };
  for (const { x0, y0, x1, y1 } of [sample, rowOf(1, 14)])
    for (let y = y0; y < y1; y++) page.data.fill(0, y * 1000 + x0, y * 1000 + x1);
  const row = rowOf(1, 14);
  const { picture, place } = layOutRows(page, [row], 24, sample);
  const margin = 5;
  const left = 24 + 40 + 2 * margin + Math.round(24 * 0.3);
  expect([picture.width, picture.height]).toEqual([left + 14 + 2 * margin + 24, 25 + 2 * margin + 2 * 24]);
  const word = { text: '5', baseline: 54, fontSize: 24, bold: false, italic: false, confidence: 1 };
  const foot = 24 + margin + 25;
  expect(picture.data[(foot - 1) * picture.width + left + margin]).toBeLessThan(128);
  expect(picture.data[(foot - 1) * picture.width + 24 + margin]).toBeLessThan(128);
  expect(place({ ...word, x0: 29, x1: 69, y0: foot - 25, y1: foot })).toBe(undefined);
  const found = place({ ...word, x0: left + margin, x1: left + margin + 14, y0: foot - 20, y1: foot });
  expect(found).toMatchObject({ row, word: { x0: 10, x1: 24, y0: 20, y1: 40 } });
  const { picture: descending } = layOutRows(page, [{ ...row, baseline: 34 }], 24, sample);
  expect(descending.height).toBe(picture.height + 6);
  expect(descending.data[foot * descending.width + 24 + margin]).toBeGreaterThan(128);
  expect(descending.data[(foot + 5) * descending.width + left + margin]).toBeLessThan(128);
  const long = { ...row, letters: 9 };
  expect(layOutRows(page, [long], 24, sample).picture.width).toBe(14 + 2 * margin + 2 * 24);
  expect(layOutRows(page, [{ ...long, isNumber: true }], 24, sample).picture.width).toBe(picture.width);
});

it.each([
  ['a hyphen', { x0: 114, x1: 122, y0: 30, y1: 33 }, 122],
  ['a point', { x0: 112, x1: 115, y0: 37, y1: 40 }, 115],
  ['a letter', { x0: 114, x1: 122, y0: 26, y1: 40 }, 110],
  ['a sign further on', { x0: 117, x1: 125, y0: 30, y1: 33 }, 110],
  ['a long rule', { x0: 114, x1: 300, y0: 30, y1: 32 }, 110],
])('%s behind a row → the row ends with it only if it is a sign of its last word', (_, sign, end) => {
  const page = { ...raster, data: new Uint8Array(raster.data) };
  const row = rowOf(9);
  for (const { x0, y0, x1, y1 } of [row, sign])
    for (let y = y0; y < y1; y++) page.data.fill(0, y * 1000 + x0, y * 1000 + x1);
  const margin = 5;
  expect(layOutRows(page, [row], 24).picture.width).toBe(end - row.x0 + 2 * margin + 2 * 24);
});
