import type { Grounds } from '../find/grounds.js';

/** A curve that runs down the grounds: in each row at `start + lean * row + bow * row²`, in cells. */
export interface Curve {
  start: number;
  lean: number;
  bow: number;
}

/** A side of a sheet, from the top down; a bowed sheet has bowed sides. */
export interface Side extends Curve {
  /** True when the sheet continues beyond the picture: the side is the picture's. */
  isCut: boolean;
  /** Column in which the paper ends, for each row; undefined if it does not end. */
  ends: readonly (number | undefined)[];
}

/** Share by which the shade falls within two cells from paper to the desk. Light and shadows change more slowly. */
const MIN_FALL_SHARE = 0.055;
/** Depth of a fall by the deepest in its row. Small print that merges with its paper falls less than the edge of the sheet. */
const MIN_FALL_BY_DEEPEST = 0.5;
/** Share of the rows in the middle half that have no end, from which the sheet continues beyond the picture. */
const MIN_CUT_SHARE = 0.7;
/** Steepest lean of a sheet's side, in columns a row. */
const MAX_LEAN = 0.4;
/** Distance of an end from its side, in cells. */
const MAX_DISTANCE_CELLS = 1.5;
/** Ends that a side needs. Rows outside of the sheet, and pictures on it, end elsewhere. */
const MIN_ENDS = 8;
/** Ends that candidate lines are drawn through (more add nothing), and the distance of the two, in ends. */
const MAX_ENDS_FOR_LINES = 60;
const MIN_ENDS_APART = 3;
/** Ends that candidate curves are drawn through, and the gain in ends over a line from which a side is bowed. */
const MAX_ENDS_FOR_CURVES = 24;
const MIN_CURVE_GAIN = 1.1;

/** Finds the right (1) or left (-1) side of the sheet in the middle of the picture; undefined if it has none. */
export function findSide(grounds: Grounds, direction: 1 | -1): Side | undefined {
  const { columns, rows } = grounds;
  const ends = Array.from({ length: rows }, (_, row) => findEnd(grounds, row, direction));
  const middle = ends.slice(rows >> 2, rows - (rows >> 2));
  const isCut = middle.filter((end) => end === undefined).length > middle.length * MIN_CUT_SHARE;
  if (isCut) return { start: direction === 1 ? columns - 1 : 0, lean: 0, bow: 0, isCut, ends };
  const line = fitCurve(ends.flatMap((x, y) => (x === undefined ? [] : [{ x, y }])));
  return line && { ...line, isCut, ends };
}

/** Finds the end of the paper in a row, from the middle of the picture: the first fall that is nearly as deep as the deepest. */
function findEnd({ shades, columns }: Grounds, row: number, direction: 1 | -1): number | undefined {
  const falls: { at: number; depth: number }[] = [];
  const start = row * columns;
  for (let x = columns >> 1; x + 3 * direction >= 0 && x + 3 * direction < columns; x += direction) {
    const beyond = Math.max(shades[start + x + 2 * direction] ?? 0, shades[start + x + 3 * direction] ?? 0);
    const depth = 1 - beyond / Math.max(1, shades[start + x] ?? 0);
    if (depth > MIN_FALL_SHARE) falls.push({ at: x + direction, depth });
  }
  const deepest = falls.reduce((max, { depth }) => Math.max(max, depth), 0);
  return falls.find(({ depth }) => depth >= deepest * MIN_FALL_BY_DEEPEST)?.at;
}

interface End {
  x: number;
  y: number;
}

/** Chooses, among the lines and curves through some of the ends, the one with the most ends on it; a line is then fitted to these. */
function fitCurve(ends: readonly End[]): Curve | undefined {
  const line = findBest(linesAmong(thin(ends, MAX_ENDS_FOR_LINES)), ends, MIN_ENDS - 1);
  const minCount = line === undefined ? MIN_ENDS - 1 : countOn(line, ends) * MIN_CURVE_GAIN;
  const curve = findBest(curvesAmong(thin(ends, MAX_ENDS_FOR_CURVES)), ends, minCount);
  if (curve !== undefined) return curve;
  return line && fitThrough(ends.filter((end) => isOn(line, end)));
}

const thin = (ends: readonly End[], maxCount: number): End[] =>
  ends.filter((_, index) => index % Math.ceil(ends.length / maxCount) === 0);

function findBest(curves: Iterable<Curve>, ends: readonly End[], minCount: number): Curve | undefined {
  let best: Curve | undefined;
  let bestCount = minCount;
  for (const curve of curves) {
    const count = countOn(curve, ends);
    if (count > bestCount) [best, bestCount] = [curve, count];
  }
  return best;
}

function* linesAmong(ends: readonly End[]): Generator<Curve> {
  for (const [index, upper] of ends.entries()) {
    for (const lower of ends.slice(index + MIN_ENDS_APART)) {
      const lean = (lower.x - upper.x) / (lower.y - upper.y);
      if (Math.abs(lean) <= MAX_LEAN) yield { start: upper.x - lean * upper.y, lean, bow: 0 };
    }
  }
}

function* curvesAmong(ends: readonly End[]): Generator<Curve> {
  for (const [index, a] of ends.entries()) {
    for (const [next, b] of ends.slice(index + MIN_ENDS_APART).entries()) {
      for (const c of ends.slice(index + next + 2 * MIN_ENDS_APART)) {
        const [upper, lower] = [(b.x - a.x) / (b.y - a.y), (c.x - b.x) / (c.y - b.y)];
        if (Math.abs(upper) > MAX_LEAN || Math.abs(lower) > MAX_LEAN) continue;
        const bow = (lower - upper) / (c.y - a.y);
        const lean = upper - bow * (a.y + b.y);
        yield { start: a.x - lean * a.y - bow * a.y ** 2, lean, bow };
      }
    }
  }
}

/** Returns the column of a curve in a row. */
export const placeAt = ({ start, lean, bow }: Curve, row: number): number => start + (lean + bow * row) * row;

const isOn = (curve: Curve, { x, y }: End): boolean => Math.abs(x - placeAt(curve, y)) <= MAX_DISTANCE_CELLS;

function countOn(curve: Curve, ends: readonly End[]): number {
  let count = 0;
  for (const end of ends) if (isOn(curve, end)) count++;
  return count;
}

/** Fits a line by least squares. */
function fitThrough(ends: readonly End[]): Curve {
  const mean = (of: (end: End) => number) => ends.reduce((sum, end) => sum + of(end), 0) / ends.length;
  const [x, y] = [mean((end) => end.x), mean((end) => end.y)];
  const lean =
    mean((end) => (end.x - x) * (end.y - y)) /
    Math.max(
      1,
      mean((end) => (end.y - y) ** 2),
    );
  return { start: x - lean * y, lean, bow: 0 };
}

/** Returns the share of the rows from `from` to `to` in which the paper ends at the side. */
export function shareSeen(side: Side, from: number, to: number): number {
  if (side.isCut) return 1;
  const first = Math.max(0, Math.ceil(from));
  const rows = side.ends.slice(first, Math.max(0, Math.ceil(to)));
  const seen = rows.filter((x, index) => x !== undefined && isOn(side, { x, y: first + index }));
  return seen.length / Math.max(1, rows.length);
}
