import type { Grounds } from './grounds.js';

/** A straight side of a sheet, from the top down: in each row it is at `start + row * lean`, in cells. */
export interface Side {
  start: number;
  lean: number;
  /** The side of the picture, beyond which the sheet goes on. */
  isCut: boolean;
  /** In which column paper ends, by rows; undefined where it does not. */
  ends: readonly (number | undefined)[];
}

/** From paper to what it lies on shades fall by this share within two cells; light and shadows change more slowly. */
const LEAST_FALL = 0.08;
/** Small print that is not told from its ground any more falls less than what the sheet lies on. */
const LEAST_OF_DEEPEST = 0.5;
/** Of the rows in the middle half, from which the sheet goes on beyond the picture. */
const LEAST_CUT = 0.7;
/** Sheets are not held more aslant. */
const MOST_LEAN = 0.4;
/** How far the ends of one side may stand off it, in cells. */
export const STRAIGHT = 1.5;
/** Rows that are no part of the sheet, and pictures on it, end elsewhere. */
const LEAST_ENDS = 8;
/** Of the ends, so many are joined by lines; more tell no more. */
const TRIED_ENDS = 60;
const LEAST_APART = 3;

/** The side of the sheet in the middle of the picture: to its right (1), or left (-1); undefined where it is not straight. */
export function findSide(grounds: Grounds, direction: 1 | -1): Side | undefined {
  const { columns, rows } = grounds;
  const ends = Array.from({ length: rows }, (_, row) => findEnd(grounds, row, direction));
  const middle = ends.slice(rows >> 2, rows - (rows >> 2));
  const isCut = middle.filter((end) => end === undefined).length > middle.length * LEAST_CUT;
  if (isCut) return { start: direction === 1 ? columns - 1 : 0, lean: 0, isCut, ends };
  const line = fitLine(ends.flatMap((x, y) => (x === undefined ? [] : [{ x, y }])));
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

type Line = Pick<Side, 'start' | 'lean'>;

/** The line that most of the ends stand on (of those that join two of them), through the middle of these. */
function fitLine(ends: readonly End[]): Line | undefined {
  const tried = ends.filter((_, index) => index % Math.ceil(ends.length / TRIED_ENDS) === 0);
  let best: Line | undefined;
  let most = LEAST_ENDS - 1;
  tried.forEach((upper, index) => {
    for (const lower of tried.slice(index + LEAST_APART)) {
      const lean = (lower.x - upper.x) / (lower.y - upper.y);
      if (Math.abs(lean) > MOST_LEAN) continue;
      const line = { start: upper.x - lean * upper.y, lean };
      const count = countOn(line, ends);
      if (count > most) [best, most] = [line, count];
    }
  });
  return best && fitThrough(ends.filter((end) => isOn(best as Line, end)));
}

const isOn = ({ start, lean }: Line, { x, y }: End): boolean => Math.abs(x - start - lean * y) <= STRAIGHT;

function countOn(line: Line, ends: readonly End[]): number {
  let count = 0;
  for (const end of ends) if (isOn(line, end)) count++;
  return count;
}

/** Least squares. */
function fitThrough(ends: readonly End[]): Line {
  const mean = (of: (end: End) => number) => ends.reduce((sum, end) => sum + of(end), 0) / ends.length;
  const [x, y] = [mean((end) => end.x), mean((end) => end.y)];
  const lean =
    mean((end) => (end.x - x) * (end.y - y)) /
    Math.max(
      1,
      mean((end) => (end.y - y) ** 2),
    );
  return { start: x - lean * y, lean };
}
