import { type Area, middleOf } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import { stepsOf } from '../lines/line-pitch.js';
import { splitBoldHead } from './row-bands.js';
import type { Column } from './table-columns.js';
import { filled, hasData, hasLabelAtMost, type TableRow, textOf } from './table-rows.js';

/** Upper bound of the lines of a head that no figures tell from its rows. */
const MAX_HEAD_LINES = 4;

/**
 * Counts the lines of the head: those above the rule that follows the first of them, above the first label of a row,
 * or above the first figures.
 */
export function headLength(lines: readonly TableRow[], columns: readonly Column[], rules: readonly Area[]): number {
  const label = columns[0];
  // A rule that begins right of the labels is drawn under the head of several columns.
  const whole = rules.filter(({ x0 }) => label !== undefined && x0 < middleOf(label));
  const length = Math.max(lengthAboveRule(lines, whole), lengthWithoutLabels(lines), lengthAboveFigures(lines, whole));
  const entry = lines.findIndex(({ isEntry }) => isEntry === true);
  const most = entry === -1 ? length : Math.min(length, entry);
  return splitBoldHead(lines.slice(0, most))[0]?.length ?? 0;
}

function lengthAboveRule(lines: readonly TableRow[], rules: readonly Area[]): number {
  const [first] = lines;
  if (first === undefined) return 0;
  const under = Math.min(...rules.map(({ y0 }) => y0).filter((y) => y > first.baseline));
  const count = under === Infinity ? 0 : lines.filter(({ baseline }) => baseline < under).length;
  if (count > MAX_HEAD_LINES || count === lines.length) return 0;
  // The rule may be the one above the totals.
  const above = lines.slice(0, count);
  const row = above.findIndex(hasAmount);
  const priced = above.filter((line) => line.cells[0] !== undefined && hasAmount(line));
  return row > 0 || priced.length > 1 ? row : count;
}

/** Amounts with decimals, and the letter of a tax. Heads have whole numbers too: years, and the numbers of columns. */
const AMOUNT = /^[-–−+(]?[$€£¥]?\s?\d[\d.,\s]*[.,]\d\d\)?(?:\s?[A-Z*])?$/;
const hasAmount = ({ cells }: TableRow): boolean => cells.slice(1).some((cell) => AMOUNT.test(textOf(cell)));

/** Counts the lines above the first label of a row: they name the columns to its right. */
function lengthWithoutLabels(lines: readonly TableRow[]): number {
  const count = lines.findIndex(({ cells }) => cells[0] !== undefined);
  return count > 1 && count <= MAX_HEAD_LINES ? count : 0;
}

/** Share of the rows that must have figures before the words above them are a head. */
const MIN_FIGURE_ROW_SHARE = 0.6;
/** Smallest step between the labels of two rows, as a share of the usual step. */
const MIN_LABEL_STEP_RATIO = 0.92;
const MAX_CELL_WORDS = 8;

/** Counts the lines of words above rows of figures, without the titles of their first part. */
function lengthAboveFigures(lines: readonly TableRow[], rules: readonly Area[]): number {
  const first = lines.findIndex(hasData);
  if (first < 2) return 0;
  const rows = lines.slice(first).filter((line) => filled(line).length > 1);
  if (rows.filter(hasData).length < Math.max(2, rows.length * MIN_FIGURE_ROW_SHARE)) return 0;
  const count = lines.findLastIndex((line, index) => index < first && !hasLabelAtMost(line)) + 1;
  const head = lines.slice(0, count);
  const isText = head.flatMap(filled).some(({ lines: own }) => own.flat().length > MAX_CELL_WORDS);
  if (count < 2 || isText || head.some(hasAmount) || head.slice(0, 1).some(hasLabelAtMost)) return 0;
  const [above, under] = [head.at(-1)?.baseline ?? 0, lines[count]?.baseline ?? 0];
  if (rules.some(({ y0 }) => y0 > above && y0 < under)) return count;
  const step = median(stepsOf(rows)) ?? 0;
  const row = head.findIndex((line, index) => isNextLabel(line, head[index - 1], step));
  return row === -1 ? count : row;
}

/** True when both lines have a label, as far from each other as rows are. */
const isNextLabel = (line: TableRow, above: TableRow | undefined, step: number): boolean =>
  line.cells[0] !== undefined &&
  above?.cells[0] !== undefined &&
  line.baseline - above.baseline > step * MIN_LABEL_STEP_RATIO;
