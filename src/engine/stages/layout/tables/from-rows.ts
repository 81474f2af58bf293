import { createFragment } from '../../../model/fragment.js';
import type { Area } from '../../../model/geometry.js';
import type { PageCell, PageLine, PageTable, PageWord } from '../../../model/page.js';
import { isLeader } from '../lines/fragment.js';
import { splitCloseHeads } from './close-heads.js';
import { splitBoldHead } from './row-bands.js';
import { toRow } from './row-cells.js';
import { spanHeads, spanRows } from './spanning-heads.js';
import { dropEmpty } from './table.js';
import { isWhole } from './table-area.js';
import type { Column } from './table-columns.js';
import { filled, isPlain, joinRow, type TableRow, textOf } from './table-rows.js';

interface PartsOfTable {
  /** Rules under heads over several columns. */
  rules?: readonly Area[];
  isHead(row: TableRow): boolean;
  /** The rows below the head, which may have cells over several columns; undefined when its lines are no rows. */
  toRows(lines: readonly TableRow[], head: TableRow, spans: boolean): TableRow[] | undefined;
}

/** Returns the table of a head, which is the first `count` lines, and the rows below it; undefined when they are none. */
export function readHeadedTable(
  lines: readonly PageLine[],
  columns: readonly Column[],
  count: number,
  { isHead, toRows, rules = [] }: PartsOfTable,
): PageTable | undefined {
  if (count === 0 || lines.some(({ words }) => words.some(isLeader))) return undefined;
  const rows = lines.map((line) => toRow(line, columns));
  const [top = []] = splitBoldHead(rows.slice(0, count));
  const maySpan = !top.every(isPlain) || (top.length > 1 && top.slice(-1).every(isFigures));
  const spanning = maySpan ? spanRows(spanHeads(top, columns, rules)) : [];
  const spans = spanning.length > 0;
  const heads = spans ? spanning : top.map((row) => splitCloseHeads(row, columns));
  const parted = [...heads, ...rows.slice(top.length)];
  // The labels of sums, below the last label of a row, may reach over several columns.
  const sums = parted.findLastIndex(({ cells }) => cells[0] !== undefined) + 1;
  const isOfTable = (row: TableRow, index: number) =>
    (spans && index < heads.length) || ((index >= sums || isPlain(row)) && isWhole(row, columns));
  if (!parted.every(isOfTable)) return undefined;
  const head = heads.reduce(joinRow);
  const below = isHead(head) ? toRows(parted.slice(heads.length), spanning[0] ?? head, spans) : undefined;
  if (below === undefined) return undefined;
  return fromRows([...(spans ? heads : [head]), ...below], columns.length);
}

/** True for the years, or steps of amounts, below heads of several columns. */
const isFigures = (row: TableRow): boolean => filled(row).every((cell) => /^\P{L}*\p{Nd}\P{L}*$/u.test(textOf(cell)));

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
