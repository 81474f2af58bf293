import { boundsOf, middleOf } from '../../../model/geometry.js';
import { gatherAlike, splitWhere } from '../../../model/groups.js';
import type { PageCell, PageLine, PageTable } from '../../../model/page.js';
import { partsOf } from '../lines/line-cells.js';
import { stepsOf } from '../lines/line-pitch.js';
import { lineText } from '../lines/lines.js';
import type { Grid } from './grids.js';
import { isNumeric } from './table-rows.js';

/**
 * Splits the cells of a ruled table that only white space separates: rows below a head whose columns alone are ruled,
 * rows without the borders of columns, a column without the borders of rows.
 */
export function splitUnruled(table: PageTable, grid: Pick<Grid, 'xs' | 'ys'>): PageTable {
  const across = table.cells.flatMap((cell) => splitAcross(cell, grid.xs));
  let split: PageTable = { ...table, cells: across.flatMap((cell) => splitDown(cell, across, grid.ys)) };
  for (let row = table.rows - 1; row >= 0; row--) split = splitRow(split, row);
  return split;
}

const slotOf = (borders: readonly number[], value: number): number =>
  Math.max(
    0,
    borders.findLastIndex((border) => border <= value),
  );

interface Phrase {
  from: number;
  to: number;
  words: PageLine['words'];
  line: PageLine;
}

/** Splits a cell over several columns whose words stand apart from each other, each in columns of its own. */
export function splitAcross(cell: PageCell, xs: readonly number[]): PageCell[] {
  if (cell.columnSpan < 2 || !cell.lines.some(({ apart }) => apart.size > 0)) return [cell];
  const phrases = cell.lines.flatMap((line) => phrasesOf(line, xs));
  const parts = splitWhere(
    phrases.sort((a, b) => a.from - b.from || a.to - b.to),
    (phrase, _, part) => phrase.from > Math.max(...part.map(({ to }) => to)),
  );
  // Two phrases of a line stand in one column: their gap is no border.
  if (parts.length < 2 || parts.some((part) => new Set(part.map(({ line }) => line)).size < part.length)) return [cell];
  const { area: _, ...unruled } = cell;
  return parts.flatMap((part, index): PageCell[] => {
    const column = index === 0 ? cell.column : part[0].from;
    const end = parts[index + 1]?.[0]?.from ?? cell.column + cell.columnSpan;
    const used = index === parts.length - 1 ? end : Math.min(end, Math.max(...part.map(({ to }) => to)) + 1);
    const lines = part.map(({ words, line }) => ({ ...line, words, apart: new Set<number>(), ...boundsOf(words) }));
    // Columns between two parts are empty cells: every place of a table is in one.
    const between = Array.from({ length: end - used }, (_, gap) => used + gap);
    return [
      { ...unruled, column, columnSpan: used - column, lines },
      ...between.map((empty) => ({ ...unruled, column: empty, columnSpan: 1, lines: [] })),
    ];
  });
}

function phrasesOf(line: PageLine, xs: readonly number[]): Phrase[] {
  return partsOf(line).flatMap((words) => {
    const [first, last] = [words[0], words.at(-1)];
    if (first === undefined || last === undefined) return [];
    const [from, to] = [first.x0 + line.fontSize / 2, last.x1 - line.fontSize / 2];
    return [
      { from: slotOf(xs, Math.min(from, middleOf(first))), to: slotOf(xs, Math.max(to, middleOf(last))), words, line },
    ];
  });
}

const MIN_LINES = 3;
/** Rows of a group, on average. */
const MIN_GROUP_ROWS = 2;

/** Splits a cell over several rows with a line beside each of the rows, or groups of rows, that others are ruled into. */
export function splitDown(cell: PageCell, cells: readonly PageCell[], ys: readonly number[]): PageCell[] {
  if (cell.rowSpan < MIN_LINES) return [cell];
  const rows = cell.lines.map((line) => slotOf(ys, line.baseline - line.fontSize * 0.3));
  return splitByGroups(cell, cells, rows) ?? splitByRows(cell, cells, rows);
}

/**
 * Splits a cell with one line beside each of the groups of rows that another column is ruled into. Lines of one text
 * are closer than groups.
 */
function splitByGroups(cell: PageCell, cells: readonly PageCell[], rows: readonly number[]): PageCell[] | undefined {
  if (rows.length < MIN_LINES || cell.rowSpan < rows.length * MIN_GROUP_ROWS) return undefined;
  const end = cell.row + cell.rowSpan;
  const beside = cells.filter((other) => other !== cell && other.row >= cell.row && other.row + other.rowSpan <= end);
  const groups = gatherAlike(beside, (a, b) => a.column === b.column).find(
    (column) =>
      column.reduce((sum, { rowSpan }) => sum + rowSpan, 0) === cell.rowSpan &&
      column.length === rows.length &&
      column.every((group) => rows.some((row) => isIn(row, group))),
  );
  const { area: _, ...unruled } = cell;
  return groups?.map((group) => ({
    ...{ ...unruled, row: group.row, rowSpan: group.rowSpan },
    lines: cell.lines.filter((__, line) => isIn(rows[line] ?? -1, group)),
  }));
}

/** Number of the rows that have words: beside figures, the others say nothing. */
const countFilled = (cells: readonly PageCell[], rows: ReadonlySet<number>): number =>
  new Set(cells.filter(({ row, lines }) => lines.length > 0 && rows.has(row)).map(({ row }) => row)).size;

const isIn = (place: number, { row, rowSpan }: PageCell): boolean => place >= row && place < row + rowSpan;

/**
 * Splits a cell with lines in most of its rows, one level with the row's other words. Where rows have several lines, as
 * in forms, those are labels of one line.
 */
function splitByRows(cell: PageCell, cells: readonly PageCell[], rows: readonly number[]): PageCell[] {
  const used = new Set(rows);
  if (used.size < MIN_LINES || used.size < cell.rowSpan * 0.6) return [cell];
  const areSingle = used.size === rows.length;
  const beside = cells.filter(({ rowSpan, lines }) => rowSpan === 1 && (areSingle || lines.length === 1));
  const level = cell.lines.flatMap((line, index) => {
    const isLevel = ({ baseline }: PageLine) => Math.abs(baseline - line.baseline) < line.fontSize * 0.15;
    return beside.find(({ row, lines }) => row === rows[index] && lines.some(isLevel))?.row ?? [];
  });
  const least = hasFigures(cell) ? countFilled(beside, used) : used.size;
  if (new Set(level).size < Math.max(MIN_LINES, least * 0.8)) return [cell];
  const { area: _, ...unruled } = cell;
  return Array.from({ length: cell.rowSpan }, (_, index) => ({
    ...{ ...unruled, row: cell.row + index, rowSpan: 1 },
    lines: cell.lines.filter((__, line) => rows[line] === cell.row + index),
  }));
}

function splitRow(table: PageTable, row: number): PageTable {
  const inRow = table.cells.filter((cell) => cell.row === row && cell.rowSpan === 1);
  const ruled = table.rows > 2 || table.cells.some((cell) => cell.row !== row && cell.lines.length >= MIN_LINES);
  const starts = startsByLevel(inRow, ruled) ?? startsByFigures(inRow) ?? startsBySpace(inRow);
  return starts === undefined ? table : splitAt(table, row, starts);
}

/** Lower bounds of the columns of figures, and of the figures in each, that show rows beside texts that wrap. */
const MIN_FIGURE_COLUMNS = 3;

/** Finds rows by columns of as many figures, all level: the texts beside them may have more lines, but no fewer. */
function startsByFigures(cells: readonly PageCell[]): Start[] | undefined {
  const columns = cells.filter((cell) => cell.lines.length >= MIN_LINES && hasFigures(cell));
  const [first, ...others] = columns.map(({ lines }) => lines);
  if (first === undefined || columns.length < MIN_FIGURE_COLUMNS) return undefined;
  const areLevel = others.every(
    (lines) => lines.length === first.length && first.every((line) => isLevelIn(lines, line)),
  );
  const areRows = cells.every(({ lines }) => lines.length === 0 || lines.length >= first.length);
  return areLevel && areRows ? first : undefined;
}

/** Base line of a row's first line, at which the row begins. */
type Start = Pick<PageLine, 'baseline' | 'fontSize'>;

/** Ratio of the space between rows to the step between the lines of a cell. */
const MIN_ROW_SPACE_RATIO = 1.4;

/** Finds rows by the space across all cells. A label and something beside it stand level below that space; a title may stand above them. */
function startsBySpace(cells: readonly PageCell[]): Start[] | undefined {
  const [label, ...others] = cells.filter(({ lines }) => lines.length > 0).map(({ lines }) => lines);
  if (label === undefined || others.length === 0) return undefined;
  const rows = levelsOf([label, ...others].flat());
  const least = Math.min(...[label, ...others].flatMap(stepsOf)) * MIN_ROW_SPACE_RATIO;
  const starts = rows.filter(
    ({ baseline }, index) => index === 0 || baseline - (rows[index - 1]?.baseline ?? 0) > least,
  );
  const full = starts.filter((start) => isLevelIn(label, start) && others.some((lines) => isLevelIn(lines, start)));
  // Lines that are all equally far apart are no rows of several lines.
  return full.length >= 2 && full.length >= starts.length - 1 && starts.length < rows.length ? starts : undefined;
}

/** Tolerance of the base lines of a row, in ems. */
const LEVEL_TOLERANCE_EM = 0.4;

/** Returns the leftmost line of each level, from the top. */
function levelsOf(lines: readonly PageLine[]): PageLine[] {
  const sorted = [...lines].sort((a, b) => a.baseline - b.baseline);
  const isBelow = ({ baseline, fontSize }: PageLine, first: PageLine) =>
    baseline - first.baseline > Math.min(fontSize, first.fontSize) * LEVEL_TOLERANCE_EM;
  const levels = splitWhere(sorted, (line, _, [first]) => isBelow(line, first));
  return levels.map((level) => level.reduce((a, b) => (b.x0 < a.x0 ? b : a)));
}

const isLevelIn = (lines: readonly PageLine[], { baseline, fontSize }: Start): boolean =>
  lines.some((line) => Math.abs(line.baseline - baseline) < fontSize * 0.5);

/**
 * Finds rows by lines of text that stand level in two columns or more: each begins a row. A row of several lines is
 * one row when rows are ruled, unless figures stand below each other in it.
 */
function startsByLevel(cells: readonly PageCell[], ruled: boolean): Start[] | undefined {
  const rows = levelsOf(cells.flatMap(({ lines }) => lines));
  const least = areTwoRows(rows, cells) ? 2 : MIN_LINES;
  const high = cells.filter(({ lines }) => lines.length >= least);
  if (high.length < 2) return undefined;
  const starts = rows.filter((row) => cells.filter(({ lines }) => isLevelIn(lines, row)).length >= 2);
  const stacked = high.some((cell) => cell.column > 0 && cell.lines.length >= starts.length * 0.6 && hasFigures(cell));
  const alone = stacked ? rows.filter((row) => !cells.slice(1).some(({ lines }) => isLevelIn(lines, row))) : [];
  if (starts.length < least || starts.length < (rows.length - alone.length) * 0.6) return undefined;
  return ruled && !stacked ? undefined : withTitles(rows, starts, alone);
}

/** True when a label and an amount, which is the last cell of a row, stand on each of two lines. */
function areTwoRows(rows: readonly PageLine[], [label, ...others]: readonly PageCell[]): boolean {
  const amounts = others.findLast(({ lines }) => lines.length > 0);
  const pairs = [label, amounts].map((cell) => cell?.lines ?? []);
  if (rows.length !== 2 || pairs.some((lines) => lines.length !== 2 || continuesText(lines[1]))) return false;
  return amounts?.lines.every((line) => isNumeric(lineText(line))) ?? false;
}

const continuesText = (line: PageLine | undefined): boolean => /^[\p{Ll}(]/u.test(line?.words[0]?.text ?? '');

/** Adds labels alone between rows of figures as titles, except labels that continue the one above them or continue in the one below. */
function withTitles(rows: readonly PageLine[], starts: readonly PageLine[], alone: readonly PageLine[]): Start[] {
  return rows.filter((row, index) => {
    if (alone.includes(row)) return !continuesText(row);
    return starts.includes(row) && !(continuesText(row) && alone.includes(rows[index - 1] ?? row));
  });
}

function splitAt(table: PageTable, row: number, starts: readonly Start[]): PageTable {
  const isAbout = table.cells.some(
    (cell) => cell.row === row && cell.lines.some((line) => lastAbove(line, starts) < 0),
  );
  const rowOf = (line: PageLine) => (isAbout ? nearestOf(line, starts) : lastAbove(line, starts));
  const shift = starts.length - 1;
  const cells = table.cells.flatMap((cell): PageCell[] => {
    if (cell.row > row) return [{ ...cell, row: cell.row + shift }];
    if (cell.row + cell.rowSpan - 1 < row) return [cell];
    if (cell.rowSpan > 1) return [{ ...cell, rowSpan: cell.rowSpan + shift }];
    const { area: _, ...unruled } = cell;
    return starts.map((_, index) => ({
      ...{ ...unruled, row: row + index },
      lines: cell.lines.filter((line) => rowOf(line) === index),
    }));
  });
  return { ...table, rows: table.rows + shift, cells };
}

/** The last row that begins level with the line or above it; -1 where none does. */
const lastAbove = (line: PageLine, starts: readonly Start[]): number =>
  starts.findLastIndex(({ baseline, fontSize }) => line.baseline > baseline - fontSize * 0.5);

/** The row about whose base line the line is set. */
function nearestOf({ baseline }: PageLine, starts: readonly Start[]): number {
  const distances = starts.map((start) => Math.abs(start.baseline - baseline));
  return distances.indexOf(Math.min(...distances));
}

/** True when most of its lines have no word. */
function hasFigures({ lines }: PageCell): boolean {
  const figures = lines.filter(({ words }) => words.every(({ text }) => !/\p{L}{2}/u.test(text)));
  return figures.length >= lines.length * 0.8;
}
