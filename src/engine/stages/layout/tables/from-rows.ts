import { createFragment } from '../../../model/fragment.js';
import type { PageCell, PageLine, PageTable, PageWord } from '../../../model/page.js';
import { isLeader } from '../lines/fragment.js';
import { splitCloseHeads } from './close-heads.js';
import { toRow } from './row-cells.js';
import { dropEmpty } from './table.js';
import { isWhole } from './table-area.js';
import type { Column } from './table-columns.js';
import { filled, isPlain, joinRow, type TableRow } from './table-rows.js';

interface PartsOfTable {
  isHead(row: TableRow): boolean;
  /** The rows below the head; undefined when its lines are no rows. */
  toRows(lines: readonly TableRow[], head: TableRow): TableRow[] | undefined;
}

/** Returns the table of a head, which is the first `count` lines, and the rows below it; undefined when they are none. */
export function readHeadedTable(
  lines: readonly PageLine[],
  columns: readonly Column[],
  count: number,
  { isHead, toRows }: PartsOfTable,
): PageTable | undefined {
  if (count === 0 || lines.some(({ words }) => words.some(isLeader))) return undefined;
  const rows = lines.map((line) => toRow(line, columns));
  const parted = rows.map((row, index) => (index < count ? splitCloseHeads(row, columns) : row));
  // The labels of sums, below the last label of a row, may reach over several columns.
  const sums = parted.findLastIndex(({ cells }) => cells[0] !== undefined) + 1;
  if (!parted.every((row, index) => (index >= sums || isPlain(row)) && isWhole(row, columns))) return undefined;
  const head = parted.slice(0, count).reduce(joinRow);
  const below = isHead(head) ? toRows(parted.slice(count), head) : undefined;
  return below === undefined ? undefined : fromRows([head, ...below], columns.length);
}

/** Returns the table of rows that have a place for each of `columns`. */
export function fromRows(joined: readonly TableRow[], columns: number): PageTable {
  const cells = joined.flatMap((row, index) =>
    filled(row).map(({ column, columnSpan, rowSpan = 1, lines }): PageCell => {
      const built = lines.map((words) => ({ ...createFragment(closeFigures(words), 0), apart: new Set<number>() }));
      return { row: index, column, rowSpan, columnSpan, lines: built };
    }),
  );
  const rows = joined.length;
  return dropEmpty({ rows, columns, cells: fillEmpty(cells, rows, columns) });
}

/** Glues the closing brackets of negative figures to them: brackets in a column of their own keep these level with the other figures. */
function closeFigures(words: PageWord[]): PageWord[] {
  for (const [index, word] of words.entries()) {
    if (word.text.startsWith(')') && /\d$/.test(words[index - 1]?.text ?? '')) word.glued = true;
  }
  return words;
}

/** Adds an empty cell for every place that has none. */
function fillEmpty(cells: PageCell[], rows: number, columns: number): PageCell[] {
  const taken = new Set(
    cells.flatMap(({ row, column, rowSpan, columnSpan }) =>
      Array.from({ length: rowSpan * columnSpan }, (_, index) => {
        return (row + Math.floor(index / columnSpan)) * columns + column + (index % columnSpan);
      }),
    ),
  );
  for (let slot = 0; slot < rows * columns; slot++) {
    if (taken.has(slot)) continue;
    cells.push({ row: Math.floor(slot / columns), column: slot % columns, rowSpan: 1, columnSpan: 1, lines: [] });
  }
  return cells;
}
