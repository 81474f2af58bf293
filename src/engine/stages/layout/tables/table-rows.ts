import type { Area } from '../../../model/geometry.js';
import { gatherAlike, splitWhere } from '../../../model/groups.js';
import { spreadOf } from '../../../model/median.js';
import type { PageWord } from '../../../model/page.js';
import { hasLetter } from '../../../model/text-direction.js';
import { stepsOf } from '../lines/line-pitch.js';
import { isBold, lineText } from '../lines/lines.js';

/** Cells of a line, or of several lines that make one row. */
export interface TableRow {
  /** One place for each column; undefined where no cell begins. */
  cells: (RowCell | undefined)[];
  baseline: number;
  fontSize: number;
  x0: number;
  /** True when leaders lead to the number that ends it. */
  isEntry?: boolean;
}

export interface RowCell {
  column: number;
  columnSpan: number;
  /** 1 where absent. */
  rowSpan?: number;
  /** Words of each of its lines. */
  lines: PageWord[][];
}

/** Largest step between rows, in ems. */
export const MAX_ROW_STEP_EM = 3.2;
/** Upper bound of the step between the lines of a row, in ems. */
export const MAX_WRAP_STEP_EM = 1.45;
/** Upper bound of the step between the lines of a cell with an open bracket, in ems. */
const MAX_BRACKET_STEP_EM = 2;
/** Smallest step between the lines of one cell, in ems. */
export const MIN_LINE_STEP_EM = 0.85;

/** Joins the lines of each row: those between two rules, those of the head (the first `head` lines), and those that wrap in a cell. */
export function joinWrapped(lines: readonly TableRow[], rules: readonly Area[], head: number): TableRow[] {
  const bands = bandsOf(lines, rules) ?? bandsBySpace(lines);
  if (bands !== undefined) {
    const spanned = bands[0]?.[0] !== undefined && !isPlain(bands[0][0]);
    return bands.flatMap((band, index) => (index === 0 && spanned ? joinHeads(band) : [band.reduce(joinRow)]));
  }
  const rows: TableRow[] = [];
  let pending: TableRow | undefined;
  for (const [index, line] of lines.entries()) {
    const previous = rows.at(-1);
    const above = lines[index - 1];
    const step = above === undefined ? Infinity : line.baseline - above.baseline;
    const tight = step < line.fontSize * MAX_WRAP_STEP_EM;
    if (previous !== undefined && pending === undefined && above !== undefined && isBeside(line, above)) {
      rows[rows.length - 1] = joinRow(withLabelInFirstColumn(previous), withLabelInFirstColumn(line));
    } else if (pending !== undefined && above !== undefined) {
      const joined: TableRow = tight ? joinRow(pending, line) : line;
      if (!tight) rows.push(pending);
      pending = beginsLabel(lines, index) ? withLabelInFirstColumn(joined) : undefined;
      if (pending === undefined) rows.push(joined);
    } else if (
      previous !== undefined &&
      ((tight && (index < head ? isPlain(previous) && isPlain(line) : continuesRow(previous, line))) ||
        (step < line.fontSize * MAX_BRACKET_STEP_EM && continuesBrackets(previous, line)))
    ) {
      rows[rows.length - 1] = joinRow(previous, line);
    } else if (beginsLabel(lines, index)) pending = withLabelInFirstColumn(line);
    else rows.push(line);
  }
  return pending === undefined ? rows : [...rows, pending];
}

/** True when one of the two is a line of a label, and the other is set about the middle of that label's lines. */
function isBeside(line: TableRow, above: TableRow): boolean {
  if (line.baseline - above.baseline >= line.fontSize * MIN_LINE_STEP_EM) return false;
  const [labels, values] = line.cells[0] === undefined ? [above, line] : [line, above];
  return values.cells[0] === undefined && labels.cells[0] !== undefined && hasLabelAtMost(labels);
}

/** Tolerance of the middles of a row's cells, in ems. */
const ROW_MIDDLE_TOLERANCE_EM = 0.15;

/** Joins the lines of cells that are set about one middle: they are too close to be of one cell, or of two rows. */
export function joinCentred(lines: readonly TableRow[]): TableRow[] {
  const bands = splitWhere(lines, (line, above) => line.baseline - above.baseline >= line.fontSize * MIN_LINE_STEP_EM);
  return bands.flatMap((band) => (areCentred(band) ? [band.reduce(joinRow)] : band));
}

function areCentred(band: readonly [TableRow, ...TableRow[]]): boolean {
  const isBelowCell = (line: TableRow, index: number) => filled(line).some(({ column }) => band[index]?.cells[column]);
  return band.length >= 3 && !band.slice(1).some(isBelowCell) && band.every(isPlain) && haveOneMiddle(band);
}

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

export function joinRow(row: TableRow, line: TableRow): TableRow {
  const cells = row.cells.map((cell, column) => {
    const more = line.cells[column];
    if (cell === undefined || more === undefined) return cell ?? more;
    const columnSpan = Math.max(cell.columnSpan, more.columnSpan);
    return { column, columnSpan, lines: [...cell.lines, ...more.lines] };
  });
  // A cell that begins under one that spans its column belongs to that one.
  for (const [column, cell] of cells.entries()) {
    const over = cells.slice(0, column).findLast((left) => left !== undefined);
    if (cell === undefined || over === undefined || over.column + over.columnSpan <= column) continue;
    over.lines = [...over.lines, ...cell.lines];
    cells[column] = undefined;
  }
  const { baseline, isEntry = row.isEntry } = line;
  return { cells, baseline, fontSize: row.fontSize, x0: Math.min(row.x0, line.x0), ...(isEntry && { isEntry }) };
}

export const splitByRules = (lines: readonly TableRow[], rules: readonly Area[]): [TableRow, ...TableRow[]][] =>
  splitWhere(lines, (line, above) =>
    rules.some(({ y0 }) => y0 > above.baseline - above.fontSize * 0.3 && y0 < line.baseline - line.fontSize * 0.3),
  );

/** Groups the lines between two rules as one row, when rules separate the rows and not only the head from the body. */
function bandsOf(lines: readonly TableRow[], rules: readonly Area[]): TableRow[][] | undefined {
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
function bandsBySpace(lines: readonly TableRow[]): TableRow[][] | undefined {
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

/** True when the row has no cell but its label, if that. */
export const hasLabelAtMost = (row: TableRow): boolean => filled(row).every(({ column }) => column === 0);

export const filled = (row: TableRow): RowCell[] => row.cells.filter((cell) => cell !== undefined);
/** Counts the columns that cells of the row stand in. */
export const countCovered = (row: TableRow): number => filled(row).reduce((sum, { columnSpan }) => sum + columnSpan, 0);
export const textOf = (cell: RowCell | undefined): string => lineText({ words: cell?.lines.flat() ?? [] });

/** Codes that stand beside an amount in place of a sign. */
const CURRENCIES = /\b(?:AUD|BGN|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HUF|INR|JPY|NOK|NZD|PLN|RON|SEK|TRY|USD|ZAR)\b/g;
export const isNumeric = (text: string): boolean =>
  /^[\s\d.,:%\p{Sc}()+\-–—−*/]*\d[\s\d.,:%\p{Sc}()+\-–—−*/]*$/u.test(text.replace(CURRENCIES, ''));

/** Years in the forms that heads have: "2018", "2018/19", "2018-2019". */
const YEAR = /^(19|20)\d\d(\s?[/–-]\s?\d{2,4})?$/;

/** True for a figure other than a year, which stands in heads too. */
export const isAmount = (text: string): boolean => isNumeric(text) && !YEAR.test(text);

/** True when there are figures right of the label, other than years. */
export const hasData = ({ cells }: TableRow): boolean => cells.slice(1).some((cell) => isAmount(textOf(cell)));

/** Joins the lines of a head. A cell over several columns is above their own heads, so it stays a row of its own. */
const joinHeads = (lines: readonly TableRow[]): TableRow[] =>
  splitWhere(lines, (line, above) => !isPlain(above) || !isPlain(line)).map((band) => band.reduce(joinRow));

/** True when no cell stands over several columns. */
export const isPlain = (row: TableRow): boolean => filled(row).every(({ columnSpan }) => columnSpan === 1);

/** True when the line continues the row above: words under words, nothing that only a row of its own has. */
function continuesRow(row: TableRow, line: TableRow): boolean {
  const cells = filled(line);
  if (cells.some((cell) => isNumeric(textOf(cell)) || cell.columnSpan > 1 || !isSetAlike(cell, row))) return false;
  const [first] = cells;
  if (first === undefined) return true;
  if (first.column > 0) return cells.every(({ column }) => row.cells[column] !== undefined);
  return isUnderCell(line, row) && /^[\p{Ll}(]/u.test(textOf(first));
}

/** True when the line has nothing but words under a cell with others beside it, and no bold ones under plain ones. */
function isUnderCell(line: TableRow, row: TableRow): boolean {
  const [words, ...others] = filled(line);
  const over = words && row.cells[words.column];
  if (over === undefined || words?.columnSpan !== 1 || others.length > 0 || filled(row).length < 2) return false;
  if (isNumeric(textOf(words)) || (isBoldCell(words) && !isBoldCell(over))) return false;
  return (words.lines[0]?.[0]?.x0 ?? 0) > (over.lines[0]?.[0]?.x0 ?? 0) - row.fontSize * 0.3;
}

/** True when each cell of the line that stands below another one continues it in an open bracket, and there is such a cell. */
function continuesBrackets(row: TableRow, line: TableRow): boolean {
  const over = filled(line).flatMap(({ column }) => row.cells[column] ?? []);
  return isPlain(line) && over.length > 0 && over.every((cell) => /\([^)]*$/.test(textOf(cell)));
}

export const isBoldCell = ({ lines }: RowCell): boolean => isBold({ words: lines.flat() });

/** True when the cell and the one above it are both bold, or both not. */
function isSetAlike(cell: RowCell, row: TableRow): boolean {
  const over = row.cells[cell.column];
  return over === undefined || isBoldCell(over) === isBoldCell(cell);
}

/** True when a label is too long for its line: the next lines continue it, and one of them has the rest of the row. */
function beginsLabel(lines: readonly TableRow[], index: number): boolean {
  const [line, next] = [lines[index], lines[index + 1]];
  if (line === undefined || next === undefined || !isLabelAlone(line, index)) return false;
  const label = next.cells[0];
  if (label === undefined || !(/[,;]$/.test(textOf(line.cells[0])) || /^\p{Ll}/u.test(textOf(label)))) return false;
  return filled(next).length > 1 || beginsLabel(lines, index + 1);
}

/** True when the line has a label alone. A cell over all columns, or over several at the top, is a title or a text. */
function isLabelAlone(line: TableRow, index: number): boolean {
  const [first, ...others] = filled(line);
  if (first?.column !== 0 || others.length > 0) return false;
  return index === 0 ? first.columnSpan === 1 : first.columnSpan < line.cells.length;
}

/** Returns the row with its label in the first column, however long it is: words below the label's end are no part of it. */
function withLabelInFirstColumn(row: TableRow): TableRow {
  const [label, ...others] = row.cells;
  return { ...row, cells: [label && { ...label, columnSpan: 1 }, ...others] };
}
