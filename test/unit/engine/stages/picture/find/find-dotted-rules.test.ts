import { expect, it } from 'vitest';
import { findDottedRules } from '../../../../../../src/engine/stages/picture/find/find-dotted-rules.js';

const [width, height] = [1000, 200];
/** Height of words. */
const HIGH = 24;
const RULE_Y = 100;
const PAPER = 240;

interface Box {
  x0: number;
  y0: number;
  wide: number;
  high: number;
  shade?: number;
}

/** Draws boxes on grainy paper. */
function draw(...boxes: Box[]) {
  const data = new Uint8Array(width * height).map((_, at) => PAPER + ((at * 7919) % 13) - 6);
  for (const { x0, y0, wide, high, shade = 20 } of boxes)
    for (let y = y0; y < y0 + high; y++) data.fill(shade, y * width + x0, y * width + x0 + wide);
  return { data, width, height };
}

/** Boxes side by side from x = 200, each at its height. */
const rowOf = (count: number, step: number, wide: number, { high = 2, shade = 20, rise = 0 } = {}): Box[] =>
  Array.from({ length: count }, (_, index) => {
    const x0 = 200 + index * step;
    return { x0, y0: RULE_Y + Math.round((x0 - 200) * rise), wide, high, shade };
  });
const find = (...boxes: Box[]) => findDottedRules(draw(...boxes), HIGH);
/** The first and last column of each rule, to ten pixels. */
const found = (...boxes: Box[]) =>
  find(...boxes).map((parts) => [parts[0]?.x0, parts.at(-1)?.x1].map((x) => Math.round((x ?? 0) / 10) * 10));

it('dots below a line → a rule, also a skewed one and dots that ran together', () => {
  const [[from, to] = []] = found(...rowOf(100, 5, 2));
  expect(from).toBeGreaterThanOrEqual(180);
  expect(from).toBeLessThanOrEqual(200);
  expect(to).toBeGreaterThanOrEqual(700);
  expect(to).toBeLessThanOrEqual(720);
  expect(found(...rowOf(100, 5, 2, { rise: 0.008 }))).toHaveLength(1);
  const blurred = rowOf(170, 3, 3, { shade: 170 }).map((dot, index) => ({
    ...dot,
    shade: index % 2 === 0 ? 210 : 120,
  }));
  expect(found(...blurred)).toHaveLength(1);
});

it('a rule is given without the place of a letter that stands on it or goes through it', () => {
  const letter: Box = { x0: 400, y0: RULE_Y - 20, wide: 4, high: 21 };
  const descender: Box = { x0: 700, y0: RULE_Y - 10, wide: 4, high: 20 };
  const parts = find(...rowOf(155, 5, 2), letter, descender).flat();
  const isCovered = (x: number) => parts.some(({ x0, x1 }) => x >= x0 && x < x1);
  expect([300, 396, 402, 410, 550, 696, 702, 710, 850].map(isCovered)).toEqual([
    ...[true, false, false, false, true, false, false, false, true],
  ]);
  expect(parts.every(({ y0, y1 }) => y0 < RULE_Y && y1 > RULE_Y + 1 && y1 - y0 < HIGH / 2)).toBe(true);
});

it.each([
  ['a solid rule', [{ x0: 200, y0: RULE_Y, wide: 500, high: 2 }]],
  ['a pale solid rule', [{ x0: 200, y0: RULE_Y, wide: 500, high: 2, shade: 150 }]],
  ['the dashes of a receipt', rowOf(40, 14, 8)],
  ['few dots', rowOf(12, 5, 2)],
  ['dots far apart, which a recogniser reads as such', rowOf(30, 18, 4, { high: 4 })],
  ['a row of small letters', rowOf(60, 9, 6, { high: 12 })],
  ['bare paper', []],
])('%s → no dotted rule', (_, boxes) => {
  expect(find(...boxes)).toEqual([]);
});

it('a picture smaller than a piece → none', () => {
  expect(findDottedRules({ data: new Uint8Array(100).fill(PAPER), width: 10, height: 10 }, HIGH)).toEqual([]);
});
