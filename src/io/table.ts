import type { Sink } from './sink.js';
import type { Style } from './style.js';
import { makeVisible } from './visible.js';

/** A table on a terminal; in a pipe one row a line, tab-separated, without a header. */
export async function renderTable(
  columns: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  sink: Sink,
  styleOf: () => Promise<Style>,
): Promise<string> {
  if (!sink.isTerminal) return toTabSeparated(rows);
  const [{ default: Table }, style] = await Promise.all([import('cli-table3'), styleOf()]);
  const shown = rows.map((row) => row.map((cell) => makeVisible(cell)));
  const hasHeader = columns.some((name) => name !== '');
  const colWidths = fitWidths([columns, ...shown], sink.columns);
  const table = new Table({
    ...(hasHeader ? { head: columns.map((name) => style.bold(name)) } : {}),
    ...(colWidths === undefined ? {} : { colWidths, wordWrap: true }),
    // Its own colours would come also where none are wanted.
    style: { head: [], border: [] },
    chars: BORDERLESS,
  });
  for (const row of shown) table.push(row);
  return `${table.toString().replace(/[ \t]+$/gm, '')}\n`;
}

export function toTabSeparated(rows: ReadonlyArray<readonly string[]>): string {
  return rows.map((row) => `${row.map((cell) => cell.replace(/[\t\r\n]+/g, ' ')).join('\t')}\n`).join('');
}

const PADDING = 2;
const LEAST_LAST_WIDTH = 24;

/** Where the rows are wider than the terminal, the last column is folded into what the others leave; undefined where they fit. */
function fitWidths(rows: ReadonlyArray<readonly string[]>, columns: number): number[] | undefined {
  const count = rows[0]?.length ?? 0;
  const widthOf = (cell: string) => Math.max(...cell.split('\n').map((line) => line.length));
  const widths = Array.from(
    { length: count },
    (_, i) => Math.max(...rows.map((row) => widthOf(row[i] ?? ''))) + PADDING,
  );
  const whole = widths.reduce((sum, width) => sum + width + 1, -1);
  if (whole <= columns) return undefined;
  const last = widths.pop() ?? 0;
  const left = columns - (whole - last) - 1;
  return [...widths, Math.min(last, Math.max(LEAST_LAST_WIDTH, left))];
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
