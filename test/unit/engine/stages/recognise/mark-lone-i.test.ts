import { expect, it } from 'vitest';
import { parseHocr } from '../../../../../src/engine/stages/recognise/hocr.js';
import { markLoneI } from '../../../../../src/engine/stages/recognise/mark-lone-i.js';
import { straighten } from '../../../../../src/engine/stages/recognise/straighten.js';

const [WIDTH, HEIGHT] = [600, 120];
/** Height of a capital, and the base line. */
const [HIGH, FOOT] = [34, 80];

interface Stroke {
  x0?: number;
  width?: number;
  above?: number;
  below?: number;
}

/** Draws an upright stroke, by default that of an I. */
function draw({ x0 = 204, width = 5, above = HIGH, below = 0 }: Stroke = {}) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (let y = FOOT - above; y < FOOT + below; y++) data.fill(0, y * WIDTH + x0, y * WIDTH + x0 + width);
  return { data, width: WIDTH, height: HEIGHT };
}

/** Reads one line of words, each from x0 to x1. */
const read = (...words: [text: string, x0: number, x1: number][]) =>
  parseHocr(
    `<p class='ocr_par' title=""><span class='ocr_line' title="bbox 0 46 600 80; baseline 0 0; x_size 46">${words
      .map(([text, x0, x1]) => `<span class='ocrx_word' title='bbox ${x0} 46 ${x1} 80; x_wconf 90'>${text}</span>`)
      .join('')}</span></p>`,
  ).blocks;
const textOf = (blocks: ReturnType<typeof read>) =>
  blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words.map(({ text }) => text))).join(' ');
const sentence = (bar = '|', x0 = 204, x1 = 209) => read(['When', 100, 186], [bar, x0, x1], ['wrote', 230, 320]);

it.each([
  ['|', 204, 209],
  ['!', 204, 209],
  ['|', 206, 207],
  ['|', 190, 209],
])('%s for a stroke of a capital, box from %d to %d → I', (bar, x0, x1) => {
  expect(textOf(markLoneI(draw(), sentence(bar, x0, x1)))).toBe('When I wrote');
});

it.each([
  ['a bar that reaches below the line', draw({ below: 10 })],
  ['a bar that is higher than capitals', draw({ above: 44 })],
  ['a short stroke', draw({ above: 20 })],
  ['a broad stroke', draw({ x0: 198, width: 18 })],
])('%s → unchanged', (_, raster) => {
  const blocks = sentence();
  expect(markLoneI(raster, blocks)).toEqual(blocks);
});

it.each([
  [
    'after a quantity, where it may be the l of litres',
    read(['Add', 100, 160], ['1', 180, 190], ['|', 204, 209], ['stock', 230, 300]),
  ],
  ['between figures', read(['12', 150, 190], ['|', 204, 209], ['19', 230, 270])],
  ['far from the words of its row', read(['When', 20, 100], ['|', 204, 209], ['wrote', 330, 420])],
  ['alone', read(['|', 204, 209])],
])('a bar %s → unchanged', (_, blocks) => {
  expect(markLoneI(draw(), blocks)).toEqual(blocks);
});

it('a stroke on a page in Latin letters → I; the sign that ends a sentence in Devanagari → unchanged', async () => {
  const raster = draw();
  const recogniser = {
    recognise: async () => ({
      provider: 'none',
      blocks: sentence(),
      width: WIDTH,
      height: HEIGHT,
      rotation: 0 as const,
    }),
    prepare: () => undefined,
  };
  for (const [isLatin, text] of [
    [true, 'When I wrote'],
    [false, 'When | wrote'],
  ] as const) {
    const found = await straighten(recogniser, isLatin).recognise(raster, 1000, () => undefined);
    expect(textOf([...found.blocks])).toBe(text);
  }
});
