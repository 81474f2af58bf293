import { expect, it } from 'vitest';
import { layOutRows } from '../../../../../src/engine/stages/recognise/row-sheet.js';

const raster = { data: new Uint8Array(1000 * 800).fill(255), width: 1000, height: 800 };
const rowOf = (letters: number, width = 100) => ({ x0: 10, y0: 20, x1: 10 + width, y1: 40, letters, runsUp: false });

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
