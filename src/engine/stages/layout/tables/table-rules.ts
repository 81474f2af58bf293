import { type Area, covers, extentOf } from '../../../model/geometry.js';
import type { PageLine } from '../../../model/page.js';

/** Lines drawn on the page along its sides. */
export interface Rules {
  horizontal: readonly Area[];
  vertical: readonly Area[];
}

/** Share of the width of lines that a rule must cover to be one of their table. */
const MIN_COVERED_SHARE = 0.6;

/** Returns the horizontal rules over most of the width of the lines. */
export function rulesAmong(lines: readonly PageLine[], { horizontal }: Rules): Area[] {
  const width = extentOf(lines);
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return [];
  return horizontal.filter(
    (rule) =>
      rule.y0 > first.baseline - first.fontSize * 2.5 &&
      rule.y0 < last.baseline + last.fontSize * 2 &&
      covers(rule, width, MIN_COVERED_SHARE),
  );
}

/**
 * True when a rule is drawn between the lines over most of their width, no further below the upper line than above the
 * lower one. A rule with more space above it is above a table.
 */
export function areSeparated(above: PageLine, below: PageLine, { horizontal }: Rules): boolean {
  const width = extentOf([above, below]);
  const isBetween = (y: number) => y > above.baseline && y - above.baseline < below.baseline - y;
  return horizontal.some((rule) => isBetween(rule.y0) && covers(rule, width, MIN_COVERED_SHARE));
}
