import type { Column } from './table-columns.js';
import type { RowCell, TableRow } from './table-rows.js';

/** How far the middle of a head may be off the middle of its columns, in ems. */
const OFF = 1;

/**
 * Widens what stands in the first `head` lines over the middle of several columns' own heads to all of those columns:
 * "Top-20" over the third of five. `lines` have a place for each of `columns`.
 */
export function spanHeads(lines: readonly TableRow[], columns: readonly Column[], head: number): TableRow[] {
  return lines.map((line, index) => {
    const under = lines[index + 1];
    return index + 1 < head && under !== undefined ? widen(line, under, columns) : line;
  });
}

function widen(line: TableRow, under: TableRow, columns: readonly Column[]): TableRow {
  const headed = under.cells.flatMap((cell) => (cell?.columnSpan === 1 ? [cell.column] : []));
  const over = line.cells.flatMap((cell) => (cell !== undefined && isOver(cell, headed) ? [cell] : []));
  const off = line.fontSize * OFF;
  // The first column may be one of labels, whose head stands beside those that the others have in common.
  const spanning = spread(over, headed, columns, off) ?? spread(over, headed.slice(1), columns, off);
  if (spanning === undefined) return line;
  const cells = line.cells.map((cell) => (cell === undefined || over.includes(cell) ? undefined : cell));
  for (const cell of spanning) cells[cell.column] = cell;
  return { ...line, cells };
}

const isOver = ({ column, columnSpan }: RowCell, headed: readonly number[]): boolean =>
  headed.some((index) => index >= column && index < column + columnSpan);

/** The cells, each as wide as the columns about whose middle it stands; undefined where they leave a column over, or one has but its own. */
function spread(
  cells: readonly RowCell[],
  headed: readonly number[],
  columns: readonly Column[],
  off: number,
): RowCell[] | undefined {
  const spanning: RowCell[] = [];
  let from = 0;
  for (const cell of cells) {
    const words = cell.lines.flat();
    const middle = ((words[0]?.x0 ?? 0) + (words.at(-1)?.x1 ?? 0)) / 2;
    const first = columns[headed[from] ?? -1];
    const distances = headed
      .slice(from)
      .map((index) => Math.abs(((first?.x0 ?? 0) + (columns[index]?.x1 ?? 0)) / 2 - middle));
    const nearest = Math.min(...distances);
    if (!(nearest < off)) return undefined;
    const to = from + distances.indexOf(nearest);
    const column = headed[from] ?? 0;
    spanning.push({ ...cell, column, columnSpan: (headed[to] ?? column) - column + 1 });
    from = to + 1;
  }
  if (from < headed.length || spanning.some(({ columnSpan }) => columnSpan === 1)) return undefined;
  // One alone may be the first line of the head of the middle column.
  return spanning.length > 1 || cells.some(({ columnSpan }) => columnSpan > 1) ? spanning : undefined;
}
