import { extentOf, gapBetween, middleOf } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import type { Fragment } from '../../../model/page.js';
import { piecesOf, type Run, sidesOf } from '../lines/strips.js';

/** Smallest ratio of a title's size to that of the columns' type. */
const MIN_TITLE_RATIO = 1.25;

/** Smallest size of a title above these columns. */
const largeTypeOf = (pieces: readonly Fragment[]): number =>
  (median(pieces.map(({ fontSize }) => fontSize)) ?? 0) * MIN_TITLE_RATIO;

/** Distance of a band's middle from that of the columns, in ems. */
const MAX_OFF_CENTER_EM = 0.5;

/**
 * Takes the first and last lines in the middle of all columns off a run: a title, a dateline, an imprint. Such a band
 * crosses no gutter of an odd number of columns, as if it stood in one of them. A title that crosses a gutter stands over
 * columns wherever they end.
 */
export function withoutBands(strips: readonly Fragment[][], run: Run): Run {
  const pieces = piecesOf(strips, run);
  const middle = middleOf(extentOf(pieces));
  const size = largeTypeOf(pieces);
  let { from, to } = run;
  const isTitle = ({ fontSize }: Fragment) => fontSize >= size;
  const [title] = strips[from]?.filter(isTitle) ?? [];
  const crosses = title !== undefined && crossesGutter(title, strips.slice(from, to + 1));
  const isBand = ([line, ...others]: readonly Fragment[] = []) => {
    if (line === undefined || others.length > 0) return false;
    const isCentred = Math.abs(middleOf(line) - middle) < line.fontSize * MAX_OFF_CENTER_EM;
    // The last line of a title that crosses is shorter.
    if (!isCentred) return crosses && line.fontSize === title.fontSize;
    return isTitle(line) || isOutOfColumn(line, pieces);
  };
  while (from < to && isBand(strips[from])) from++;
  while (from < to && isBand(strips[to])) to--;
  return { ...run, from, to };
}

/** Lines that begin at an edge of a column, and the share of its lines that they are. */
const MIN_EDGE_LINES = 3;
const MIN_EDGE_SHARE = 0.2;
/** Places from an edge, in ems, where lines of the column begin: a quotation mark hangs out, a paragraph is indented. */
const INDENTS_EM = [-0.5, 1.5] as const;

/** True when the line begins at none of the edges of the columns above or below it. */
function isOutOfColumn(line: Fragment, pieces: readonly Fragment[]): boolean {
  const column = pieces.filter((other) => other !== line && gapBetween(other, line) < 0);
  const least = Math.max(MIN_EDGE_LINES, column.length * MIN_EDGE_SHARE);
  const edges = column.filter(({ x0 }) => column.filter((other) => Math.abs(other.x0 - x0) < 1).length >= least);
  const indents = edges.map(({ x0 }) => (line.x0 - x0) / line.fontSize);
  return edges.length > 0 && indents.every((indent) => indent < INDENTS_EM[0] || indent > INDENTS_EM[1]);
}

/** Lines of a column that begins below the middle of a title. */
const MIN_CROSSED_LINES = 3;

/** True when lines that have others at their left begin below it, between its ends. */
function crossesGutter({ x0, x1, fontSize }: Fragment, strips: readonly (readonly Fragment[])[]): boolean {
  const off = fontSize * MAX_OFF_CENTER_EM;
  const crossed = strips.filter(
    (strip) => strip.some((line) => line.x0 > x0 + off && line.x0 < x1 - off) && strip.some((line) => line.x1 < x0),
  );
  return crossed.length >= MIN_CROSSED_LINES;
}

/** Distance from the left edge of a column, in ems, from which a line that ends at its right edge may be set right. */
const MIN_SET_RIGHT_EM = 2;

/**
 * The first strip below lines that are set right above columns: the date of a newsletter, below its name or level with a
 * short line. The column begins at its left edge below them.
 */
export function belowMasthead(strips: readonly Fragment[][], { from, to, gutter }: Run): number {
  const pieces = piecesOf(strips, { from, to });
  const [left, right] = sidesOf(pieces, gutter);
  const size = largeTypeOf(pieces);
  const end = extentOf(left).x1;
  const { x0, x1 } = extentOf(right);
  const isShort = (line: Fragment) => line.x1 < end - line.fontSize * MIN_SET_RIGHT_EM;
  const isSetRight = (line: Fragment) => line.x1 > x1 - 1 && line.x0 > x0 + line.fontSize * MIN_SET_RIGHT_EM;
  const isHead = (strip: readonly Fragment[] = []) =>
    strip.some(isSetRight) && strip.every((line) => isShort(line) || isSetRight(line));
  let first = from;
  while (first < to && strips[first]?.every(({ fontSize }) => fontSize >= size)) first++;
  const titles = first;
  while (first < to && isHead(strips[first])) first++;
  if (first === titles) return from;
  const [top] = sidesOf(piecesOf(strips, { from: first, to }), gutter)[1];
  return top !== undefined && top.x0 < x0 + 1 ? first : from;
}
