import type { Area } from '../../../model/geometry.js';
import { splitWhere } from '../../../model/groups.js';
import { areRagged, haveOneMiddle, haveOneTop, splitAtSpace, splitByRules } from './row-bands.js';
import type { Column } from './table-columns.js';
import { filled, isNumeric, joinRow, MAX_WRAP_STEP_EM, type RowCell, type TableRow, textOf } from './table-rows.js';

/** Share of the rows with a cell of several lines that must begin with a label and another cell. */
const MIN_LABELLED_SHARE = 0.8;
/** Lower bound of the parts between rules that are rows and not sections. */
const MIN_RULED_ROWS = 3;

/**
 * Finds the rows below a head whose cells wrap: by the rules between them, by wider space, or by lines that end
 * although they had room for the next word. Undefined when no rows can be found, or when only cells of one column at
 * a side wrap and nothing else tells that it is a table.
 */
export function rowsOfWrapped(
  lines: readonly TableRow[],
  columns: readonly Column[],
  rules: readonly Area[],
  isTable: () => boolean,
): TableRow[] | undefined {
  const sections = splitByRules(lines, rules);
  const bands =
    sections.length >= MIN_RULED_ROWS
      ? sections
      : sections.flatMap((section) => splitBySpace(section) ?? splitByRoom(section, columns));
  return rowsOfBands(bands, isTable() ? 1 : MIN_WRAPPED_COLUMNS);
}

/**
 * Returns the lines between two rules as one row each when their cells have one middle or, if they may hang, one top.
 * Cells of several lines beside cells of one show it; where there are none, other evidence is asked for.
 */
export function rowsOfRuled(
  lines: readonly TableRow[],
  rules: readonly Area[],
  mayHang: boolean,
  isTable: () => boolean,
): TableRow[] | undefined {
  const bands = splitByRules(lines, rules);
  const high = bands.filter(({ length }) => length > 1);
  if (bands.length < 2 || !(bands.every(haveOneMiddle) || (mayHang && bands.every(haveOneTop))) || !areRagged(high))
    return undefined;
  return high.length > 0 || isTable() ? bands.map((band) => band.reduce(joinRow)) : undefined;
}

/**
 * True when rules part the lines two by two, each with cells below those of the other: fields of a form below their
 * labels. Cells that wrap end at different heights.
 */
export function areFields(lines: readonly TableRow[], rules: readonly Area[]): boolean {
  const placesOf = (line: TableRow) => String(filled(line).map(({ column }) => column));
  const bands = splitByRules(lines, rules);
  return bands.length > 1 && bands.every((band) => band.length === 2 && new Set(band.map(placesOf)).size === 1);
}

/**
 * Joins bands to rows. Undefined when these are no rows, or cells of fewer columns wrap; when all rows have one line,
 * none needs to wrap.
 */
export function rowsOfBands(bands: readonly TableRow[][], leastWrapped: number): TableRow[] | undefined {
  const rows = bands.map((band) => band.reduce(joinRow));
  if (leastWrapped < MIN_WRAPPED_COLUMNS && bands.length > 1 && bands.every(({ length }) => length === 1))
    return bands.every(isLabelled) ? rows : undefined;
  const columns = rows[0]?.cells.map((_, column) => column) ?? [];
  const wrapped = columns.filter((column) => rows.some((row) => wraps(row.cells[column])));
  // Columns of a page do not stand between labels and figures.
  const isBetween = wrapped.some((column) => column > 0 && column < columns.length - 1);
  return areWrapped(bands) && (wrapped.length >= leastWrapped || isBetween) ? rows : undefined;
}

/** Splits the lines below a head by the space between rows, as far as they begin with a label. */
export function labelledBands(lines: readonly TableRow[]): TableRow[][] | undefined {
  const bands = splitBySpace(lines) ?? splitWideSet(lines);
  return bands?.slice(0, bands.findLastIndex(isLabelled) + 1);
}

/** Returns each line as a row when all stand further apart than the lines of a cell. */
function splitWideSet(lines: readonly TableRow[]): TableRow[][] | undefined {
  const bands = splitWhere(lines, (line, above) => line.baseline - above.baseline >= line.fontSize * MAX_WRAP_STEP_EM);
  return bands.length === lines.length ? bands : undefined;
}

function splitBySpace(lines: readonly TableRow[]): TableRow[][] | undefined {
  const bands = splitAtSpace(lines) ?? [];
  return bands.length > 1 && areLabelled(bands) ? bands : undefined;
}

/**
 * Splits rows where a cell had room for the first word of the next one, or where all columns have a word, and no cell
 * continues its sentence.
 */
function splitByRoom(lines: readonly TableRow[], columns: readonly Column[]): TableRow[][] {
  return splitWhere(lines, (line, above) => {
    const below = filled(line).flatMap((cell) => {
      const [over, column] = [above.cells[cell.column], columns[cell.column]];
      return over === undefined || column === undefined || endsAbove(cell, over, column) ? [] : [{ cell, over }];
    });
    if (below.some(({ cell, over }) => continuesSentence(cell, over))) return false;
    return below.length < filled(line).length || filled(line).length === line.cells.length;
  });
}

/** Lower bound of the columns that wrap: labels that wrap alone do not look like columns of text. */
const MIN_WRAPPED_COLUMNS = 2;

/** True when the cell has several lines of words. */
const wraps = (cell: RowCell | undefined): boolean =>
  (cell?.lines ?? []).filter((words) => words.some(({ text }) => /\p{L}{2}/u.test(text))).length > 1;

/** Width of a space, in ems. */
const SPACE_EM = 0.25;

/** True when the first word of the cell had room in the line above, or when both are figures. */
function endsAbove(cell: RowCell, over: RowCell, { x1 }: Column): boolean {
  if (isNumeric(textOf(cell)) && isNumeric(textOf(over))) return true;
  const [next, last] = [cell.lines[0]?.[0], over.lines.at(-1)?.at(-1)];
  if (next === undefined || last === undefined || /\p{L}[-‐]$/u.test(last.text)) return false;
  return last.x1 + next.fontSize * SPACE_EM + next.x1 - next.x0 < x1;
}

/**
 * True when the cell continues the sentence of the one above. Names of files and of code begin with a small letter
 * too, but do not count.
 */
const continuesSentence = (cell: RowCell, over: RowCell): boolean =>
  /^\p{Ll}[\p{L}\p{M}'’-]*\p{P}?(\s|$)/u.test(textOf(cell)) || /[,(]$|\p{L}[-‐]$/u.test(textOf(over));

const isLabelled = (band: readonly TableRow[] | undefined): boolean =>
  band?.[0]?.cells[0] !== undefined && filled(band[0]).length > 1;
/** True for the title of a part: one line in the first column alone. */
const isTitle = ([line, second]: readonly TableRow[]): boolean =>
  line?.cells[0] !== undefined && second === undefined && filled(line).length === 1;

function areLabelled(bands: readonly TableRow[][]): boolean {
  const labelled = bands.filter(isLabelled).length;
  const titles = bands.filter(isTitle).length;
  return labelled > titles && labelled >= (bands.length - titles) * MIN_LABELLED_SHARE;
}

/**
 * True when these bands are rows of wrapped lines. Lines that all have a cell in every column are rows themselves,
 * because the cells of one row end at different heights.
 */
function areWrapped(bands: readonly TableRow[][]): boolean {
  const high = bands.filter(({ length }) => length > 1);
  if (bands.length < 2 || high.length === 0 || !areLabelled(bands) || !isLabelled(bands.at(-1))) return false;
  return areRagged(high);
}
