import type { PlacedWord } from '../laid.js';
import type { Column } from './table-columns.js';
import { filled, type RowCell, type TableRow } from './table-rows.js';

const LEAST_COLUMNS = 4;
/** How far, in ems, a head may begin or end off its column and still be level with it. */
const OFF = 0.15;

/**
 * The head of a table, where it has a cell over each column but that two heads stand as close to each other as words do:
 * they are told by one of them beginning or ending where its column does. A cell that really spans two columns has others
 * below it.
 */
export function partCloseHeads(head: TableRow, columns: readonly Column[]): TableRow {
  const cells = filled(head);
  const wide = cells.filter(({ columnSpan }) => columnSpan > 1);
  const [cell] = wide;
  if (cell === undefined || wide.length > 1 || cell.columnSpan > 2 || cell.lines.length > 1) return head;
  if (columns.length < LEAST_COLUMNS || cells.length < columns.length - 1) return head;
  const parts = partAtCorridor(cell, columns);
  if (parts === undefined) return head;
  return { ...head, cells: head.cells.map((other, column) => parts.find((part) => part.column === column) ?? other) };
}

/** The heads of both columns; undefined where the words stand over both of them. */
function partAtCorridor({ column, lines: [words = []] }: RowCell, columns: readonly Column[]): RowCell[] | undefined {
  const [left, right] = [columns[column], columns[column + 1]];
  if (left === undefined || right === undefined) return undefined;
  for (let at = 1; at < words.length; at++) {
    const parts = [words.slice(0, at), words.slice(at)] as const;
    if (!standsOver(parts[0], left, right) || !standsOver(parts[1], right, left)) continue;
    if (isLevel(parts[0], left) || isLevel(parts[1], right))
      return parts.map((part, index) => ({ column: column + index, columnSpan: 1, lines: [part] }));
  }
  return undefined;
}

const startOf = (words: readonly PlacedWord[]): number => words[0]?.x0 ?? 0;
const endOf = (words: readonly PlacedWord[]): number => words.at(-1)?.x1 ?? 0;

function standsOver(words: readonly PlacedWord[], own: Column, other: Column): boolean {
  const middle = (own.x0 + own.x1) / 2;
  const isOverOther = startOf(words) < other.x1 && endOf(words) > other.x0;
  return startOf(words) < middle && endOf(words) > middle && !isOverOther;
}

function isLevel(words: readonly PlacedWord[], { x0, x1 }: Column): boolean {
  const off = (words[0]?.fontSize ?? 0) * OFF;
  return Math.abs(startOf(words) - x0) < off || Math.abs(endOf(words) - x1) < off;
}
