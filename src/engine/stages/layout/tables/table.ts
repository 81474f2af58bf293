import { asFragment, createFragment } from '../../../model/fragment.js';
import { type Area, boundsOf } from '../../../model/geometry.js';
import type { Fragment, PageLine, PageTable, PageWord } from '../../../model/page.js';
import { isRtl, readsFromRight } from '../../../model/text-direction.js';
import { buildLines } from '../lines/lines.js';

export function standForTable(table: PageTable, area: Area): Fragment {
  const lines = linesOfTable(table);
  const words = lines.flatMap((line) => line.words);
  return asFragment(words, { kind: 'table', lines, table }, area);
}

/** Returns a line that stands for the table that these lines make. */
export function tableLine(table: PageTable, lines: readonly PageLine[]): PageLine {
  return { ...standForTable(table, boundsOf(lines.flatMap(({ words }) => words))), apart: new Set() };
}

export const linesOfTable = (table: PageTable): PageLine[] => table.cells.flatMap(({ lines }) => lines);

/** Returns the rows of a table as lines from its one side to the other. */
export function rowsOfTable(whole: Fragment, { rows, cells }: PageTable): Fragment[] {
  const byRow = Array.from({ length: rows }, (): PageLine[] => []);
  for (const { row, lines } of cells) byRow[row]?.push(...lines);
  return byRow.flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, x0: whole.x0, x1: whole.x1, words: [first, ...others].flatMap(({ words }) => words) }],
  );
}

/** Builds the lines of one cell from its words. */
export const layOutCell = (words: readonly PageWord[]): PageLine[] =>
  buildLines(words.map((word, order) => createFragment([word], order)));

/** Counts the columns of a table in Hebrew or Arabic from the right. */
export function countFromReadingSide(table: PageTable): PageTable {
  const words = linesOfTable(table).flatMap((line) => line.words);
  if (!words.some(({ text }) => isRtl(text)) || !readsFromRight(words)) return table;
  const cells = table.cells.map((cell) => ({ ...cell, column: table.columns - cell.column - cell.columnSpan }));
  return { ...table, cells: cells.sort((a, b) => a.row - b.row || a.column - b.column) };
}

/** Removes rows and columns in which no cell begins, except columns that are `drawn`: their neighbours span them. */
export function dropEmpty(table: PageTable, drawn: readonly number[] = []): PageTable {
  const filled = table.cells.filter(({ lines }) => lines.length > 0);
  const rows = [...new Set(filled.map(({ row }) => row))].sort((a, b) => a - b);
  const columns = [...new Set([...filled.map(({ column }) => column), ...drawn])].sort((a, b) => a - b);
  if (rows.length === table.rows && columns.length === table.columns) return table;
  const countWithin = (kept: readonly number[], from: number, span: number) =>
    kept.filter((index) => index >= from && index < from + span).length;
  const cells = table.cells.flatMap((cell) => {
    const rowSpan = countWithin(rows, cell.row, cell.rowSpan);
    const columnSpan = countWithin(columns, cell.column, cell.columnSpan);
    if (rowSpan === 0 || columnSpan === 0) return [];
    const row = rows.findIndex((index) => index >= cell.row);
    const column = columns.findIndex((index) => index >= cell.column);
    return [{ ...cell, row, column, rowSpan, columnSpan }];
  });
  return { rows: rows.length, columns: columns.length, cells };
}
