import { middleOf, type Span } from '../../../model/geometry.js';
import { divide, splitWhere } from '../../../model/groups.js';
import type { Fragment } from '../../../model/page.js';

/** Groups fragments by height: two strips have a horizontal line of white between them (the outermost tenths of a box aside). */
export function toStrips(fragments: readonly Fragment[]): Fragment[][] {
  const sorted = [...fragments].sort((a, b) => top(a) - top(b));
  const strips: Fragment[][] = [];
  let bottomOfStrip = -Infinity;
  for (const fragment of sorted) {
    if (top(fragment) >= bottomOfStrip) strips.push([]);
    strips.at(-1)?.push(fragment);
    bottomOfStrip = Math.max(bottomOfStrip, bottom(fragment));
  }
  return strips;
}

/** The band that letters fill: boxes of lines that are set tight overlap by their ascenders and descenders. */
export const top = (fragment: Fragment): number =>
  fragment.block === undefined ? fragment.baseline - fragment.fontSize * 0.55 : fragment.y0;
export const bottom = (fragment: Fragment): number =>
  fragment.block === undefined ? fragment.baseline + fragment.fontSize * 0.05 : fragment.y1;

/** The fragments left and right of a gutter, by their middles. */
export const sidesOf = (fragments: readonly Fragment[], gutter: number): [left: Fragment[], right: Fragment[]] =>
  divide(fragments, (fragment) => middleOf(fragment) < gutter);

/** Successive strips that leave one gutter free. */
export interface Run {
  /** Indices of strips, both included. */
  from: number;
  to: number;
  gutter: number;
}

/** The fragments of the strips of a run. */
export const piecesOf = (strips: readonly Fragment[][], { from, to }: Pick<Run, 'from' | 'to'>): Fragment[] =>
  strips.slice(from, to + 1).flat();

/** Least width of a gutter, in points. */
const MIN_GUTTER_WIDTH = 4;

/** The columns between the corridors that all text leaves free. */
export function columnsOf(fragments: readonly Fragment[]): Fragment[][] {
  const sorted = [...fragments].sort((a, b) => a.x0 - b.x0);
  let right = -Infinity;
  return splitWhere(sorted, ({ x0 }, before) => {
    right = Math.max(right, before.x1);
    return x0 - right >= MIN_GUTTER_WIDTH;
  });
}

/** Runs of strips that leave the same gutter free about x. */
export function runsAlong(strips: Fragment[][], gutter: number): Run[] {
  const runs: Run[] = [];
  let free: Span | undefined;
  strips.forEach((strip, index) => {
    const alone = freeSpan(strip, gutter);
    const shared = free === undefined ? alone : { x0: Math.max(free.x0, alone.x0), x1: Math.min(free.x1, alone.x1) };
    const run = runs.at(-1);
    if (free !== undefined && run !== undefined && isGutter(shared, gutter)) {
      run.to = index;
      free = shared;
    } else if (isGutter(alone, gutter)) {
      runs.push({ from: index, to: index, gutter });
      free = alone;
    } else free = undefined;
  });
  return runs;
}

const isGutter = ({ x0, x1 }: Span, x: number): boolean => x0 <= x + 1 && x1 >= x - 1 && x1 - x0 >= MIN_GUTTER_WIDTH;

/** The stretch between the text at the left of x and the text at its right. */
export function freeSpan(fragments: readonly Fragment[], x: number): Span {
  const span: Span = { x0: -Infinity, x1: Infinity };
  for (const fragment of fragments) {
    if (middleOf(fragment) < x) span.x0 = Math.max(span.x0, fragment.x1);
    else span.x1 = Math.min(span.x1, fragment.x0);
  }
  return span;
}

/** True when the strip stands well apart from the one above it, as a footer does. */
export const isFarBelow = (strips: Fragment[][], index: number): boolean =>
  spaceAbove(strips, index) > 2.5 * sizeOf(strips[index]);

/** True when the strip is as close to the one above it as the lines of a text are. */
export const isCloseBelow = (strips: Fragment[][], index: number): boolean =>
  spaceAbove(strips, index) < sizeOf(strips[index]);

/** The size of the largest type in a strip, in points. */
export const sizeOf = (strip: readonly Fragment[] = []): number => Math.max(...strip.map(({ fontSize }) => fontSize));

/** The white space between a strip and the one above it; none above the first. */
export function spaceAbove(strips: readonly Fragment[][], index: number): number {
  const [above, strip] = [strips[index - 1], strips[index]];
  if (strip === undefined || above === undefined) return 0;
  return Math.min(...strip.map(top)) - Math.max(...above.map(bottom));
}
