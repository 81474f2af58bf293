import type { PageWord } from '../../../model/page.js';
import { isBold, lineText } from '../lines/lines.js';

/** Cells of a line, or of several lines that make one row. */
export interface TableRow {
  /** One place for each column; undefined where no cell begins. */
  cells: (RowCell | undefined)[];
  baseline: number;
  fontSize: number;
  x0: number;
  /** True when leaders lead to the number that ends it. */
  isEntry?: boolean;
}

export interface RowCell {
  column: number;
  columnSpan: number;
  /** 1 where absent. */
  rowSpan?: number;
  /** Words of each of its lines. */
  lines: PageWord[][];
}

/** Largest step between rows, in ems. */
export const MAX_ROW_STEP_EM = 3.2;
/** Upper bound of the step between the lines of a row, in ems. */
export const MAX_WRAP_STEP_EM = 1.45;
/** Smallest step between the lines of one cell, in ems. */
export const MIN_LINE_STEP_EM = 0.85;

export function joinRow(row: TableRow, line: TableRow): TableRow {
  const cells = row.cells.map((cell, column) => {
    const more = line.cells[column];
    if (cell === undefined || more === undefined) return cell ?? more;
    const columnSpan = Math.max(cell.columnSpan, more.columnSpan);
    return { column, columnSpan, lines: [...cell.lines, ...more.lines] };
  });
  // A cell that begins under one that spans its column belongs to that one.
  for (const [column, cell] of cells.entries()) {
    const over = cells.slice(0, column).findLast((left) => left !== undefined);
    if (cell === undefined || over === undefined || over.column + over.columnSpan <= column) continue;
    over.lines = [...over.lines, ...cell.lines];
    cells[column] = undefined;
  }
  const { baseline, isEntry = row.isEntry } = line;
  return { cells, baseline, fontSize: row.fontSize, x0: Math.min(row.x0, line.x0), ...(isEntry && { isEntry }) };
}

/** True when the row has no cell but its label, if that. */
export const hasLabelAtMost = (row: TableRow): boolean => filled(row).every(({ column }) => column === 0);

export const filled = (row: TableRow): RowCell[] => row.cells.filter((cell) => cell !== undefined);
/** Counts the columns that cells of the row stand in. */
export const countCovered = (row: TableRow): number => filled(row).reduce((sum, { columnSpan }) => sum + columnSpan, 0);
export const textOf = (cell: RowCell | undefined): string => lineText({ words: cell?.lines.flat() ?? [] });

/** Codes that stand beside an amount in place of a sign. */
const CURRENCIES = /\b(?:AUD|BGN|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HUF|INR|JPY|NOK|NZD|PLN|RON|SEK|TRY|USD|ZAR)\b/g;
export const isNumeric = (text: string): boolean =>
  /^[\s\d.,:%\p{Sc}()+\-–—−*/]*\d[\s\d.,:%\p{Sc}()+\-–—−*/]*$/u.test(text.replace(CURRENCIES, ''));

/** Years in the forms that heads have: "2018", "2018/19", "2018-2019". */
const YEAR = /^(19|20)\d\d(\s?[/–-]\s?\d{2,4})?$/;

/** True for a figure other than a year, which stands in heads too. */
export const isAmount = (text: string): boolean => isNumeric(text) && !YEAR.test(text);

/** True when there are figures right of the label, other than years. */
export const hasData = ({ cells }: TableRow): boolean => cells.slice(1).some((cell) => isAmount(textOf(cell)));

/** True when no cell stands over several columns. */
export const isPlain = (row: TableRow): boolean => filled(row).every(({ columnSpan }) => columnSpan === 1);

export const isBoldCell = ({ lines }: RowCell): boolean => isBold({ words: lines.flat() });
