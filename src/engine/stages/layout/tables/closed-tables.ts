import type { Area } from '../../../model/geometry.js';
import type { PageLine } from '../../../model/page.js';
import { sharesEnds } from './table-area.js';
import { columnsBetween } from './table-columns.js';
import { isAmount } from './table-rows.js';
import type { Rules } from './table-rules.js';
import { isTabular } from './tabular-lines.js';

/** Of the widest step between the lines above: so much further below stands what the rule ends the table before. */
const LEAST_FURTHER = 1.4;
const LEAST_ROWS = 2;
const MOST_LINES_IN_HEAD = 3;
/** As many lines below tell their columns. */
const MOST_LINES = 8;
/** In ems: the first rule stands no further above the first row, with the head between them. */
const MOST_ABOVE = 2.5;
/** In ems: a double rule is closer, and no table stands further from the next. */
const LEAST_BETWEEN = 0.5;
const MOST_STEP = 3.2;

/**
 * Ends the table that begins at line `from` above line `index`? Then the last of its rules, which all begin and end below
 * each other, stands between them with wide space below it, and the lines that follow have other columns, or run out of its ends. Sums below
 * the last rule have the columns of the table. `widest`: in points, the widest step between the lines above.
 */
export function isClosedAbove(
  lines: readonly PageLine[],
  from: number,
  index: number,
  widest: number,
  { horizontal }: Rules,
): boolean {
  const [first, above, line] = [lines[from], lines[index - 1], lines[index]];
  if (first === undefined || above === undefined || line === undefined || index - from < LEAST_ROWS) return false;
  if (line.baseline - above.baseline < widest * LEAST_FURTHER) return false;
  const start = first.baseline - first.fontSize * MOST_ABOVE;
  const own = horizontal.filter(({ y0 }) => y0 > start);
  const last = own.find((rule) => isBetween(rule, above, line) && isLast(rule, own, line));
  if (last === undefined) return false;
  const rows = lines.slice(from, index).filter(isTabular);
  const others = linesFrom(lines, index).filter(isTabular);
  if (rows.length < LEAST_ROWS || others.length === 0 || isHead(rows, last, own)) return false;
  if (others.some(({ x0, x1, fontSize }) => x0 < last.x0 - fontSize || x1 > last.x1 + fontSize)) return true;
  const [ownColumns, otherColumns] = [columnsBetween(rows), columnsBetween(others)];
  return columnsBetween([...rows, ...others]).length < Math.max(ownColumns.length, otherColumns.length);
}

/** Stands the rule below the whole of the line above? */
const isBetween = ({ x0, x1, y0 }: Area, above: PageLine, line: PageLine): boolean =>
  y0 > above.baseline && y0 < line.baseline && x0 < above.x0 + above.fontSize && x1 > above.x1 - above.fontSize;

/** Is it the last rule of a table, or is the next one the first of another that is as wide? */
function isLast(rule: Area, rules: readonly Area[], line: PageLine): boolean {
  const alike = rules.filter((other) => other !== rule && sharesEnds(other, rule));
  if (!alike.some(({ y0 }) => y0 < rule.y0)) return false;
  const next = Math.min(...alike.map(({ y0 }) => y0).filter((y) => y > rule.y0));
  return next === Infinity || (next < line.baseline && next - rule.y0 > line.fontSize * LEAST_BETWEEN);
}

/** Are these lines, or the last of them, a head that is ruled above and below: few, and without a figure? */
function isHead(rows: readonly PageLine[], last: Area, rules: readonly Area[]): boolean {
  if (rows.some(({ words }) => words.some(({ text }) => isAmount(text)))) return false;
  const before = Math.max(...rules.filter(({ y0 }) => y0 < last.y0).map(({ y0 }) => y0));
  return rows.filter(({ baseline }) => baseline > before).length <= MOST_LINES_IN_HEAD;
}

function linesFrom(lines: readonly PageLine[], index: number): PageLine[] {
  const near = lines.slice(index, index + MOST_LINES);
  const end = near.findIndex(
    ({ baseline, fontSize }, at) => baseline - (near[at - 1]?.baseline ?? baseline) > fontSize * MOST_STEP,
  );
  return end === -1 ? near : near.slice(0, end);
}
