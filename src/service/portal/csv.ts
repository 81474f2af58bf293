/** Beginnings that a spreadsheet takes for a formula, behind spaces too. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

/** Renders a line of CSV (RFC 4180). A text that would be a formula gets an apostrophe, which spreadsheets do not show. */
export function renderCsvLine(cells: ReadonlyArray<string | number | null>): string {
  return `${cells.map(renderCell).join(',')}\r\n`;
}

function renderCell(cell: string | number | null): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
