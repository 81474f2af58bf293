import type { Sink } from './sink.js';
import type { Style } from './style.js';
import { makeVisible } from './visible.js';

/** A table on a terminal; in a pipe one row a line, tab-separated, without a header. */
export async function renderTable(
  columns: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  sink: Sink,
  style: Style,
): Promise<string> {
  if (!sink.isTerminal) {
    return rows.map((row) => `${row.map((cell) => cell.replace(/[\t\r\n]+/g, ' ')).join('\t')}\n`).join('');
  }
  const { default: Table } = await import('cli-table3');
  const table = new Table({
    head: columns.map((name) => style.bold(name)),
    // Its own colours would come also where none are wanted.
    style: { head: [], border: [] },
    chars: BORDERLESS,
  });
  for (const row of rows) table.push(row.map((cell) => makeVisible(cell)));
  return `${table.toString().replace(/[ \t]+$/gm, '')}\n`;
}

const BORDERLESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' ',
};
