import { expect, it } from 'vitest';
import { markMinuses } from '../../../../../src/engine/stages/recognise/mark-minuses.js';
import { straighten } from '../../../../../src/engine/stages/recognise/straighten.js';
import { readWords, textsOf } from './read-words.js';

const [WIDTH, HEIGHT] = [600, 100];
/** Height of a figure, and its foot. */
const [HIGH, FOOT] = [34, 80];

interface Box {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

function draw(...boxes: Box[]) {
  const data = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const { x0, x1, y0, y1 } of boxes) for (let y = y0; y < y1; y++) data.fill(0, y * WIDTH + x0, y * WIDTH + x1);
  return { data, width: WIDTH, height: HEIGHT };
}

const figureAt = (x0: number): Box => ({ x0, x1: x0 + 20, y0: FOOT - HIGH, y1: FOOT });
const figuresAt = (x0: number) => [0, 30, 60].map((step) => figureAt(x0 + step));
const dashAt = (x0: number, { raised = 14, width = 14 } = {}): Box => ({
  ...{ x0, x1: x0 + width },
  ...{ y0: FOOT - raised - 4, y1: FOOT - raised },
});

it.each([
  ['left out', readWords(['Coupon', 20, 140], ['050', 300, 380])],
  ['taken for another sign', readWords(['Coupon', 20, 140], ['=050', 276, 380])],
  ['taken for a word of signs', readWords(['Coupon', 20, 140], ['~', 276, 290], ['050', 300, 380])],
])('a minus that was %s → restored from the picture', (_, blocks) => {
  const marked = markMinuses(draw(dashAt(276), ...figuresAt(300)), blocks);
  expect(textsOf(marked)).toEqual(['Coupon', '-050']);
  expect(marked[0]?.lines[0]?.words[1]?.x0).toBe(276);
});

it('a hyphen, or a mathematical minus → restored', () => {
  const blocks = readWords(['050', 300, 380]);
  expect(textsOf(markMinuses(draw(dashAt(281, { width: 12 }), ...figuresAt(300)), blocks))).toEqual(['-050']);
  expect(textsOf(markMinuses(draw(dashAt(262, { width: 30 }), ...figuresAt(300)), blocks))).toEqual(['-050']);
});

it('a number whose box lacks its first figure → its minus, unless another word has that figure', () => {
  const raster = draw(dashAt(276), ...figuresAt(300));
  expect(textsOf(markMinuses(raster, readWords(['050', 328, 380])))).toEqual(['-050']);
  expect(textsOf(markMinuses(raster, readWords(['Tea', 20, 60], ['O', 298, 322], ['50', 328, 380])))).toEqual([
    'Tea',
    'O',
    '50',
  ]);
});

it.each([
  ['between two figures', [figureAt(246), dashAt(276)]],
  ['with a space before the number', [dashAt(260)]],
  ['on the base line', [dashAt(276, { raised: 0 })]],
  ['as long as a rule', [dashAt(230, { width: 60 })]],
  ['of a row of dashes', [dashAt(256), dashAt(276)]],
  ['that is one of two', [dashAt(276), dashAt(276, { raised: 24 })]],
])('a dash %s → no minus', (_, dashes) => {
  expect(textsOf(markMinuses(draw(...dashes, ...figuresAt(300)), readWords(['050', 300, 380])))).toEqual(['050']);
});

it('a number that has its minus, and a word → as they are', () => {
  const raster = draw(dashAt(276), ...figuresAt(300));
  for (const text of ['-050', '—050', 'Oso'])
    expect(textsOf(markMinuses(raster, readWords([text, 276, 380])))).toEqual([text]);
});

it('a recognised page → with its minuses', async () => {
  const blocks = readWords(['Coupon', 20, 140], ['050', 300, 380]);
  const found = { provider: 'asked', blocks, width: WIDTH, height: HEIGHT, rotation: 0 };
  const recogniser = straighten({ recognise: async () => found, prepare: () => undefined }, true);
  const raster = draw(dashAt(276), ...figuresAt(300));
  const recognition = await recogniser.recognise(raster, Number.POSITIVE_INFINITY, () => {});
  expect(textsOf(recognition.blocks)).toEqual(['Coupon', '-050']);
});

it('a dash alone between two figures of a line, which the reading left out → a word of its own', () => {
  const marked = (dashes: Box[], ...words: [string, number, number][]) =>
    textsOf(markMinuses(draw(...figuresAt(160), ...dashes, ...figuresAt(300)), readWords(...words)));
  expect(marked([dashAt(264)], ['9:55', 160, 240], ['10:40', 300, 380])).toEqual(['9:55', '–', '10:40']);
  expect(marked([], ['9:55', 160, 240], ['10:40', 300, 380])).toEqual(['9:55', '10:40']);
  expect(marked([dashAt(264)], ['Room', 160, 240], ['10:40', 300, 380])).toEqual(['Room', '10:40']);
  expect(marked([dashAt(264, { raised: 0 })], ['9:55', 160, 240], ['10:40', 300, 380])).toEqual(['9:55', '10:40']);
  expect(marked([dashAt(246), dashAt(268)], ['9:55', 160, 240], ['10:40', 300, 380])).toEqual(['9:55', '10:40']);
});
