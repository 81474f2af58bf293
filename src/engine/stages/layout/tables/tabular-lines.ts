import type { Area } from '../../../model/geometry.js';
import { takeUntil } from '../../../model/groups.js';
import type { PageLine } from '../../../model/page.js';
import { isLeader } from '../lines/fragment.js';
import { hasCells } from '../lines/line-cells.js';
import { isBold } from '../lines/lines.js';
import { toRow } from './row-cells.js';
import { columnsBetween } from './table-columns.js';
import { filled, isAmount, isPlain } from './table-rows.js';

/** True when the line has cells or leaders. */
export function isTabular(line: PageLine | undefined): boolean {
  if (line === undefined || line.block !== undefined || line.direction === 'rtl') return false;
  return line.words.some(isLeader) || hasCells(line);
}

const MIN_HEAD_CELLS = 3;

const hasAmount = ({ words }: PageLine): boolean => words.some(({ text }) => isAmount(text));

/** True when the first line has several cells and is a head by its bold type or by a rule below it. */
export function isHeaded(lines: readonly PageLine[], rules: readonly Area[]): boolean {
  const [first, second] = lines;
  if (first === undefined || second === undefined || first.apart.size + 1 < MIN_HEAD_CELLS) return false;
  const rows = lines.slice(1).filter(isTabular);
  // A row may lack its label, but not when it is the only one.
  const least = first.apart.size - (rows.length > 1 ? 1 : 0);
  if (!rows.some(({ apart }) => apart.size >= least) || hasAmount(first)) return false;
  if (isBold(first) && !isBold(second)) return true;
  return rules.some(({ y0 }) => y0 > first.baseline && y0 < second.baseline - second.fontSize * 0.5);
}

/** Lower bound of the rows of a table above the head of the next one: heads of several lines stand above rows too. */
const MIN_ROWS = 2;
/**
 * Upper bound of the rows read above a head and below it. They tell as much as all: a run may have thousands of lines,
 * and a head in every other one.
 */
const MAX_ROWS_READ = 50;

/**
 * Creates the search for the bold head of another table among the lines of a run. The lines above that head have other
 * columns than its rows, and head and rows are a table by themselves (`isTable`). Runs are searched one after the
 * other: those with the same end share their heads, except for heads near their beginning.
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
      head = Math.max(head + 1, head - from < MAX_ROWS_READ ? 0 : settled);
    }
    known = { end, head };
    return head + 1 < end ? head : undefined;
  };
}

/** True when this line of a run is the head of another table than the lines above it. */
function isHeadOfNext(
  lines: readonly PageLine[],
  { from, head, end }: { from: number; head: number; end: number },
  isTable: (lines: readonly PageLine[]) => boolean,
): boolean {
  const [line, above] = [lines[head], lines[head - 1]];
  if (line === undefined || above === undefined || !isBold(line) || isBold(above)) return false;
  const near = lines.slice(head, Math.min(end, head + MAX_ROWS_READ));
  const heads = takeUntil(near, (other) => !isBold(other));
  const beginsNext = (other: PageLine) => isBold(other) && other.apart.size + 1 >= MIN_HEAD_CELLS;
  const table = takeUntil(near, (other, index) => index > heads.length && beginsNext(other));
  const rows = table.slice(heads.length).filter(isTabular);
  const before = lines.slice(Math.max(from, head - MAX_ROWS_READ), head).filter(isTabular);
  return haveOtherColumns(before, heads, rows) && isTable(table);
}

/**
 * True when the lines above cross the space between the columns of the head and its rows, or those cross the space
 * between the columns above.
 */
function haveOtherColumns(above: readonly PageLine[], head: readonly PageLine[], rows: readonly PageLine[]): boolean {
  if (rows.length === 0 || above.length < MIN_ROWS || above.every(isBold) || head.some(hasAmount)) return false;
  const columns = columnsBetween([...head, ...rows]);
  const cells = head.map((line) => toRow(line, columns));
  if (!cells.every(isPlain) || !cells.some((row) => filled(row).length >= MIN_HEAD_CELLS)) return false;
  return columnsBetween([...above, ...head, ...rows]).length < Math.max(columnsBetween(above).length, columns.length);
}
