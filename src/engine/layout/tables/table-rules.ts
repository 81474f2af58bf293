import type { Area } from '../../pdf/read-drawing.js';
import type { LaidLine } from '../lines.js';

/** What is drawn on the page along its sides. */
export interface Rules {
  horizontal: readonly Area[];
  vertical: readonly Area[];
}

/** Of the width of lines: so much a rule has to cover to be one of their table. */
const LEAST_COVERED = 0.6;

/** The horizontal rules over most of the width of the lines. */
export function rulesAmong(lines: readonly LaidLine[], { horizontal }: Rules): Area[] {
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
function isUnderline(rule: Area, { words, baseline, fontSize }: LaidLine): boolean {
  const under = rule.y0 - baseline;
  return (
    under > 0 &&
    under < fontSize * 0.3 &&
    words.some(({ x0 }) => Math.abs(x0 - rule.x0) < OFF_WORDS) &&
    words.some(({ x1 }) => Math.abs(x1 - rule.x1) < OFF_WORDS)
  );
}

/** Is a rule drawn between the lines over most of their width, with as much space above as below? More is above a table. */
export function areParted(above: LaidLine, below: LaidLine, { horizontal }: Rules): boolean {
  const [x0, x1] = [Math.min(above.x0, below.x0), Math.max(above.x1, below.x1)];
  return horizontal.some(
    (rule) =>
      rule.y0 > above.baseline &&
      rule.y0 - above.baseline < below.baseline - rule.y0 &&
      Math.min(rule.x1, x1) - Math.max(rule.x0, x0) > (x1 - x0) * LEAST_COVERED,
  );
}
