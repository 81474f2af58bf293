import { middleOf } from '../../../model/geometry.js';
import type { PageWord } from '../../../model/page.js';
import { areInLine, type Column, stretchOf } from './table-columns.js';
import { countCovered, filled, type RowCell, type TableRow } from './table-rows.js';

const MIN_HEAD_COLUMNS = 4;
/** Tolerance of a head that is level with its column at the left, at the right or about its middle, in ems. */
const HEAD_EDGE_TOLERANCE_EM = 0.15;
/** The same in bold type, which tells a head from prose: browsers leave room about the cells below that heads may lack. */
const BOLD_EDGE_TOLERANCE_EM = 0.4;

/**
 * Splits heads that stand as close to each other as words do, when the head of the table has a cell over every column.
 * Each must stand over its own column, and half of them must be level with it. A cell that really spans columns has
 * others below it.
 */
export function splitCloseHeads(head: TableRow, columns: readonly Column[]): TableRow {
  const cells = filled(head);
  const wide = cells.filter(({ columnSpan }) => columnSpan > 1);
  if (wide.length === 0 || columns.length < MIN_HEAD_COLUMNS || countCovered(head) < columns.length - 1) return head;
  const parted = wide.map((cell) => splitAtCorridors(cell, columns));
  if (parted.some((parts) => parts === undefined)) return head;
  const parts = parted.flatMap((of) => of ?? []);
  return { ...head, cells: head.cells.map((other, column) => parts.find((part) => part.column === column) ?? other) };
}

/** Returns a head for each of the columns; undefined when words stand over several of them, or over none. */
function splitAtCorridors(cell: RowCell, columns: readonly Column[]): RowCell[] | undefined {
  const parts = cell.lines.length > 1 ? undefined : splitAmong(cell, columns);
  const level = parts?.filter(({ column, lines }) => isLevel(lines.flat(), columns[column])) ?? [];
  if (parts === undefined || level.length * 2 < parts.length) return undefined;
  return parts.every((part) => standsOver(part, columns)) ? parts : undefined;
}

/**
 * Splits a cell among its columns: a word that begins right of one column is over the next. Undefined where nothing is
 * over one of them.
 */
export function splitAmong({ column, columnSpan, lines }: RowCell, columns: readonly Column[]): RowCell[] | undefined {
  const parts = Array.from({ length: columnSpan }, (_, index) => ({ column: column + index, words: [] as PageWord[] }));
  let at = 0;
  for (const word of lines.flat()) {
    if (at < columnSpan - 1 && word.x0 >= (columns[column + at]?.x1 ?? Infinity)) at++;
    parts[at]?.words.push(word);
  }
  if (parts.some(({ words }) => words.length === 0)) return undefined;
  return parts.map(({ words, ...place }) => ({ ...place, columnSpan: 1, lines: [words] }));
}

/** True when a head is over the middle of its column or level with it, and over no other one. */
function standsOver({ column, lines }: RowCell, columns: readonly Column[]): boolean {
  const words = lines.flat();
  const { x0, x1 } = stretchOf(words);
  return columns.every((other, index) =>
    index === column
      ? (x0 < middleOf(other) && x1 > middleOf(other)) || isLevel(words, other)
      : x0 >= other.x1 || x1 <= other.x0,
  );
}

function isLevel(words: readonly PageWord[], column: Column | undefined): boolean {
  if (column === undefined) return false;
  const tolerance = words.every(({ bold }) => bold) ? BOLD_EDGE_TOLERANCE_EM : HEAD_EDGE_TOLERANCE_EM;
  const off = (words[0]?.fontSize ?? 0) * tolerance;
  return areInLine(stretchOf(words), column, off);
}
