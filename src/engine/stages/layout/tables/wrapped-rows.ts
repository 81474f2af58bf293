import type { Area } from '../../../model/geometry.js';
import type { PageWord } from '../../../model/page.js';
import type { Column } from './table-columns.js';
import {
  areRagged,
  filled,
  isNumeric,
  joinRow,
  MAX_WRAP_STEP_EM,
  MIN_LINE_STEP_EM,
  MIN_ROW_STEP_RATIO,
  splitRowsAt,
  type TableRow,
  textOf,
} from './table-rows.js';

/** Of rows with a cell of several lines: these begin with a label and another cell. */
const LEAST_LABELLED = 0.8;
const MOST_LINES_IN_ROW = 24;
/** As many parts have rules parted rows in, not sections. */
const LEAST_RULED = 3;

/**
 * The rows below a head whose cells wrap, by the rules between them, by wider space, by their labels, or by where lines
 * end that had room for the next word. Undefined where cells of one column at a side wrap at most, or no rows can be told.
 */
export function rowsOfWrapped(
  lines: readonly TableRow[],
  columns: readonly Column[],
  rules: readonly Area[],
): TableRow[] | undefined {
  const sections = partByRules(joinLevel(lines), rules);
  const bands =
    sections.length >= LEAST_RULED
      ? sections
      : sections.flatMap((section) => partBySpace(section) ?? partByLabel(section) ?? partByRoom(section, columns));
  return rowsOfBands(bands, LEAST_WRAPPED);
}

/** Undefined where these are no rows, or cells of fewer columns wrap; rows of one line each need wrap in none. */
export function rowsOfBands(bands: readonly TableRow[][], leastWrapped: number): TableRow[] | undefined {
  const rows = bands.map((band) => band.reduce(joinRow));
  if (leastWrapped < LEAST_WRAPPED && bands.length > 1 && bands.every(({ length }) => length === 1))
    return bands.every(isLabelled) ? rows : undefined;
  const columns = rows[0]?.cells.map((_, column) => column) ?? [];
  const wrapped = columns.filter((column) => rows.some((row) => wraps(row.cells[column])));
  // No column of a page stands between labels and figures.
  const isBetween = wrapped.some((column) => column > 0 && column < columns.length - 1);
  return areWrapped(bands) && (wrapped.length >= leastWrapped || isBetween) ? rows : undefined;
}

/** The lines below a head by the space between rows, as far as they begin with a label. */
export function labelledBands(
  lines: readonly TableRow[],
  columns: readonly Column[],
  byRoom: boolean,
): TableRow[][] | undefined {
  const level = joinLevel(lines);
  const bands = partBySpace(level) ?? partWideSet(level) ?? (byRoom ? partByRoom(level, columns) : undefined);
  if (bands === undefined) return undefined;
  return bands.slice(0, bands.findLastIndex(isLabelled) + 1);
}

/** Lines that all stand further apart than those of a cell are a row each. */
function partWideSet(lines: readonly TableRow[]): TableRow[][] | undefined {
  const wide = lines.every(
    ({ baseline, fontSize }, index) =>
      baseline - (lines[index - 1]?.baseline ?? -Infinity) >= fontSize * MAX_WRAP_STEP_EM,
  );
  return wide ? lines.map((line) => [line]) : undefined;
}

/** Cells of a row set in another size may stand a little higher or lower. */
function joinLevel(lines: readonly TableRow[]): TableRow[] {
  const joined: TableRow[] = [];
  for (const line of lines) {
    const above = joined.at(-1);
    const isLevel = above !== undefined && line.baseline - above.baseline < line.fontSize * MIN_LINE_STEP_EM;
    if (isLevel && line.cells.every((cell, column) => cell === undefined || above.cells[column] === undefined))
      joined[joined.length - 1] = joinRow(above, line);
    else joined.push(line);
  }
  return joined;
}

function partByRules(lines: readonly TableRow[], rules: readonly Area[]): TableRow[][] {
  return splitRowsAt(lines, (line, above) =>
    rules.some(({ y0 }) => y0 > above.baseline - above.fontSize * 0.3 && y0 < line.baseline - line.fontSize * 0.3),
  );
}

function partBySpace(lines: readonly TableRow[]): TableRow[][] | undefined {
  const least = (lines[0]?.fontSize ?? 0) * MIN_LINE_STEP_EM;
  const steps = lines.slice(1).map(({ baseline }, index) => baseline - (lines[index]?.baseline ?? 0));
  const tight = Math.min(...steps.filter((step) => step > least));
  if (!(tight < (lines[0]?.fontSize ?? 0) * MAX_WRAP_STEP_EM)) return undefined;
  const bands = splitRowsAt(lines, (line, above) => line.baseline - above.baseline > tight * MIN_ROW_STEP_RATIO);
  return bands.length > 1 && areLabelled(bands) ? bands : undefined;
}

/** Of cells in a line with a label: between fewer nothing tells a second row of one group from a second line of one row. */
const LEAST_BESIDE_LABEL = 3;

/** Rows begin where a label stands, where one column alone goes on below, as what describes an item of an invoice does. */
function partByLabel(lines: readonly TableRow[]): TableRow[][] | undefined {
  const isStart = ({ cells }: TableRow) => cells[0] !== undefined;
  const starts = lines.filter(isStart);
  const rest = lines.slice(lines.findIndex(isStart)).filter((line) => !isStart(line));
  const column = rest[0]?.cells.findIndex((cell) => cell !== undefined) ?? 0;
  if (starts.length < 2 || column < 1) return undefined;
  const haveIt = [...starts, ...rest].every(({ cells }) => cells[column] !== undefined);
  const areStarts = starts.every((line) => filled(line).length >= LEAST_BESIDE_LABEL);
  const areRests = rest.every((line) => filled(line).length === 1);
  return haveIt && areStarts && areRests ? splitRowsAt(lines, isStart) : undefined;
}

/** Rows begin where a cell had room for the first word of the next one, or all columns have one, and no cell goes on in its sentence. */
function partByRoom(lines: readonly TableRow[], columns: readonly Column[]): TableRow[][] {
  return splitRowsAt(lines, (line, above) => {
    const pairs = columns.flatMap((column, index) => {
      const [cell, over] = [line.cells[index], above.cells[index]];
      return cell === undefined
        ? []
        : [{ cell, over: over !== undefined && endsAbove(cell, over, column) ? undefined : over }];
    });
    const below = pairs.flatMap(({ cell, over }) => (over === undefined ? [] : [{ cell, over }]));
    if (below.some(({ cell, over }) => goesOn(cell, over))) return false;
    return below.length < pairs.length || (isFull(line) && !below.some(({ over }) => endsInShortWord(over)));
  });
}

const isFull = ({ cells }: TableRow): boolean => cells.every((cell) => cell !== undefined);

/** Columns: where the labels alone wrap, nothing looks like columns of text. */
const LEAST_WRAPPED = 2;

/** Has the cell several lines of words? */
const wraps = (cell: Cell | undefined): boolean =>
  (cell?.lines ?? []).filter((words) => words.some(({ text }) => /\p{L}{2}/u.test(text))).length > 1;

type Cell = NonNullable<TableRow['cells'][number]>;

const firstWord = (cell: Cell): PageWord | undefined => cell.lines[0]?.[0];
const lastWord = (cell: Cell): PageWord | undefined => cell.lines.at(-1)?.at(-1);

/** In ems. */
const SPACE = 0.25;

/** Had the cell's first word room in the line above, or is it another figure? */
function endsAbove(cell: Cell, over: Cell, { x1 }: Column): boolean {
  if (isNumeric(textOf(cell)) && isNumeric(textOf(over))) return true;
  const [next, last] = [firstWord(cell), lastWord(over)];
  if (next === undefined || last === undefined || /\p{L}[-‐]$/u.test(last.text)) return false;
  return last.x1 + next.fontSize * SPACE + next.x1 - next.x0 < x1;
}

/** Names of files and of code begin with a small letter, too. */
const goesOn = (cell: Cell, over: Cell): boolean =>
  /^\p{Ll}[\p{L}\p{M}'’-]*\p{P}?(\s|$)/u.test(textOf(cell)) || /[,(]$|\p{L}[-‐]$/u.test(textOf(over));

/** As before a name: "chief of". */
const endsInShortWord = (cell: Cell): boolean => /(^|\s)\p{Ll}{1,3}$/u.test(textOf(cell));

const isLabelled = (band: readonly TableRow[] | undefined): boolean =>
  band?.[0]?.cells[0] !== undefined && filled(band[0]).length > 1;
const areLabelled = (bands: readonly TableRow[][]): boolean =>
  bands.filter(isLabelled).length >= bands.length * LEAST_LABELLED;

/** Lines that all have a cell in every column are rows: those of a row end at different heights. */
function areWrapped(bands: readonly TableRow[][]): boolean {
  const high = bands.filter(({ length }) => length > 1);
  if (bands.length < 2 || high.length === 0 || !areLabelled(bands) || !isLabelled(bands.at(-1))) return false;
  if (high.some(({ length }) => length > MOST_LINES_IN_ROW)) return false;
  return areRagged(high);
}
