import { expect, it } from 'vitest';
import { findMarkRows } from '../../../../../../src/engine/stages/picture/find/find-mark-rows.js';

const SIZE = 30;
const FOOT = 100;

interface Box {
  x0: number;
  y0: number;
  side: number;
  high?: number;
}

function draw(...boxes: Box[]) {
  const [width, height] = [1000, 200];
  const data = new Uint8Array(width * height).fill(255);
  for (const { x0, y0, side, high = side } of boxes)
    for (let y = y0; y < y0 + high; y++) data.fill(0, y * width + x0, y * width + x0 + side);
  return { data, width, height };
}

const rowOf = (count: number, step: number, mark: Omit<Box, 'x0'>, from = 100): Box[] =>
  Array.from({ length: count }, (_, index) => ({ ...mark, x0: from + index * step }));
const dots = rowOf(20, 9, { y0: FOOT - 4, side: 4 });
const before: Box = { x0: 75, y0: FOOT - 21, side: 14, high: 21 };
const after: Box = { ...before, x0: 290 };
const asterisk = { y0: FOOT - 20, side: 10 };
const figures = rowOf(4, 18, { y0: FOOT - 21, side: 14, high: 21 }, 330);
const found = (...boxes: Box[]) =>
  findMarkRows(draw(...boxes), SIZE).map(({ sign, marks }) => `${sign} ${marks.length}`);

it('dots at equal distances → a leader, also where two run together', () => {
  expect(found(before, ...dots, after)).toEqual(['. 20']);
  expect(found(before, ...dots.filter((_, index) => index !== 7), after)).toEqual(['. 19']);
});

it('the point of the number that a leader ends at → no dot of it', () => {
  const point: Box = { x0: 308, y0: FOOT - 4, side: 4 };
  expect(found(before, ...dots, after, point, { ...after, x0: 316 })).toEqual(['. 20']);
  const number = { ...before, x0: 66 };
  expect(found(number, { ...point, x0: 82 }, ...dots, after)).toEqual(['. 20']);
});

it('raised marks before figures → asterisks, also in groups', () => {
  expect(found(...rowOf(12, 18, asterisk, 114), ...figures)).toEqual(['* 12']);
  const groups = [228, 132].flatMap((from) => rowOf(4, 18, asterisk, from));
  expect(found(...groups, ...figures.map((figure) => ({ ...figure, x0: figure.x0 - 12 })))).toEqual(['* 4', '* 4']);
});

it.each([
  ['small letters on the base line', [...rowOf(12, 18, { y0: FOOT - 10, side: 10 }, 114), ...figures]],
  [
    'small letters after one with a descender',
    [{ x0: 96, y0: FOOT - 14, side: 12, high: 20 }, ...rowOf(5, 18, { y0: FOOT - 14, side: 13 }, 114)],
  ],
  ['raised marks beside no figure', rowOf(12, 18, asterisk)],
  ['few dots', [before, ...rowOf(5, 9, { y0: FOOT - 4, side: 4 }), { ...after, x0: 150 }]],
  [
    'dots at odd distances',
    [
      before,
      ...rowOf(20, 10, { y0: FOOT - 4, side: 4 }).map((dot, index) => ({ ...dot, x0: dot.x0 + (index % 2) * 4 })),
      { ...after, x0: 310 },
    ],
  ],
  ['dots that lead to nothing', [before, ...dots]],
  ['dots between two lines', [before, ...dots, after].map((box) => (box.side === 4 ? { ...box, y0: FOOT + 8 } : box))],
  ['dashes', rowOf(12, 18, { y0: FOOT - 12, side: 12, high: 3 })],
  ['more asterisks than a number has', [...rowOf(30, 10, { y0: FOOT - 20, side: 7 }, 30), ...figures]],
])('%s → no row', (_, boxes) => {
  expect(found(...boxes)).toEqual([]);
});
