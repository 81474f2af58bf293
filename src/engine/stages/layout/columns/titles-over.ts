import { extentOf, middleOf } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import type { Fragment } from '../../../model/page.js';
import { piecesOf, type Run } from '../lines/strips.js';

/** Smallest ratio of a title's size to that of the columns' type. */
const MIN_TITLE_RATIO = 1.25;
/** Distance of a title's middle from that of the columns, in ems. */
const MAX_OFF_CENTER_EM = 0.5;

/** Lines of a column that begins below the middle of a title. */
const MIN_CROSSED_LINES = 3;

/**
 * Counts the first strips that are a title in the middle of all columns, and the lines below it that are in the
 * middle, too. Such a title crosses no gutter of an odd number of columns, as if it stood in one of them. A title that
 * crosses a gutter stands over columns wherever they end.
 */
export function countTitlesOver(strips: readonly Fragment[][], { from, to }: Run): number {
  const [title] = strips[from] ?? [];
  if (title === undefined || strips[from]?.length !== 1) return 0;
  const fragments = piecesOf(strips, { from, to });
  const size = median(fragments.map(({ fontSize }) => fontSize)) ?? 0;
  if (title.fontSize < size * MIN_TITLE_RATIO) return 0;
  const middle = middleOf(extentOf(fragments));
  const crosses = crossesGutter(title, strips.slice(from, to + 1));
  const isOver = ([line, ...others]: readonly Fragment[] = []) =>
    line !== undefined &&
    others.length === 0 &&
    (Math.abs(middleOf(line) - middle) < line.fontSize * MAX_OFF_CENTER_EM ||
      // The last line of a title that crosses is shorter.
      (crosses && line.fontSize === title.fontSize));
  let count = 0;
  while (from + count < to && isOver(strips[from + count])) count++;
  return count;
}

/** True when lines that have others at their left begin below it, between its ends. */
function crossesGutter({ x0, x1, fontSize }: Fragment, strips: readonly (readonly Fragment[])[]): boolean {
  const off = fontSize * MAX_OFF_CENTER_EM;
  const crossed = strips.filter(
    (strip) => strip.some((line) => line.x0 > x0 + off && line.x0 < x1 - off) && strip.some((line) => line.x1 < x0),
  );
  return crossed.length >= MIN_CROSSED_LINES;
}
