import type { Area } from '../../../model/geometry.js';
import { gatherAlike, splitWhere } from '../../../model/groups.js';
import { spreadOf } from '../../../model/median.js';
import { hasLetter } from '../../../model/text-direction.js';
import { stepsOf } from '../lines/line-pitch.js';
import {
  filled,
  hasData,
  hasLabelAtMost,
  isBoldCell,
  isNumeric,
  MAX_WRAP_STEP_EM,
  MIN_LINE_STEP_EM,
  type RowCell,
  type TableRow,
  textOf,
} from './table-rows.js';

/** Tolerance of the middles of a row's cells, in ems. */
const ROW_MIDDLE_TOLERANCE_EM = 0.15;

/** The cells of each column that has any, each with its base line. */
const cellsByColumn = (band: readonly TableRow[]) =>
  gatherAlike(
    band.flatMap((line) => filled(line).map((cell) => ({ cell, baseline: line.baseline }))),
    (a, b) => a.cell.column === b.cell.column,
  );

/** True when the cells of the lines are set about one middle. */
export function haveOneMiddle(band: readonly [TableRow, ...TableRow[]]): boolean {
  const columns = cellsByColumn(band);
  // A figure below another belongs to another row.
  if (columns.some((cells) => cells.filter(({ cell }) => isNumeric(textOf(cell))).length > 1)) return false;
  const middles = columns.map(([top, ...others]) => (top.baseline + (others.at(-1) ?? top).baseline) / 2);
  return spreadOf(middles) < band[0].fontSize * ROW_MIDDLE_TOLERANCE_EM;
}

/** True when all cells begin on the first of the lines, as text set at the top of its cells does. */
export function haveOneTop(band: readonly [TableRow, ...TableRow[]]): boolean {
  const columns = cellsByColumn(band);
  return columns.every(
    ([top]) => Math.abs(top.baseline - band[0].baseline) < band[0].fontSize * ROW_MIDDLE_TOLERANCE_EM,
  );
}

export const splitByRules = (lines: readonly TableRow[], rules: readonly Area[]): [TableRow, ...TableRow[]][] =>
  splitWhere(lines, (line, above) =>
    rules.some(({ y0 }) => y0 > above.baseline - above.fontSize * 0.3 && y0 < line.baseline - line.fontSize * 0.3),
  );

/** Groups the lines between two rules as one row, when rules separate the rows and not only the head from the body. */
export function bandsOf(lines: readonly TableRow[], rules: readonly Area[]): TableRow[][] | undefined {
  const [first = [], ...others] = splitByRules(lines, rules);
  const groups = [...splitHead(first).flatMap(splitBoldHead), ...others];
  const parted = groups.length >= 4 && groups.length * 2 >= lines.length;
  const body = groups.slice(1).filter(({ length }) => length > 1);
  if (parted && (body.length === 0 || !body.every(stacksFigures)))
    return groups.flatMap((band, index) => (index > 0 && stacksFigures(band) ? band.map((line) => [line]) : [band]));
  return areRows(groups) ? groups : undefined;
}

/** Splits the head from the first row of figures: where each row has a rule below it, the head may have none. */
function splitHead(band: readonly TableRow[]): TableRow[][] {
  const first = band.findIndex((line) => filled(line).length * 2 > line.cells.length && hasData(line));
  const steps = stepsOf(band.slice(0, first + 1));
  const at = steps.lastIndexOf(Math.max(...steps)) + 1;
  const labels = band.filter(({ cells }) => cells[0] !== undefined);
  const isHead = labels.length > 1 || standOverFigures(band.slice(0, at), band[at]);
  return at > 0 && isHead ? [band.slice(0, at), band.slice(at)] : [[...band]];
}

/** True when the cells of the lines have words, and figures below them in a row of a label and figures alone. */
function standOverFigures(lines: readonly TableRow[], row: TableRow | undefined): boolean {
  const [label, ...figures] = row === undefined ? [] : filled(row);
  if (label?.column !== 0 || !figures.every((cell) => isNumeric(textOf(cell)))) return false;
  return lines
    .flatMap(filled)
    .every((head) => head.lines.flat().some(hasLetter) && figures.some(({ column }) => column === head.column));
}

/** Ratio of the smallest step between rows to the step between the lines of one cell; the second is for rows that are numbered, or whose labels stand in the middle. */
const MIN_ROW_STEP_RATIO = 1.15;
const MIN_CLOSE_STEP_RATIO = 1.08;

/** Splits the lines where wider space is than between those of one cell; undefined when no lines are so close. */
export function splitAtSpace(
  lines: readonly TableRow[],
  ratio = MIN_ROW_STEP_RATIO,
): [TableRow, ...TableRow[]][] | undefined {
  const size = lines[0]?.fontSize ?? 0;
  const tight = Math.min(...stepsOf(lines));
  if (tight < size * MIN_LINE_STEP_EM || tight > size * MAX_WRAP_STEP_EM) return undefined;
  return splitWhere(lines, (line, above) => line.baseline - above.baseline > tight * ratio);
}

/** Groups the lines into rows when wider space separates the rows than the lines of their cells. */
export function bandsBySpace(lines: readonly TableRow[]): TableRow[][] | undefined {
  const close = splitAtSpace(lines, MIN_CLOSE_STEP_RATIO) ?? [];
  if ((areNumbered(close) || close.every(isAboutLabel)) && areRows(close)) return close;
  const bands = (splitAtSpace(lines) ?? []).flatMap(partTitles);
  const high = bands.filter(({ length }) => length > 1);
  return areRows(bands) && high.filter((band) => !isItem(band) && looksLikeRows(band)).length * 4 <= high.length
    ? bands
    : undefined;
}

/** True for a line alone, and for lines whose label stands below the first of them, as the cells are set about one middle. */
const isAboutLabel = (band: readonly [TableRow, ...TableRow[]]): boolean =>
  band.length === 1 ||
  (band[0].cells[0] === undefined && band.some(({ cells }) => cells[0] !== undefined) && haveOneMiddle(band));

/** Parts bold titles from the rows below them. */
const partTitles = (band: readonly TableRow[]): TableRow[][] =>
  splitWhere(
    band,
    (line, title) => hasLabelAtMost(title) && filled(title).every(isBoldCell) && !filled(line).every(isBoldCell),
  );

/** Parts a bold head from what no rule parts from it: rows of other type, or a label alone further below it than lines of a cell. */
export function splitBoldHead(lines: readonly TableRow[]): TableRow[][] {
  const isBoldRow = (line: TableRow) => filled(line).every(isBoldCell);
  const first = lines.findIndex((line) => !filled(line).some(isBoldCell));
  const last = lines.length - 1;
  const [title, above] = [lines[last], lines[last - 1]];
  const isApart = title && above && title.baseline - above.baseline > title.fontSize * MAX_WRAP_STEP_EM;
  const at = first === -1 && isApart && hasLabelAtMost(title) ? last : first;
  const [head, rows] = [lines.slice(0, at), lines.slice(at)];
  const areRows = rows.every(hasLabelAtMost) || rows.some(hasData);
  return at > 0 && head.every(isBoldRow) && areRows ? [head, rows] : [[...lines]];
}

/** True when words stand below a cell that has figures beside it. */
function isItem([first, ...others]: readonly TableRow[]): boolean {
  if (first === undefined) return false;
  const hasFigures = first.cells.some((cell, column) => column > 0 && isNumeric(textOf(cell)));
  return hasFigures && others.length > 0 && others.every((line) => isUnderCell(line, first));
}

/** True when the label of each row below the head is the number after that of the row above. */
function areNumbered([, ...bands]: readonly TableRow[][]): boolean {
  const labels = bands.map((band) => Number(band.map(({ cells }) => textOf(cells[0])).join('') || Number.NaN));
  return labels.every((label, index) => label === (labels[0] ?? 0) + index);
}

/** True when two lines of the band have a word in every column, or when a further label below the first begins like one. */
function looksLikeRows(band: readonly TableRow[]): boolean {
  if (band.filter((line) => filled(line).length === line.cells.length).length > 1) return true;
  const labels = band.slice(1).filter((line) => line.cells[0] !== undefined && hasLabelAtMost(line));
  return labels.some(({ cells }) => !/^\p{Ll}/u.test(textOf(cells[0])));
}

const MAX_ROW_LINES = 12;

/** True when each band is one row. */
function areRows(bands: readonly TableRow[][]): boolean {
  const high = bands.filter(({ length }) => length > 1);
  if (bands.length < 3 || high.length === 0 || high.some(({ length }) => length > MAX_ROW_LINES)) return false;
  return areRagged(high);
}

/**
 * True when bands of several lines may be one row each: most have a cell with fewer lines, and few have figures above
 * or below anything.
 */
export function areRagged(high: readonly TableRow[][]): boolean {
  const isRagged = (band: readonly TableRow[]) =>
    [band.map(filled), cellsByColumn(band)].some((parts) => new Set(parts.map(({ length }) => length)).size > 1);
  const ragged = high.filter(isRagged);
  return ragged.length * 2 >= high.length && high.filter(stacksFigures).length * 4 <= high.length;
}

/**
 * True when a figure stands above or below another, or above or below words with something beside it. A figure alone
 * below words may be a date, one below a hyphen is the rest of a code, and one above a unit or a month is one with it.
 */
function stacksFigures(band: readonly TableRow[]): boolean {
  const cells = band.flatMap((line) => filled(line).map((cell, _, { length }) => ({ cell, isAlone: length === 1 })));
  const isBroken = ({ column }: RowCell) =>
    cells.some(({ cell }) => cell.column === column && /[-‐]$|^(?:[%€]|\p{L}{2,3})$/u.test(textOf(cell)));
  const isFigure = (cell: RowCell) => isNumeric(textOf(cell)) && !isBroken(cell);
  return cells.some(
    ({ cell, isAlone }) =>
      isFigure(cell) &&
      cells.some((other) => other.cell !== cell && overlaps(cell, other.cell) && (!isAlone || isFigure(other.cell))),
  );
}

const overlaps = (a: RowCell, b: RowCell): boolean =>
  a.column < b.column + b.columnSpan && b.column < a.column + a.columnSpan;

/** True when the line has nothing but words under a cell with others beside it, and no bold ones under plain ones. */
export function isUnderCell(line: TableRow, row: TableRow): boolean {
  const [words, ...others] = filled(line);
  const over = words && row.cells[words.column];
  if (over === undefined || words?.columnSpan !== 1 || others.length > 0 || filled(row).length < 2) return false;
  if (isNumeric(textOf(words)) || (isBoldCell(words) && !isBoldCell(over))) return false;
  return (words.lines[0]?.[0]?.x0 ?? 0) > (over.lines[0]?.[0]?.x0 ?? 0) - row.fontSize * 0.3;
}
