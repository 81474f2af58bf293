import type { Barcode, Point } from './barcode.js';

type Found = Omit<Barcode, 'page'>;

/** Distance as a share of the page's sides: codes that are nearer have no quiet zone between them. */
const MAX_TOUCHING_DISTANCE = 0.002;

/**
 * Adds the codes of another look to the known ones. A code on a known one of the same size is that code or a
 * misreading of it. Leaning bars are found in pieces, one below the other, which are put together.
 */
export function gatherCodes(known: Found[], found: readonly Found[]): void {
  for (const code of found) {
    if (known.some((other) => liesOn(code, other))) continue;
    const piece = known.findIndex((other) => saysTheSame(other, code) && touches(other, code));
    const other = known[piece];
    if (other === undefined) known.push(code);
    else known[piece] = join(other, code);
  }
}

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
