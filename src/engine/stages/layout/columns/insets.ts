import { median } from '../../../model/median.js';
import type { Fragment } from '../../../model/page.js';
import { bottom, freeSpan, piecesOf, type Run, runsAlong, top } from '../lines/strips.js';

/**
 * Finds text in the gutter of columns that run around it, above and below it and with a line at either side, as around
 * the caption of a picture.
 */
export function findInsets(
  strips: Fragment[][],
  gutter: number,
  areColumns: (fragments: Fragment[]) => boolean,
): Fragment[] {
  const within = (run: Run) => piecesOf(strips, run);
  const all = runsAlong(strips, gutter);
  // Most gutters have one run or none: the check before the search saves it.
  const runs = all.length < 2 ? [] : all.filter((run) => areColumns(within(run)));
  const [above, ...others] = runs;
  if (above === undefined) return [];
  for (const below of others) {
    const columns = [...within(above), ...within(below)];
    const free = freeSpan(columns, gutter);
    const between = strips.slice(above.to + 1, below.from).flat();
    const across = between.filter(({ x0, x1 }) => x0 < free.x1 && x1 > free.x0);
    const insets = [...new Set(across.flatMap((middle) => spread(middle, between)))];
    const size = median(columns.map(({ fontSize }) => fontSize)) ?? 0;
    const isInset = (piece: Fragment) =>
      Math.abs(piece.fontSize - size) > size * OTHER_SIZE && isBesideBoth(piece, between, insets);
    if (insets.every(isInset)) return insets;
  }
  return [];
}

/** A caption is smaller than the text, and a quotation larger; the cells of a table are as large as each other. */
const OTHER_SIZE = 0.1;

/** True when lines that are no part of the inset stand at its left and at its right. */
function isBesideBoth(inset: Fragment, fragments: readonly Fragment[], insets: readonly Fragment[]): boolean {
  const near = fragments.filter(
    (other) => !insets.includes(other) && Math.abs(other.baseline - inset.baseline) < other.fontSize,
  );
  return near.some(({ x1 }) => x1 < inset.x0) && near.some(({ x0 }) => x0 > inset.x1);
}

/** Space between the words of one line that is spaced out, in ems. */
const SPACED_OUT = 1.5;

/** A fragment with those of its line that stand near it. */
function spread(middle: Fragment, fragments: readonly Fragment[]): Fragment[] {
  const line = [middle];
  for (const part of line) {
    const near = part.fontSize * SPACED_OUT;
    const isNear = (other: Fragment) =>
      other.x0 - part.x1 < near && part.x0 - other.x1 < near && top(other) < bottom(part) && top(part) < bottom(other);
    line.push(...fragments.filter((other) => !line.includes(other) && isNear(other)));
  }
  return line;
}
