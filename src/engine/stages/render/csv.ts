import type { Table } from '../../model/document.js';
import { tableRows } from './text.js';

/**
 * Renders a table as CSV (RFC 4180): commas, CRLF, quotes where a cell needs them. The text of a cell that spans
 * several stands in the first of them alone, so that no figure is counted twice. Cells are kept as the page has them,
 * also where a spreadsheet would take one for a formula.
 */
export function renderCsv(table: Table): string {
  return tableRows(table)
    .map(
      (cells) => `${cells.length === 1 ? quote(cells[0] ?? '', true) : cells.map((cell) => quote(cell)).join(',')}\r\n`,
    )
    .join('');
}

/** @param always true for a row of one empty cell, which would be an empty line */
function quote(cell: string, always = cell.includes('"')): string {
  return always || /[,\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
