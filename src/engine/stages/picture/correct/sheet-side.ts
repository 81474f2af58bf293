import type { Grounds } from '../find/grounds.js';

/** Where something runs down the grounds: in each row at `start + lean * row + bow * row²`, in cells. */
export interface Curve {
  start: number;
  lean: number;
  bow: number;
}

/** A side of a sheet, from the top down; it is bowed where the sheet is. */
export interface Side extends Curve {
  /** The side of the picture, beyond which the sheet goes on. */
  isCut: boolean;
  /** In which column paper ends, by rows; undefined where it does not. */
  ends: readonly (number | undefined)[];
}

/** From paper to what it lies on shades fall by this share within two cells; light and shadows change more slowly. */
const LEAST_FALL = 0.055;
/** Small print that is not told from its ground any more falls less than what the sheet lies on. */
const LEAST_OF_DEEPEST = 0.5;
/** Of the rows in the middle half, from which the sheet goes on beyond the picture. */
const LEAST_CUT = 0.7;
/** Sheets are not held more aslant. */
const MOST_LEAN = 0.4;
/** How far the ends of one side may stand off it, in cells. */
const MOST_OFF = 1.5;
/** Rows that are no part of the sheet, and pictures on it, end elsewhere. */
const LEAST_ENDS = 8;
/** Of the ends, so many are joined by lines; more tell no more. */
const TRIED_ENDS = 60;
const LEAST_APART = 3;
/** A side is bowed where so many times as many ends stand on a curve as on a line. */
const TRIED_BOWED = 24;
const LEAST_BOWED = 1.1;

/** The side of the sheet in the middle of the picture: to its right (1), or left (-1); undefined where it has none. */
export function findSide(grounds: Grounds, direction: 1 | -1): Side | undefined {
  const { columns, rows } = grounds;
  const ends = Array.from({ length: rows }, (_, row) => findEnd(grounds, row, direction));
  const middle = ends.slice(rows >> 2, rows - (rows >> 2));
  const isCut = middle.filter((end) => end === undefined).length > middle.length * LEAST_CUT;
  if (isCut) return { start: direction === 1 ? columns - 1 : 0, lean: 0, bow: 0, isCut, ends };
  const line = fitCurve(ends.flatMap((x, y) => (x === undefined ? [] : [{ x, y }])));
  return line && { ...line, isCut, ends };
}

/** Where paper ends in a row, from the middle of the picture: at the first fall that is not much less than the deepest. */
function findEnd({ shades, columns }: Grounds, row: number, direction: 1 | -1): number | undefined {
  const falls: { at: number; depth: number }[] = [];
  const start = row * columns;
  for (let x = columns >> 1; x + 3 * direction >= 0 && x + 3 * direction < columns; x += direction) {
    const beyond = Math.max(shades[start + x + 2 * direction] ?? 0, shades[start + x + 3 * direction] ?? 0);
    const depth = 1 - beyond / Math.max(1, shades[start + x] ?? 0);
    if (depth > LEAST_FALL) falls.push({ at: x + direction, depth });
  }
  const deepest = falls.reduce((most, { depth }) => Math.max(most, depth), 0);
  return falls.find(({ depth }) => depth >= deepest * LEAST_OF_DEEPEST)?.at;
}

interface End {
  x: number;
  y: number;
}

/** Of the lines and curves that join some of the ends that on which most ends stand; a line through the middle of these. */
function fitCurve(ends: readonly End[]): Curve | undefined {
  const line = findBest(linesAmong(thin(ends, TRIED_ENDS)), ends, LEAST_ENDS - 1);
  const least = line === undefined ? LEAST_ENDS - 1 : countOn(line, ends) * LEAST_BOWED;
  const curve = findBest(curvesAmong(thin(ends, TRIED_BOWED)), ends, least);
  if (curve !== undefined) return curve;
  return line && fitThrough(ends.filter((end) => isOn(line, end)));
}

const thin = (ends: readonly End[], most: number): End[] =>
  ends.filter((_, index) => index % Math.ceil(ends.length / most) === 0);

function findBest(curves: Iterable<Curve>, ends: readonly End[], least: number): Curve | undefined {
  let best: Curve | undefined;
  let most = least;
  for (const curve of curves) {
    const count = countOn(curve, ends);
    if (count > most) [best, most] = [curve, count];
  }
  return best;
}

function* linesAmong(ends: readonly End[]): Generator<Curve> {
  for (const [index, upper] of ends.entries()) {
    for (const lower of ends.slice(index + LEAST_APART)) {
      const lean = (lower.x - upper.x) / (lower.y - upper.y);
      if (Math.abs(lean) <= MOST_LEAN) yield { start: upper.x - lean * upper.y, lean, bow: 0 };
    }
  }
}

function* curvesAmong(ends: readonly End[]): Generator<Curve> {
  for (const [index, a] of ends.entries()) {
    for (const [next, b] of ends.slice(index + LEAST_APART).entries()) {
      for (const c of ends.slice(index + next + 2 * LEAST_APART)) {
        const [upper, lower] = [(b.x - a.x) / (b.y - a.y), (c.x - b.x) / (c.y - b.y)];
        if (Math.abs(upper) > MOST_LEAN || Math.abs(lower) > MOST_LEAN) continue;
        const bow = (lower - upper) / (c.y - a.y);
        const lean = upper - bow * (a.y + b.y);
        yield { start: a.x - lean * a.y - bow * a.y ** 2, lean, bow };
      }
    }
  }
}

/** In which column it is in a row. */
export const placeAt = ({ start, lean, bow }: Curve, row: number): number => start + (lean + bow * row) * row;

const isOn = (curve: Curve, { x, y }: End): boolean => Math.abs(x - placeAt(curve, y)) <= MOST_OFF;

function countOn(curve: Curve, ends: readonly End[]): number {
  let count = 0;
  for (const end of ends) if (isOn(curve, end)) count++;
  return count;
}

/** The line of least squares. */
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

/** The share of the rows between two at which paper ends at the side. */
export function shareSeen(side: Side, from: number, to: number): number {
  if (side.isCut) return 1;
  const first = Math.max(0, Math.ceil(from));
  const rows = side.ends.slice(first, Math.max(0, Math.ceil(to)));
  const seen = rows.filter((x, index) => x !== undefined && isOn(side, { x, y: first + index }));
  return seen.length / Math.max(1, rows.length);
}
