import type { Area } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import type { Column } from './table-columns.js';
import { filled, isAmount, type TableRow, textOf, WRAP_STEP } from './table-rows.js';

/** Without figures to tell it, a head has fewer lines. */
const MOST_LINES = 4;
const MOST_LINES_OF_WORDS = 8;

/** How many lines are the head: those above the rule that follows the first of them, above the first label of a row, or above the first figures. */
export function headLength(lines: readonly TableRow[], columns: readonly Column[], rules: readonly Area[]): number {
  const label = columns[0];
  // One that begins right of the labels is drawn under the head of several columns.
  const whole = rules.filter(({ x0 }) => label !== undefined && x0 < (label.x0 + label.x1) / 2);
  const length = Math.max(lengthAboveRule(lines, whole), lengthWithoutLabels(lines), lengthAboveFigures(lines, whole));
  const entry = lines.findIndex(({ isEntry }) => isEntry === true);
  return entry === -1 ? length : Math.min(length, entry);
}

function lengthAboveRule(lines: readonly TableRow[], rules: readonly Area[]): number {
  const [first] = lines;
  if (first === undefined) return 0;
  const under = rules
    .map(({ y0 }) => y0)
    .filter((y) => y > first.baseline)
    .sort((a, b) => a - b)[0];
  const count = under === undefined ? 0 : lines.filter(({ baseline }) => baseline < under).length;
  if (count > MOST_LINES || count === lines.length) return 0;
  // The rule may be the one above the totals.
  const row = lines.slice(0, count).findIndex(hasAmount);
  return row > 0 ? row : count;
}

/** Heads have whole numbers too: years, and the numbers of columns. */
const AMOUNT = /^[-–−+(]?[$€£¥]?\s?\d[\d.,\s]*[.,]\d\d\)?$/;

const hasAmount = ({ cells }: TableRow): boolean => cells.slice(1).some((cell) => AMOUNT.test(textOf(cell)));

/** Lines above the first label of a row: they say what the columns to its right are. */
function lengthWithoutLabels(lines: readonly TableRow[]): number {
  const count = lines.findIndex(({ cells }) => cells[0] !== undefined);
  return count > 1 && count <= MOST_LINES ? count : 0;
}

/** Of the rows, so many have figures where the words above the first of them are a head. */
const MOST_ROWS = 0.6;
/** Of the step from row to row: labels of two rows stand no closer. */
const LEAST_STEP = 0.92;
const MOST_WORDS = 8;

/** Lines of words above rows of figures, without the titles of their first part. */
function lengthAboveFigures(lines: readonly TableRow[], rules: readonly Area[]): number {
  const first = lines.findIndex(hasData);
  if (first < 2 || first > MOST_LINES_OF_WORDS) return 0;
  const rows = lines.slice(first).filter((line) => filled(line).length > 1);
  if (rows.filter(hasData).length < Math.max(2, rows.length * MOST_ROWS)) return 0;
  const last = lines.findLastIndex((line, index) => index < first && !isLabelAlone(line));
  const count = last + 1 < first && goesOn(lines, last + 1) ? last + 2 : last + 1;
  const head = lines.slice(0, count);
  if (count < 2 || head.some(isText) || (isLabelAlone(head[0]) && !goesOn(head, 1))) return 0;
  const [above, under] = [head.at(-1)?.baseline ?? 0, lines[count]?.baseline ?? 0];
  if (rules.some(({ y0 }) => y0 > above && y0 < under)) return count;
  const step = median(rows.slice(1).map(({ baseline }, index) => baseline - (rows[index]?.baseline ?? 0))) ?? 0;
  const row = head.findIndex((line, index) => isNextLabel(line, head[index - 1], step));
  return row === -1 ? count : row;
}

const isLabelAlone = (line: TableRow | undefined): boolean =>
  line?.cells.slice(1).every((cell) => cell === undefined) ?? false;

const isText = (line: TableRow): boolean => filled(line).some((cell) => cell.lines.flat().length > MOST_WORDS);

/** Do labels stand in both lines, as far from each other as rows do? */
const isNextLabel = (line: TableRow, above: TableRow | undefined, step: number): boolean =>
  line.cells[0] !== undefined && above?.cells[0] !== undefined && line.baseline - above.baseline > step * LEAST_STEP;

/** Does the label go on with the one of the line above? */
function goesOn(lines: readonly TableRow[], index: number): boolean {
  const [line, above] = [lines[index], lines[index - 1]];
  if (line === undefined || above?.cells[0] === undefined) return false;
  return /^[\p{Ll}(]/u.test(textOf(line.cells[0])) && line.baseline - above.baseline < line.fontSize * WRAP_STEP;
}

/** Are there figures right of the label, other than years? */
function hasData({ cells }: TableRow): boolean {
  return cells.slice(1).some((cell) => isAmount(textOf(cell)));
}
