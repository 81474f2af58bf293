import { expect, it } from 'vitest';
import type { PageBlock } from '../../../../../src/engine/model/page.js';
import { markLoneI } from '../../../../../src/engine/stages/recognise/mark-lone-i.js';
import { straighten } from '../../../../../src/engine/stages/recognise/straighten.js';
import { readWords, textsOf } from './read-words.js';

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

const textOf = (blocks: readonly PageBlock[]) => textsOf(blocks).join(' ');
const sentence = (bar = '|', x0 = 204, x1 = 209) => readWords(['When', 100, 186], [bar, x0, x1], ['wrote', 230, 320]);

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
    readWords(['Add', 100, 160], ['1', 180, 190], ['|', 204, 209], ['stock', 230, 300]),
  ],
  ['between figures', readWords(['12', 150, 190], ['|', 204, 209], ['19', 230, 270])],
  ['far from the words of its row', readWords(['When', 20, 100], ['|', 204, 209], ['wrote', 330, 420])],
  ['alone', readWords(['|', 204, 209])],
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
