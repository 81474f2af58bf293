import { median } from '../../../model/median.js';
import type { Fragment } from '../../../model/page.js';
import { center, type Run } from '../lines/strips.js';

/** Of the size of the columns. */
const LEAST_LARGER = 1.25;
/** In ems. */
const MOST_OFF_CENTER = 0.5;

/** Lines of a column that begins below the middle of a title. */
const LEAST_CROSSED = 3;

/**
 * How many of the first strips are a title in the middle of all columns, and the lines below it that are in the middle, too.
 * Such a title crosses no gutter of an odd number of columns, as if it stood in one of them. One that crosses a gutter is
 * over columns wherever they end.
 */
export function countTitlesOver(strips: readonly (readonly Fragment[])[], { from, to }: Run): number {
  const [title] = strips[from] ?? [];
  if (title === undefined || strips[from]?.length !== 1) return 0;
  const fragments = strips.slice(from, to + 1).flat();
  const size = median(fragments.map(({ fontSize }) => fontSize)) ?? 0;
  if (title.fontSize < size * LEAST_LARGER) return 0;
  const middle = (Math.min(...fragments.map(({ x0 }) => x0)) + Math.max(...fragments.map(({ x1 }) => x1))) / 2;
  const crosses = crossesGutter(title, strips.slice(from, to + 1));
  const isOver = ([line, ...others]: readonly Fragment[] = []) =>
    line !== undefined &&
    others.length === 0 &&
    (Math.abs(center(line) - middle) < line.fontSize * MOST_OFF_CENTER ||
      // The last line of one that crosses is shorter.
      (crosses && line.fontSize === title.fontSize));
  let count = 0;
  while (from + count < to && isOver(strips[from + count])) count++;
  return count;
}

/** Do lines that have others at their left begin below it, between its ends? */
function crossesGutter({ x0, x1, fontSize }: Fragment, strips: readonly (readonly Fragment[])[]): boolean {
  const crossed = strips.filter(
    (strip) =>
      strip.some((line) => line.x0 > x0 + fontSize * MOST_OFF_CENTER && line.x0 < x1 - fontSize * MOST_OFF_CENTER) &&
      strip.some((line) => line.x1 < x0),
  );
  return crossed.length >= LEAST_CROSSED;
}
