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

/** Largest gap between the parts of one rule, and largest distance of a head from the middle of its rule, in ems. */
const MAX_PIECE_GAP_EM = 1.5;

/** Joins the parts of a rule under a head, one for each column that the head spans. Returns the rules with that one as a whole. */
export function joinPieces(rules: Rules, head: PageLine, below: PageLine): Rules {
  const most = head.fontSize * MAX_PIECE_GAP_EM;
  const between = rules.horizontal.filter(({ y0 }) => y0 > head.baseline && y0 < below.baseline);
  const pieces = between.filter(({ y0 }) => y0 === between[0]?.y0).sort((a, b) => a.x0 - b.x0);
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined || pieces.length < 2) return rules;
  if (Math.abs(head.x0 + head.x1 - first.x0 - last.x1) > most) return rules;
  return {
    ...rules,
    horizontal: [...rules.horizontal.filter((rule) => !pieces.includes(rule)), { ...first, x1: last.x1 }],
  };
}
