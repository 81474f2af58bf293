import type { Sink } from './sink.js';
import type { Style } from './style.js';
import { makeVisible } from './visible.js';

/** Prose may be folded. Anything else stays whole, however narrow the terminal: ids, paths and commands are copied. */
export type Cell = string | { readonly prose: string };

/** A table on a terminal; in a pipe one row a line, tab-separated, without a header. Prose stands in the last column. */
export async function renderTable(
  columns: readonly string[],
  rows: ReadonlyArray<readonly Cell[]>,
  sink: Sink,
  styleOf: () => Promise<Style>,
): Promise<string> {
  if (!sink.isTerminal) return toTabSeparated(rows);
  const [{ default: Table }, style] = await Promise.all([import('cli-table3'), styleOf()]);
  const width = widthOfLast(columns, rows, sink.columns);
  const hasHeader = columns.some((name) => name !== '');
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

/** What the other columns leave of the terminal. */
function widthOfLast(columns: readonly string[], rows: ReadonlyArray<readonly Cell[]>, terminal: number): number {
  const others = columns.slice(0, -1).map((name, i) => {
    const lines = rows.flatMap((row) => textOf(row[i] ?? '').split('\n'));
    return lines.reduce((widest, line) => Math.max(widest, line.length), name.length) + PADDING + 1;
  });
  return Math.max(
    LEAST_LAST_WIDTH,
    others.reduce((left, width) => left - width, terminal - PADDING),
  );
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
