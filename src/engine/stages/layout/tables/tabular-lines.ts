import type { Area } from '../../../model/geometry.js';
import type { PageLine } from '../../../model/page.js';
import { isLeader } from '../lines/fragment.js';
import { hasCells } from '../lines/line-cells.js';
import { isBold } from '../lines/lines.js';
import { toRow } from './row-cells.js';
import { columnsBetween } from './table-columns.js';
import { filled, isAmount, isPlain } from './table-rows.js';

/** Has the line cells, or leaders? */
export function isTabular(line: PageLine | undefined): boolean {
  if (line === undefined || line.block !== undefined || line.direction === 'rtl') return false;
  return line.words.some(isLeader) || hasCells(line);
}

const LEAST_HEADS = 3;

const hasAmount = ({ words }: PageLine): boolean => words.some(({ text }) => isAmount(text));

/** Is the first line, of several cells, told to be a head: by bold type, or a rule below it? */
export function isHeaded(lines: readonly PageLine[], rules: readonly Area[]): boolean {
  const [first, second] = lines;
  if (first === undefined || second === undefined || first.apart.size + 1 < LEAST_HEADS) return false;
  const rows = lines.slice(1).filter(isTabular);
  // A label may be missing, but not in one row alone.
  const least = first.apart.size - (rows.length > 1 ? 1 : 0);
  if (!rows.some(({ apart }) => apart.size >= least) || hasAmount(first)) return false;
  if (isBold(first) && !isBold(second)) return true;
  return rules.some(({ y0 }) => y0 > first.baseline && y0 < second.baseline - second.fontSize * 0.5);
}

/** As many rows a table has at least above the head of the next one: heads of several lines stand above rows too. */
const LEAST_ROWS = 2;
/** As many above a head, and below it, tell as much as all: a run may have thousands, and a head in each other one. */
const MOST_ROWS = 50;

/**
 * Tells where, among the lines of a run from one to another, the bold head of another table stands: what is above it has
 * other columns than its own rows, and by themselves these are a table, as `isTable` knows. For runs one after the
 * other: those that end in one place have the same heads, but for those near where they begin.
 */
export function createHeadSearch(
  lines: readonly PageLine[],
  isTable: (lines: readonly PageLine[]) => boolean,
): (from: number, end: number) => number | undefined {
  let known = { end: 0, head: 0 };
  return (from, end) => {
    const settled = known.end === end ? known.head : 0;
    let head = from + 1;
    while (head + 1 < end && !isHeadOfNext(lines, { from, head, end }, isTable)) {
      head = Math.max(head + 1, head - from < MOST_ROWS ? 0 : settled);
    }
    known = { end, head };
    return head + 1 < end ? head : undefined;
  };
}

/** Is this line of a run the head of another table than the lines above it? */
function isHeadOfNext(
  lines: readonly PageLine[],
  { from, head, end }: { from: number; head: number; end: number },
  isTable: (lines: readonly PageLine[]) => boolean,
): boolean {
  const [line, above] = [lines[head], lines[head - 1]];
  if (line === undefined || above === undefined || !isBold(line) || isBold(above)) return false;
  const near = lines.slice(head, Math.min(end, head + MOST_ROWS));
  const first = endOfHead(near);
  const below = endOfRows(near, first);
  const rows = near.slice(first, below).filter(isTabular);
  const before = lines.slice(Math.max(from, head - MOST_ROWS), head).filter(isTabular);
  return haveOtherColumns(before, near.slice(0, first), rows) && isTable(near.slice(0, below));
}

/** The first line that is not bold. */
function endOfHead(lines: readonly PageLine[]): number {
  const end = lines.findIndex((line) => !isBold(line));
  return end === -1 ? lines.length : end;
}

/** Where the next head begins. */
function endOfRows(lines: readonly PageLine[], from: number): number {
  const end = lines.findIndex((line, index) => index > from && isBold(line) && line.apart.size + 1 >= LEAST_HEADS);
  return end === -1 ? lines.length : end;
}

/** Do the lines above cross the space between the columns of a head and its rows, or these the space between theirs? */
function haveOtherColumns(above: readonly PageLine[], head: readonly PageLine[], rows: readonly PageLine[]): boolean {
  if (rows.length === 0 || above.length < LEAST_ROWS || above.every(isBold) || head.some(hasAmount)) return false;
  const columns = columnsBetween([...head, ...rows]);
  const cells = head.map((line) => toRow(line, columns));
  if (!cells.every(isPlain) || !cells.some((row) => filled(row).length >= LEAST_HEADS)) return false;
  return columnsBetween([...above, ...head, ...rows]).length < Math.max(columnsBetween(above).length, columns.length);
}
