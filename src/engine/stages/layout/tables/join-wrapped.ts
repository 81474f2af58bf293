import type { Area } from '../../../model/geometry.js';
import { splitWhere } from '../../../model/groups.js';
import { bandsBySpace, bandsOf, haveOneMiddle, isUnderCell } from './row-bands.js';
import {
  filled,
  hasLabelAtMost,
  isBoldCell,
  isNumeric,
  isPlain,
  joinRow,
  MAX_WRAP_STEP_EM,
  MIN_LINE_STEP_EM,
  type RowCell,
  type TableRow,
  textOf,
} from './table-rows.js';

/** Upper bound of the step between the lines of a cell with an open bracket, in ems. */
const MAX_BRACKET_STEP_EM = 2;

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

/** Joins the lines of cells that are set about one middle: they are too close to be of one cell, or of two rows. */
export function joinCentred(lines: readonly TableRow[]): TableRow[] {
  const bands = splitWhere(lines, (line, above) => line.baseline - above.baseline >= line.fontSize * MIN_LINE_STEP_EM);
  return bands.flatMap((band) => (areCentred(band) ? [band.reduce(joinRow)] : band));
}

function areCentred(band: readonly [TableRow, ...TableRow[]]): boolean {
  const isBelowCell = (line: TableRow, index: number) => filled(line).some(({ column }) => band[index]?.cells[column]);
  return band.length >= 3 && !band.slice(1).some(isBelowCell) && band.every(isPlain) && haveOneMiddle(band);
}

/** Joins the lines of a head. A cell over several columns is above their own heads, so it stays a row of its own. */
const joinHeads = (lines: readonly TableRow[]): TableRow[] =>
  splitWhere(lines, (line, above) => !isPlain(above) || !isPlain(line)).map((band) => band.reduce(joinRow));

/** True when the line continues the row above: words under words, nothing that only a row of its own has. */
function continuesRow(row: TableRow, line: TableRow): boolean {
  const cells = filled(line);
  if (cells.some((cell) => isNumeric(textOf(cell)) || cell.columnSpan > 1 || !isSetAlike(cell, row))) return false;
  const [first] = cells;
  if (first === undefined) return true;
  if (first.column > 0) return cells.every(({ column }) => row.cells[column] !== undefined);
  return isUnderCell(line, row) && /^[\p{Ll}(]/u.test(textOf(first));
}

/** True when each cell of the line that stands below another one continues it in an open bracket, and there is such a cell. */
function continuesBrackets(row: TableRow, line: TableRow): boolean {
  const over = filled(line).flatMap(({ column }) => row.cells[column] ?? []);
  return isPlain(line) && over.length > 0 && over.every((cell) => /\([^)]*$/.test(textOf(cell)));
}

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
