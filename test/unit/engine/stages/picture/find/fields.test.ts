import { describe, expect, it } from 'vitest';
import { layBare } from '../../../../../../src/engine/stages/picture/correct/bare.js';
import { findFields, lightenFields, sidesInTables } from '../../../../../../src/engine/stages/picture/find/fields.js';
import { isPale, traceRules } from '../../../../../../src/engine/stages/picture/find/find-rules.js';
import type { Raster } from '../../../../../../src/engine/stages/picture/raster.js';
import { straighten } from '../../../../../../src/engine/stages/recognise/straighten.js';

const [WIDTH, HEIGHT] = [1700, 2200];
type Paint = (x0: number, y0: number, x1: number, y1: number, shade: number) => void;

/** Draws boxes on a white page. Its pixels are a Buffer, like those of decoders. */
function draw(paint: (box: Paint) => void): Raster {
  const data = Buffer.alloc(WIDTH * HEIGHT, 250);
  paint((x0, y0, x1, y1, shade) => {
    for (let y = y0; y < y1; y++) data.fill(shade, y * WIDTH + x0, y * WIDTH + x1);
  });
  return { data, width: WIDTH, height: HEIGHT };
}

/** Boxes of light letters on a dark bar. */
const bar = (box: Paint) => {
  box(100, 300, 1500, 360, 90);
  for (let x = 140; x < 600; x += 20) box(x, 320, x + 6, 340, 250);
};

const shadeAt = ({ data }: Raster, x: number, y: number) => data[y * WIDTH + x] ?? -1;

/** Returns the picture that the recogniser gets. */
async function readBy(page: Raster): Promise<Raster[]> {
  const read: Raster[] = [];
  const recogniser = straighten(
    {
      recognise: async (raster) => {
        read.push(raster);
        return { provider: 'test', blocks: [], width: WIDTH, height: HEIGHT, rotation: 0 };
      },
      prepare: () => undefined,
    },
    true,
  );
  await recogniser.recognise(page, Number.POSITIVE_INFINITY, () => undefined);
  return read;
}

describe('fields of a page', () => {
  it('a bar → its box and shade', () => {
    expect(findFields(draw(bar))).toEqual([{ x0: 100, y0: 300, x1: 1500, y1: 360, shade: 90, isPrinted: true }]);
  });

  it('a picture, and its dark part → no field, without straight sides and a single shade', () => {
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

  /** Draws lines of light letters on a dark column; each row begins `lean` pixels further right than the one 100 pixels above. */
  const column = (box: Paint, lean: number) => {
    for (let y = 100; y < 2000; y++) {
      const x = 200 + Math.round((lean * y) / 100);
      box(x, y, x + 600, y + 1, 70);
      if (y % 50 >= 10 && y % 50 < 35)
        for (let letter = 40; letter < 240; letter += 20) box(x + letter, y, x + letter + 6, y + 1, 250);
    }
  };

  it('a column as high as the page, which may lean a little → a field', () => {
    expect(findFields(draw((box) => column(box, 0)))).toEqual([
      { x0: 200, y0: 100, x1: 800, y1: 2000, shade: 70, isPrinted: true },
    ]);
    const leaning = draw((box) => column(box, 0.6));
    const fields = findFields(leaning);
    expect(fields).toHaveLength(1);
    const light = lightenFields(leaning, fields);
    expect(shadeAt(light, 800, 1990)).toBe(250);
    expect(shadeAt(light, 207, 1990)).toBe(250);
    expect(shadeAt(light, 806, 110)).toBe(250);
    expect(shadeAt(light, 252, 1960)).toBeLessThan(100);
  });

  it('a dark column → no shadow in correcting the light', async () => {
    const [read] = await readBy(draw((box) => column(box, 0)));
    expect(read && shadeAt(read, 230, 120)).toBeGreaterThan(200);
    expect(read && shadeAt(read, 242, 120)).toBeLessThan(100);
  });

  it('a dark photograph with spots everywhere → no field', () => {
    const spots = draw((box) => {
      box(200, 100, 600, 2000, 70);
      for (let y = 110; y < 1990; y += 10)
        for (let x = 210 + (y % 7) * 3; x < 590; x += 60) box(x, y, x + 12, y + 8, 250);
    });
    expect(findFields(spots)).toEqual([]);
  });

  it('a high one with ragged sides, or with spots in each row → no field', () => {
    const spots = (box: Paint, x: number) => {
      for (let y = 150; y < 1950; y += 50) box(x, y, x + 12, y + 20, 250);
    };
    const ragged = draw((box) => {
      for (let y = 100; y < 2000; y++) box(y % 200 < 100 ? 200 : 280, y, 600, y + 1, 70);
      spots(box, 400);
    });
    const strewn = draw((box) => {
      box(200, 100, 600, 2000, 70);
      for (let y = 110; y < 1990; y++) box(220 + ((y * 7) % 350), y, 228 + ((y * 7) % 350), y + 1, 250);
    });
    const even = draw((box) => {
      box(200, 100, 600, 2000, 70);
      spots(box, 400);
    });
    expect(findFields(ragged)).toEqual([]);
    expect(findFields(strewn)).toEqual([]);
    expect(findFields(even)).toHaveLength(1);
  });

  it('light letters → dark letters on paper, in a copy', () => {
    const page = draw(bar);
    const light = lightenFields(page, findFields(page));
    expect(shadeAt(light, 130, 330)).toBe(250);
    expect(shadeAt(light, 142, 330)).toBeLessThan(30);
    expect(shadeAt(light, 50, 330)).toBe(250);
    expect(shadeAt(page, 130, 330)).toBe(90);
  });

  it('a field without print → kept: it may be the stroke of a large letter', async () => {
    const letter = draw((box) => {
      box(300, 300, 320, 420, 10);
      for (const y of [300, 350, 398]) box(300, y, 380, y + 22, 10);
    });
    const [stroke] = findFields(letter);
    expect(stroke).toMatchObject({ isPrinted: false });
    expect(shadeAt(layBare(letter), 350, 310)).toBe(10);
    const [read] = await readBy(letter);
    expect(read && shadeAt(read, 350, 310)).toBe(10);
  });

  it('rules that end at a field → found', () => {
    const page = draw((box) => {
      bar(box);
      for (const x of [100, 800, 1498]) box(x, 360, x + 2, 900, 120);
      for (const y of [600, 898]) box(100, y, 1500, y + 2, 120);
    });
    // Those in the grain of the paper are found beside a field too.
    const uprights = (raster: Raster) =>
      traceRules(raster).filter((rule) => rule.direction === 'upright' && !isPale(rule));
    expect(uprights(page)).toEqual([]);
    expect(uprights(lightenFields(page, findFields(page))).map(({ first }) => first)).toEqual([100, 800, 1498]);
  });

  it('a field in a table with ruled rows → its sides are rules of the table', () => {
    const field = { x0: 100, y0: 300, x1: 1500, y1: 360, shade: 90, isPrinted: true };
    const columns = [100, 800, 1500].map((x) => ({ x0: x, x1: x, y0: 361, y1: 900 }));
    const rows = [600, 900].map((y) => ({ x0: 100, x1: 1500, y0: y, y1: y }));
    expect(sidesInTables([field], [...columns, ...rows])).toContainEqual({ x0: 100, x1: 1500, y0: 300, y1: 300 });
    expect(sidesInTables([field], columns)).toEqual([]);
    expect(sidesInTables([field], rows)).toEqual([]);
  });
});
