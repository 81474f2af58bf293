import type { Area } from '../../../model/geometry.js';
import type { PageLine } from '../../../model/page.js';

/** What is drawn on the page along its sides. */
export interface Rules {
  horizontal: readonly Area[];
  vertical: readonly Area[];
}

/** Of the width of lines: so much a rule has to cover to be one of their table. */
const LEAST_COVERED = 0.6;

/** The horizontal rules over most of the width of the lines. */
export function rulesAmong(lines: readonly PageLine[], { horizontal }: Rules): Area[] {
  const x0 = Math.min(...lines.map((line) => line.x0));
  const x1 = Math.max(...lines.map((line) => line.x1));
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return [];
  return horizontal.filter(
    (rule) =>
      rule.y0 > first.baseline - first.fontSize * 2.5 &&
      rule.y0 < last.baseline + last.fontSize * 2 &&
      Math.min(rule.x1, x1) - Math.max(rule.x0, x0) > (x1 - x0) * LEAST_COVERED &&
      ((rule.x0 <= x0 && rule.x1 >= x1) || !lines.some((line) => isUnderline(rule, line))),
  );
}

/** How far, in points, a line under words may begin and end off them. */
const OFF_WORDS = 1.5;

/** Is the rule drawn under words of the line, as links are, from the beginning of one to the end of another? */
function isUnderline(rule: Area, { words, baseline, fontSize }: PageLine): boolean {
  const under = rule.y0 - baseline;
  return (
    under > 0 &&
    under < fontSize * 0.3 &&
    words.some(({ x0 }) => Math.abs(x0 - rule.x0) < OFF_WORDS) &&
    words.some(({ x1 }) => Math.abs(x1 - rule.x1) < OFF_WORDS)
  );
}

/** Is a rule drawn between the lines over most of their width, with as much space above as below? More is above a table. */
export function areParted(above: PageLine, below: PageLine, { horizontal }: Rules): boolean {
  const [x0, x1] = [Math.min(above.x0, below.x0), Math.max(above.x1, below.x1)];
  return horizontal.some(
    (rule) =>
      rule.y0 > above.baseline &&
      rule.y0 - above.baseline < below.baseline - rule.y0 &&
      Math.min(rule.x1, x1) - Math.max(rule.x0, x0) > (x1 - x0) * LEAST_COVERED,
  );
}

/** In ems: so far the parts of one rule are from each other at most, and a head off the middle of its rule. */
const MOST_BREAK = 1.5;

/** Where the rule under a head is drawn in parts, one for each column that it spans: the rules with that one whole. */
export function joinPieces(rules: Rules, head: PageLine, below: PageLine): Rules {
  const most = head.fontSize * MOST_BREAK;
  const between = rules.horizontal.filter(({ y0 }) => y0 > head.baseline && y0 < below.baseline);
  const pieces = between.filter(({ y0 }) => y0 === between[0]?.y0).sort((a, b) => a.x0 - b.x0);
  const [first, last] = [pieces[0], pieces.at(-1)];
  const areClose = pieces.every((piece, index) => piece.x0 - (pieces[index - 1]?.x1 ?? piece.x0) < most);
  if (first === undefined || last === undefined || pieces.length < 2 || !areClose) return rules;
  if (Math.abs(head.x0 + head.x1 - first.x0 - last.x1) > most) return rules;
  return {
    ...rules,
    horizontal: [...rules.horizontal.filter((rule) => !pieces.includes(rule)), { ...first, x1: last.x1 }],
  };
}
