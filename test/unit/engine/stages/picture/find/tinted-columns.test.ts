import { describe, expect, it } from 'vitest';
import type { PageBlock } from '../../../../../../src/engine/model/page.js';
import { findTintedColumns, shrinkGround } from '../../../../../../src/engine/stages/picture/find/tinted-columns.js';
import type { Raster } from '../../../../../../src/engine/stages/picture/raster.js';
import { parseHocr } from '../../../../../../src/engine/stages/recognise/hocr.js';
import { straighten } from '../../../../../../src/engine/stages/recognise/straighten.js';
import { layOutRecognised } from '../../recognise/refine/lay-out-recognised.js';

const [WIDTH, HEIGHT] = [800, 1100];
const PAPER = 248;
type ShadeAt = (x: number, y: number) => number;

const draw = (shadeAt: ShadeAt): Raster => ({
  data: new Uint8Array(WIDTH * HEIGHT).map((_, at) => shadeAt(at % WIDTH, Math.floor(at / WIDTH))),
  width: WIDTH,
  height: HEIGHT,
});

/** A column from (550, 100) to (750, 600) with lines of print. */
const column = (shade: number, ink: number): ShadeAt => {
  return (x, y) => {
    if (x < 550 || x >= 750 || y < 100 || y >= 600) return PAPER;
    return x >= 570 && x < 700 && y % 30 < 12 && x % 8 < 3 ? ink : shade;
  };
};

/** Noise of up to 6 shades, the same on each run. */
const grainy =
  (shadeAt: ShadeAt): ShadeAt =>
  (x, y) =>
    Math.min(255, shadeAt(x, y) + (((x * 7919 + y * 104_729) % 97) % 13) - 6);

/** Turns points about the middle of the page. */
const leaning = (shadeAt: ShadeAt, degrees: number): ShadeAt => {
  const angle = (degrees * Math.PI) / 180;
  return (x, y) => {
    const [dx, dy] = [x - WIDTH / 2, y - HEIGHT / 2];
    return shadeAt(
      Math.round(WIDTH / 2 + dx * Math.cos(angle) + dy * Math.sin(angle)),
      Math.round(HEIGHT / 2 + dy * Math.cos(angle) - dx * Math.sin(angle)),
    );
  };
};

const find = (shadeAt: ShadeAt) => {
  const { ground, size } = shrinkGround(draw(shadeAt));
  return findTintedColumns(ground).map(({ x0, y0, x1, y1 }) => [x0, y0, x1, y1].map((cell) => cell * size));
};
const BOX = [550, 100, 750, 600];

describe('tinted columns of a picture', () => {
  it.each([
    ['a pale one', column(238, 30)],
    ['a dark one with light print', column(60, 250)],
    ['a pale one on grainy paper', grainy(column(236, 30))],
  ])('%s → its box', (_, shadeAt) => {
    expect(find(shadeAt)).toEqual([BOX]);
  });

  it('one that leans a little → a box around it', () => {
    const [[x0 = 0, y0 = 0, x1 = 0, y1 = 0] = []] = find(leaning(column(238, 30), 0.4));
    for (const [index, side] of [x0, y0, x1, y1].entries()) expect(Math.abs(side - (BOX[index] ?? 0))).toBeLessThan(10);
  });

  it('one that runs to three edges of the page → its box', () => {
    expect(find((x) => (x < 250 ? 236 : PAPER))).toEqual([[0, 0, 250, HEIGHT]]);
  });

  it.each<[string, ShadeAt]>([
    ['a shadow with a soft edge', (x) => Math.round(PAPER - 30 * Math.min(1, Math.max(0, (x - 500) / 100)))],
    ['a stain', (x, y) => ((x - 400) ** 2 + (y - 450) ** 2 < 150 ** 2 ? 232 : PAPER)],
    ['a photograph', (x, y) => (column(0, 0)(x, y) === 0 ? 100 + ((x >> 4) % 5) * 20 + ((y >> 4) % 7) * 9 : PAPER)],
    ['a low bar', (x, y) => (y >= 150 && y < 200 && x >= 100 && x < 450 ? 236 : PAPER)],
    ['a tint hardly darker than the paper', column(PAPER - 4, 30)],
    ['a ground wider than half of the page', (x, y) => (x >= 50 && x < 750 && y > 150 && y < 450 ? 236 : PAPER)],
  ])('%s → none', (_, shadeAt) => {
    expect(find(shadeAt)).toEqual([]);
  });
});

/** Lines as a recogniser gives them: the words of a bar, and of the text beside it, level as in a table. */
const BAR = ['Contact', '0113 496 0018', 'okafor@example.org', 'Canal Row', 'Skills', 'Python'];
const TEXT = [
  'Profile',
  'Data engineer of many years',
  'Experience',
  'Northern Tramways',
  'Moved all jobs',
  'Led a team',
];
const toLine = (text: string, x: number, y: number): string => {
  let at = x;
  const words = text.split(' ').map((word) => {
    const [from, to] = [at, at + word.length * 7];
    at = to + 4;
    return `<span class='ocrx_word' title='bbox ${from} ${y - 12} ${to} ${y}; x_wconf 95'>${word}</span>`;
  });
  return `<span class='ocr_line' title="bbox ${x} ${y - 12} ${at} ${y}; baseline 0 0; x_size 14">\n${words.join('\n')}</span>`;
};
const read = (): PageBlock[] =>
  parseHocr(
    TEXT.flatMap((text, row) => [toLine(text, 100, 130 + row * 30), toLine(BAR[row] ?? '', 570, 130 + row * 30)])
      .map((line) => `<p class='ocr_par' title="bbox 0 0 1 1">${line}</p>`)
      .join(''),
  ).blocks;

/** Corrects the picture, and recognises these lines on it. */
async function recognise(shadeAt: ShadeAt, rotation = 0) {
  const recogniser = straighten(
    {
      recognise: async ({ width, height }) => {
        const turned = rotation % 180 === 0 ? { width, height } : { width: height, height: width };
        return { provider: 'test', blocks: read(), ...turned, rotation };
      },
      prepare: () => undefined,
    },
    true,
  );
  return await recogniser.recognise(draw(shadeAt), Number.POSITIVE_INFINITY, () => undefined);
}

describe('side bars of scans', () => {
  const show = async (shadeAt: ShadeAt) => {
    const { width, height, blocks, rules = [], shades = [] } = await recognise(shadeAt);
    const found = layOutRecognised({ width, height, blocks, rules, shades });
    return found.flatMap(({ lines }) => lines.flatMap(({ words }) => words.map(({ text }) => text))).join(' ');
  };

  it('a text on a ground of its own → read by itself', async () => {
    const text = await show(column(238, 30));
    expect(text).toContain(BAR.join(' '));
    expect(text).toContain(TEXT.join(' '));
  });

  it('the same on plain paper → read with the text beside it', async () => {
    const text = await show((x, y) => (column(238, 30)(x, y) === 30 ? 30 : PAPER));
    expect(text).not.toContain(TEXT.join(' '));
  });

  it('a skewed page → the ground on the level one', async () => {
    const { skew, shades } = await recognise(leaning(column(238, 30), 2));
    expect(skew).toBeCloseTo(2, 0);
    const [{ x0 = 0, y0 = 0, x1 = 0, y1 = 0 } = {}] = shades ?? [];
    for (const [index, side] of [x0, y0, x1, y1].entries()) expect(Math.abs(side - (BOX[index] ?? 0))).toBeLessThan(10);
  });

  it('a page that was turned to be read → the ground is turned too', async () => {
    const [shade] = (await recognise(column(238, 30), 90)).shades ?? [];
    expect(shade).toEqual({ x0: HEIGHT - 600, y0: 550, x1: HEIGHT - 100, y1: 750 });
  });
});
