import { describe, expect, it } from 'vitest';
import { findFields, lightenFields, sidesInTables } from '../../../src/engine/raster/fields.js';
import { findRules } from '../../../src/engine/raster/find-rules.js';
import type { Raster } from '../../../src/engine/raster/raster.js';

const [WIDTH, HEIGHT] = [1700, 2200];
type Paint = (x0: number, y0: number, x1: number, y1: number, shade: number) => void;

/** A white page, and boxes on it. Its pixels are a Buffer, as decoders give them. */
function draw(paint: (box: Paint) => void): Raster {
  const data = Buffer.alloc(WIDTH * HEIGHT, 250);
  paint((x0, y0, x1, y1, shade) => {
    for (let y = y0; y < y1; y++) data.fill(shade, y * WIDTH + x0, y * WIDTH + x1);
  });
  return { data, width: WIDTH, height: HEIGHT };
}

/** Light letters on a dark bar. */
const bar = (box: Paint) => {
  box(100, 300, 1500, 360, 90);
  for (let x = 140; x < 600; x += 20) box(x, 320, x + 6, 340, 250);
};

const shadeAt = ({ data }: Raster, x: number, y: number) => data[y * WIDTH + x] ?? -1;

describe('parts of a page on another shade than paper', () => {
  it('are found with their shade', () => {
    expect(findFields(draw(bar))).toEqual([{ x0: 100, y0: 300, x1: 1500, y1: 360, shade: 90 }]);
  });

  it('have straight sides and one shade: neither a picture nor its dark part is one', () => {
    const disc = draw((box) => {
      for (let y = 0; y < 200; y++) {
        const half = Math.round(Math.sqrt(100 ** 2 - (y - 100) ** 2));
        box(600 - half, 500 + y, 600 + half, 501 + y, 60);
      }
    });
    const shades = draw((box) => {
      for (let y = 0; y < 200; y++) box(400, 500 + y, 800, 501 + y, y);
    });
    const high = draw((box) => box(400, 500, 900, 1200, 0));
    expect(findFields(disc)).toEqual([]);
    expect(findFields(high)).toEqual([]);
    expect(findFields(shades)).toEqual([]);
  });

  it('are put on paper in dark letters, in a copy', () => {
    const page = draw(bar);
    const light = lightenFields(page, findFields(page));
    expect(shadeAt(light, 130, 330)).toBe(250);
    expect(shadeAt(light, 142, 330)).toBeLessThan(30);
    expect(shadeAt(light, 50, 330)).toBe(250);
    expect(shadeAt(page, 130, 330)).toBe(90);
  });

  it('do not hide the lines that end at them', () => {
    const page = draw((box) => {
      bar(box);
      for (const x of [100, 800, 1498]) box(x, 360, x + 2, 900, 120);
      for (const y of [600, 898]) box(100, y, 1500, y + 2, 120);
    });
    expect(findRules(page).filter(({ x0, x1 }) => x0 === x1)).toEqual([]);
    const rules = findRules(lightenFields(page, findFields(page)));
    expect(rules.filter(({ x0, x1 }) => x0 === x1).map(({ x0 }) => x0)).toEqual([101, 801, 1499]);
  });

  it('lend their sides to the table that they are in, where its rows are ruled', () => {
    const field = { x0: 100, y0: 300, x1: 1500, y1: 360, shade: 90 };
    const columns = [100, 800, 1500].map((x) => ({ x0: x, x1: x, y0: 361, y1: 900 }));
    const rows = [600, 900].map((y) => ({ x0: 100, x1: 1500, y0: y, y1: y }));
    expect(sidesInTables([field], [...columns, ...rows])).toContainEqual({ x0: 100, x1: 1500, y0: 300, y1: 300 });
    expect(sidesInTables([field], columns)).toEqual([]);
    expect(sidesInTables([field], rows)).toEqual([]);
  });
});
