import type { Barcode, Point } from './barcode.js';

type Found = Omit<Barcode, 'page'>;

/** Distance as a share of the page's sides: codes that are nearer have no quiet zone between them. */
const MAX_TOUCHING_DISTANCE = 0.002;
/** Codes of goods: thirteen digits or fewer, of which one checks the others, so that a misreading may pass. */
const OF_GOODS = ['EAN13', 'EAN8', 'UPCA', 'UPCE'];
export const isOfGoods = ({ format }: Pick<Barcode, 'format'>): boolean => OF_GOODS.includes(format);
/** Height of a misreading and its distance from the code, as shares of that code's height; distance of their ends, of its length. */
const MAX_SLIVER_HEIGHT = 0.2;
const MAX_SLIVER_DISTANCE = 0.5;
const MAX_SLIVER_SHIFT = 0.1;

/**
 * Adds the codes of another look to the known ones. A code on a known one of the same size is that code or a
 * misreading of it, as is a sliver at its edge. Leaning bars are found in pieces, one below the other, which are put together.
 */
export function gatherCodes(known: Found[], found: readonly Found[]): void {
  for (const code of found) {
    if (known.some((other) => liesOn(code, other))) continue;
    const piece = known.findIndex((other) => saysTheSame(other, code) && touches(other, code));
    const other = known[piece];
    if (other === undefined) known.push(code);
    else known[piece] = join(other, code);
  }
  const real = known.filter((code) => !known.some((other) => isSliverOf(code, other)));
  known.splice(0, known.length, ...real);
}

/** True when the few lines that gave the code are at the edge of the other one, a far higher one, and as long as that. */
function isSliverOf(code: Found, other: Found): boolean {
  if (!isOfGoods(code) || !isOfGoods(other) || code.bytes === other.bytes) return false;
  return [0, 1].some((axis) => {
    const [along, across] = axis === 0 ? [spanX, spanY] : [spanY, spanX];
    const [[from, to], [otherFrom, otherTo]] = [along(code), along(other)];
    const [[top, bottom], [otherTop, otherBottom]] = [across(code), across(other)];
    const [length, height] = [otherTo - otherFrom, otherBottom - otherTop];
    return (
      bottom - top < MAX_SLIVER_HEIGHT * height &&
      Math.max(Math.abs(from - otherFrom), Math.abs(to - otherTo)) < MAX_SLIVER_SHIFT * length &&
      Math.max(top - otherBottom, otherTop - bottom) < MAX_SLIVER_DISTANCE * height
    );
  });
}

const spanX = ({ box }: Found): [number, number] => [box[0], box[2]];
const spanY = ({ box }: Found): [number, number] => [box[1], box[3]];

const saysTheSame = (a: Found, b: Found): boolean => a.format === b.format && a.bytes === b.bytes;

function liesOn(code: Found, other: Found): boolean {
  const [x0, y0, x1, y1] = other.box;
  const [x, y] = middleOf(code);
  if (x < x0 || x > x1 || y < y0 || y > y1) return false;
  return saysTheSame(code, other) || (isWithin([x, y], other.corners) && areaOf(code) <= areaOf(other));
}

function middleOf({ box: [x0, y0, x1, y1] }: Found): Point {
  return [(x0 + x1) / 2, (y0 + y1) / 2];
}

/** True when the point is on the same side of all four edges. */
function isWithin([x, y]: Point, corners: Found['corners']): boolean {
  const sides = corners.map(([fromX, fromY], index) => {
    const [toX, toY] = corners[(index + 1) % 4] as Point;
    return Math.sign((toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX));
  });
  return new Set(sides.filter((side) => side !== 0)).size === 1;
}

/** Twice the area, by the diagonals. */
function areaOf({ corners: [a, b, c, d] }: Found): number {
  return Math.abs((c[0] - a[0]) * (d[1] - b[1]) - (d[0] - b[0]) * (c[1] - a[1]));
}

const touches = ({ box: a }: Found, { box: b }: Found): boolean =>
  a[0] < b[2] + MAX_TOUCHING_DISTANCE &&
  b[0] < a[2] + MAX_TOUCHING_DISTANCE &&
  a[1] < b[3] + MAX_TOUCHING_DISTANCE &&
  b[1] < a[3] + MAX_TOUCHING_DISTANCE;

/** Joins two pieces of a code, from the top of the upper one to the bottom of the lower one. */
function join(a: Found, b: Found): Found {
  const [topLeft, , , bottomLeft] = a.corners;
  const [from, to] = [middleOf(a), middleOf(b)];
  const down = (to[0] - from[0]) * (bottomLeft[0] - topLeft[0]) + (to[1] - from[1]) * (bottomLeft[1] - topLeft[1]);
  const [upper, lower] = down >= 0 ? [a, b] : [b, a];
  const corners: Found['corners'] = [upper.corners[0], upper.corners[1], lower.corners[2], lower.corners[3]];
  const [x0, y0, x1, y1] = a.box;
  const box = [Math.min(x0, b.box[0]), Math.min(y0, b.box[1]), Math.max(x1, b.box[2]), Math.max(y1, b.box[3])] as const;
  return { ...a, box, corners };
}
