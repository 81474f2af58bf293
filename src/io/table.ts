import type { Sink } from './sink.js';
import type { Style } from './style.js';
import { makeVisible } from './visible.js';

/** Prose may be folded. Anything else stays whole, however narrow the terminal: ids, paths and commands are copied. */
export type Cell = string | { readonly prose: string };

/**
 * A table on a terminal, or where that is too narrow a card for each row; in a pipe one row a line, tab-separated,
 * without a header. Prose stands in the last column.
 */
export async function renderTable(
  columns: readonly string[],
  rows: ReadonlyArray<readonly Cell[]>,
  sink: Sink,
  styleOf: () => Promise<Style>,
): Promise<string> {
  if (!sink.isTerminal) return toTabSeparated(rows);
  const hasHeader = columns.some((name) => name !== '');
  const left = widthLeft(columns, rows, sink.columns);
  if (hasHeader && left < Math.min(LEAST_LAST_WIDTH, widthOf(columns, rows, columns.length - 1))) {
    const cards = rows.map((row) => columns.flatMap((name, i) => (textOf(row[i] ?? '') ? [[name, row[i] ?? '']] : [])));
    const shown = await Promise.all(cards.map((card) => renderTable(['', ''], card, sink, styleOf)));
    return shown.join('\n');
  }
  const [{ default: Table }, style] = await Promise.all([import('cli-table3'), styleOf()]);
  const width = Math.max(LEAST_LAST_WIDTH, left);
  const table = new Table({
    ...(hasHeader ? { head: columns.map((name) => style.bold(name)) } : {}),
    // Its own colours would come also where none are wanted.
    style: { head: [], border: [] },
    chars: BORDERLESS,
  });
  for (const row of rows) {
    table.push(
      row.map((cell) => (typeof cell === 'string' ? makeVisible(cell) : fold(makeVisible(cell.prose), width))),
    );
  }
  return `${table.toString().replace(/[ \t]+$/gm, '')}\n`;
}

export function toTabSeparated(rows: ReadonlyArray<readonly Cell[]>): string {
  return rows.map((row) => `${row.map((cell) => textOf(cell).replace(/[\t\r\n]+/g, ' ')).join('\t')}\n`).join('');
}

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.prose;
}

const PADDING = 2;
const LEAST_LAST_WIDTH = 24;

/** What the other columns leave of the terminal to the last one. */
function widthLeft(columns: readonly string[], rows: ReadonlyArray<readonly Cell[]>, terminal: number): number {
  const others = columns.slice(0, -1).map((_, i) => widthOf(columns, rows, i) + PADDING + 1);
  return others.reduce((left, width) => left - width, terminal - PADDING);
}

function widthOf(columns: readonly string[], rows: ReadonlyArray<readonly Cell[]>, column: number): number {
  const lines = rows.flatMap((row) => textOf(row[column] ?? '').split('\n'));
  return lines.reduce((widest, line) => Math.max(widest, line.length), (columns[column] ?? '').length);
}

/** At spaces: a longer word stays whole. */
function fold(text: string, width: number): string {
  return text.replace(new RegExp(`(?![^\\n]{1,${width}}$)([^\\n]{1,${width}})\\s`, 'gm'), '$1\n');
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
