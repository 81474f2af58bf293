import { makeOneLine, makeVisible } from '../../contract/visible.js';
import type { Sink } from '../terminal/sink.js';
import type { Style } from '../terminal/style.js';

/**
 * Text stays whole, however narrow the terminal: ids and commands are copied. On a terminal prose may be folded, a line
 * is one whatever is in it, a state has its colour, a path is a line that may be shown by its end, and in a table there
 * `short` stands for `whole`.
 */
export type Cell =
  | string
  | { readonly prose: string }
  | { readonly line: string }
  | { readonly state: string }
  | { readonly path: string }
  | { readonly whole: string; readonly short: string };

type Omission = 'early' | 'narrow' | 'narrowest' | 'empty';

/**
 * A terminal that is too narrow leaves out columns one after the other, from the left: first those marked `early`, then those
 * for `narrow`, then those for `narrowest`.
 */
export type Column = string | { readonly name: string; readonly omitWhen: Omission };

type Row = readonly Cell[];

/**
 * A table on a terminal, or where that is too narrow a card for each row; in a pipe one row a line, tab-separated,
 * without a header.
 */
export async function renderTable(
  columns: readonly Column[],
  rows: readonly Row[],
  sink: Sink,
  styleOf: () => Promise<Style>,
): Promise<string> {
  if (!sink.isTerminal) return toTabSeparated(rows, makeOneLine);
  // cli-table3 pads by the same function, so that a table is as wide as it is planned here.
  const { default: columnsOf } = await import('string-width');
  const names = columns.map(nameOf);
  if (names.every((name) => name === '')) {
    // A path is shortened only where it has no room below its name either.
    const widths = findWidths(names, rows, sink.columns, columnsOf, Number.POSITIVE_INFINITY);
    if (widths.fit) return await draw(names, rows, widths, columnsOf, styleOf);
    return drawNarrow(rows, sink.columns, columnsOf, await styleOf());
  }
  let shown = [...columns.keys()].filter(
    (i) => omissionOf(columns[i]) !== 'empty' || rows.some((row) => textOf(row[i])),
  );
  for (let leastPath = MIN_PATH_WIDTH; ; ) {
    const shownNames = shown.map((i) => names[i] ?? '');
    const shownRows = rows.map((row) => shown.map((i) => shortOf(row[i])));
    const widths = findWidths(shownNames, shownRows, sink.columns, columnsOf, leastPath);
    if (widths.fit) return await draw(shownNames, shownRows, widths, columnsOf, styleOf);
    const unneeded = IN_ORDER.map((omission) => shown.find((i) => omissionOf(columns[i]) === omission)).find(
      (i) => i !== undefined,
    );
    if (unneeded !== undefined) shown = shown.filter((i) => i !== unneeded);
    // All that is left is needed: ends of paths that say less are better than cards.
    else if (leastPath === MIN_PATH_WIDTH) leastPath = MIN_PATH_WIDTH / 2;
    else break;
  }
  const cards = rows.map((row) => names.flatMap((name, i) => (textOf(row[i]) ? [[name, wholeOf(row[i])]] : [])));
  return (await Promise.all(cards.map((card) => renderTable(['', ''], card, sink, styleOf)))).join('\n');
}

/** `show` prepares the text of each cell; without it the text stays as a document has it. */
export function toTabSeparated(rows: readonly Row[], show = (text: string) => text): string {
  return rows.map((row) => `${row.map((cell) => show(textOf(cell).replace(/[\t\r\n]+/g, ' '))).join('\t')}\n`).join('');
}

function nameOf(column: Column): string {
  return typeof column === 'string' ? column : column.name;
}

const IN_ORDER: readonly Omission[] = ['early', 'narrow', 'narrowest'];

function omissionOf(column: Column = ''): Omission | undefined {
  return typeof column === 'string' ? undefined : column.omitWhen;
}

function textOf(cell: Cell = ''): string {
  if (typeof cell === 'string') return cell;
  if ('prose' in cell) return cell.prose;
  if ('line' in cell) return cell.line;
  if ('state' in cell) return cell.state;
  return 'path' in cell ? cell.path : cell.whole;
}

function shortOf(cell: Cell = ''): Cell {
  return typeof cell === 'object' && 'short' in cell ? cell.short : cell;
}

/** For a card, which has room. */
function wholeOf(cell: Cell = ''): Cell {
  return typeof cell === 'object' && 'whole' in cell ? cell.whole : cell;
}

const GAP = '  ';
const MIN_PROSE_WIDTH = 24;
const MIN_PATH_WIDTH = 16;

/** Terminal columns that a line takes. */
type ColumnsOf = (line: string) => number;

interface Widths {
  /** Width of each column. */
  of: number[];
  /** Within the terminal. */
  fit: boolean;
}

/** Gives cells that can be folded or shortened the space that the others leave, from the left. */
function findWidths(
  names: readonly string[],
  rows: readonly Row[],
  terminal: number,
  columnsOf: ColumnsOf,
  leastPath = MIN_PATH_WIDTH,
): Widths {
  const wanted = names.map((name, i) => widest(name, rows, i, columnsOf, () => Number.POSITIVE_INFINITY));
  const least = names.map((name, i) => widest(name, rows, i, columnsOf, (cell) => minWidthOf(cell, leastPath)));
  let left = least.reduce((rest, width) => rest - width, terminal - GAP.length * (names.length - 1));
  // Prose stays within the terminal even where other text is wider.
  if (left < 0) return { of: least.map((width) => Math.max(MIN_PROSE_WIDTH, width + left)), fit: false };
  const of = least.map((width, i) => {
    const more = Math.min(left, (wanted[i] ?? 0) - width);
    left -= more;
    return width + more;
  });
  return { of, fit: true };
}

/** Columns that the widest cell of a column takes, none of them more than it has to. */
function widest(
  name: string,
  rows: readonly Row[],
  column: number,
  columnsOf: ColumnsOf,
  most: (cell: Cell) => number,
): number {
  return rows.reduce((width, row) => {
    const cell = row[column] ?? '';
    const lines = shownOf(cell).split('\n');
    return Math.max(width, Math.min(Math.max(...lines.map(columnsOf)), most(cell)));
  }, name.length);
}

/** On a terminal. */
function shownOf(cell: Cell): string {
  const isLine = typeof cell === 'object' && ('path' in cell || 'line' in cell || 'state' in cell);
  return isLine ? makeOneLine(textOf(cell)) : makeVisible(textOf(cell));
}

function minWidthOf(cell: Cell, leastPath: number): number {
  if (typeof cell === 'string' || 'line' in cell || 'state' in cell) return Number.POSITIVE_INFINITY;
  return 'prose' in cell ? MIN_PROSE_WIDTH : leastPath;
}

async function draw(
  names: readonly string[],
  rows: readonly Row[],
  { of: widths }: Widths,
  columnsOf: ColumnsOf,
  styleOf: () => Promise<Style>,
): Promise<string> {
  const [{ default: Table }, style] = await Promise.all([import('cli-table3'), styleOf()]);
  const table = new Table({
    ...(names.some((name) => name !== '') ? { head: names.map((name) => style.bold(name)) } : {}),
    // Its own colours would come also where none are wanted.
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    chars: BORDERLESS,
  });
  for (const row of rows) table.push(row.map((cell, i) => fitCell(cell, { width: widths[i] ?? 0, columnsOf, style })));
  return `${table.toString().replace(/[ \t]+$/gm, '')}\n`;
}

/** Draws properties on a terminal that is too narrow for some of them: the value of such a one stands below its name. */
function drawNarrow(rows: readonly Row[], terminal: number, columnsOf: ColumnsOf, style: Style): string {
  const nameWidth = Math.max(...rows.map(([name = '']) => columnsOf(shownOf(name)))) + GAP.length;
  const lines = rows.flatMap(([name = '', value = '']) => {
    const isPath = typeof value === 'object' && 'path' in value;
    const width = isPath ? Number.POSITIVE_INFINITY : terminal - nameWidth;
    const beside = fitCell(value, { width, columnsOf, style }).split('\n');
    const label = shownOf(name);
    if (beside.every((line) => nameWidth + columnsOf(line) <= terminal)) {
      const gap = ' '.repeat(nameWidth - columnsOf(label));
      return beside.map((line, i) => (i === 0 ? `${label}${gap}${line}` : `${' '.repeat(nameWidth)}${line}`));
    }
    const below = fitCell(value, { width: terminal - GAP.length, columnsOf, style }).split('\n');
    return [label, ...below.map((line) => `${GAP}${line}`)];
  });
  return `${lines.join('\n').replace(/[ \t]+$/gm, '')}\n`;
}

interface FitOptions {
  width: number;
  columnsOf: ColumnsOf;
  style: Style;
}

function fitCell(cell: Cell, { width, columnsOf, style }: FitOptions): string {
  const text = shownOf(cell);
  if (typeof cell === 'object' && 'state' in cell) return paintState(text, style);
  if (typeof cell === 'string' || 'line' in cell || columnsOf(text) <= width) return text;
  if ('prose' in cell) return fold(text, width);
  const left = [...text];
  while (columnsOf(left.join('')) >= width) left.shift();
  return `…${left.join('')}`;
}

const GOOD_STATES = new Set(['completed', 'delivered', 'active', 'ready']);
const BAD_STATES = new Set(['failed', 'gone', 'dead', 'revoked', 'expired', 'suspended', 'cancelled']);
const OPEN_STATES = new Set(['queued', 'processing', 'sending', 'interrupted', 'pending']);

/** The colour repeats what the first word of the state says: where there is none, nothing is lost. */
function paintState(text: string, style: Style): string {
  const [word = ''] = text.split(' ');
  if (GOOD_STATES.has(word)) return style.green(text);
  if (BAD_STATES.has(word)) return style.red(text);
  return OPEN_STATES.has(word) ? style.yellow(text) : text;
}

/** Folds text at spaces: a longer word stays whole. */
export function fold(text: string, width: number): string {
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
  middle: GAP,
};
