import type { Area } from '../../../model/geometry.js';
import { takeUntil } from '../../../model/groups.js';
import type { Fragment, PageLine, PageTable } from '../../../model/page.js';
import { stepsOf } from '../lines/line-pitch.js';
import { readHeadedTable } from './from-rows.js';
import { findHeads } from './open-heads.js';
import { toRow } from './row-cells.js';
import { linesOfTable } from './table.js';
import { copyLines, isCutBy, isNoCell, within } from './table-area.js';
import { columnsBetween, MIN_CORRIDOR_EM } from './table-columns.js';
import { type FoundTable, type FoundTables, moveTable } from './table-finder.js';
import { filled, hasLabelAtMost, isBoldCell, isNumeric, MAX_ROW_STEP_EM, type TableRow, textOf } from './table-rows.js';
import type { Rules } from './table-rules.js';
import { labelledBands, rowsOfBands } from './wrapped-rows.js';

/** Upper bound of the rules on a page: a page with more of them is a form or a drawing. */
const MAX_RULES_ON_PAGE = 500;
/** Ratio to the widest step above from which a line that stands alone is no row. */
const MIN_APART_RATIO = 1.2;
/** Distance at which a vertical rule touches a table, in points. */
const TOUCH_DISTANCE = 3;
/** Upper bound of the lines of a table on one page. */
const MAX_TABLE_LINES = 150;

/**
 * Takes tables out of the flow that have a rule below their head and rows apart from each other, but not rules at both
 * the head and the end: tables that continue on the next page, and tables drawn with one rule. They end where their
 * columns do.
 */
export function takeOpenTables(before: FoundTables, { horizontal, vertical }: Rules): FoundTables {
  if (horizontal.length > MAX_RULES_ON_PAGE) return before;
  let found = before;
  for (const head of findHeads(before.rest, horizontal)) {
    const table = findTable(head, found.rest);
    // The fields of forms stand between vertical rules.
    if (table === undefined || vertical.some((side) => touches(side, table.area))) continue;
    found = moveTable(found, table);
  }
  return found;
}

const touches = (side: Area, { x0, y0, x1, y1 }: Area): boolean =>
  side.x0 > x0 - TOUCH_DISTANCE && side.x0 < x1 + TOUCH_DISTANCE && side.y0 < y1 && side.y1 > y0;

function findTable(head: Area, all: readonly Fragment[]): FoundTable | undefined {
  const column = { ...head, y1: Infinity };
  const cut = all.filter((fragment) => isCutBy(fragment, column)).map(({ baseline, fontSize }) => baseline - fontSize);
  const pieces = within(all, column).filter(isNoCell);
  const inside = { ...column, y1: Math.min(...cut, ...pieces.map(({ y0 }) => y0)) };
  const text = within(all, inside).filter((fragment) => !isNoCell(fragment));
  const lines = copyLines(text).slice(0, MAX_TABLE_LINES);
  const count = lines.filter(({ baseline }) => baseline < head.y1).length;
  const table = toTable(takeOwn(lines, count), count);
  if (table === undefined) return undefined;
  const words = linesOfTable(table).flatMap((line) => line.words);
  const last = Math.max(...words.map(({ baseline }) => baseline));
  const area = { ...head, y1: last + 1 };
  const fragments = within(all, { ...inside, y1: last });
  return { table, area, fragments };
}

/** Takes the lines, from the top, that keep the columns of the head: each further line leaves as many columns or fewer. */
function takeOwn(lines: readonly PageLine[], head: number): PageLine[] {
  const least = countColumns(lines.slice(0, head));
  const near = takeNear(lines, head);
  let [count, most] = [head, near.length];
  while (count < most) {
    const middle = Math.ceil((count + most) / 2);
    if (columnsBetween(near.slice(0, middle), MIN_CORRIDOR_EM).length >= least) count = middle;
    else most = middle - 1;
  }
  return near.slice(0, count);
}

/** Takes the lines that no wide space parts from the others. */
function takeNear(lines: readonly PageLine[], head: number): PageLine[] {
  const steps = [0, ...stepsOf(lines)];
  return takeUntil(lines, (line, index) => {
    if (index < head) return false;
    const step = steps[index] ?? 0;
    if (step > line.fontSize * MAX_ROW_STEP_EM) return true;
    return step > Math.max(...steps.slice(1, index)) * MIN_APART_RATIO && isAlone(line, lines.slice(0, index));
  });
}

/** True when the line stands in the first column alone. */
const isAlone = (line: PageLine, above: readonly PageLine[]): boolean =>
  hasLabelAtMost(toRow(line, columnsBetween(above, MIN_CORRIDOR_EM)));

const countColumns = (head: readonly PageLine[]): number =>
  Math.max(columnsBetween(head).length, ...head.map(({ apart }) => apart.size + 1));

function toTable(lines: readonly PageLine[], count: number): PageTable | undefined {
  if (lines.length < count + 2) return undefined;
  const least = Math.max(2, countColumns(lines.slice(0, count)));
  const columns = columnsBetween(lines, MIN_CORRIDOR_EM);
  if (columns.length < least) return undefined;
  return readHeadedTable(lines, columns, count, {
    isHead: (row) => isHead(row, columns.length),
    toRows,
  });
}

/**
 * Share of the rows with figures above which two columns must wrap: figures whose labels alone wrap make a table that
 * is found by other means.
 */
const MAX_FIGURE_ROW_SHARE = 0.25;

function toRows(lines: readonly TableRow[]): TableRow[] | undefined {
  const bands = labelledBands(lines);
  if (bands === undefined) return undefined;
  const withFigures = bands.filter((band) => band.some(hasFigures)).length;
  return rowsOfBands(bands, withFigures > bands.length * MAX_FIGURE_ROW_SHARE ? 2 : 1);
}

const hasFigures = (row: TableRow): boolean => filled(row).some((cell) => cell.column > 0 && isNumeric(textOf(cell)));

/** True for a figure or the label of a field. */
const isNoHead = (text: string): boolean => isNumeric(text) || /[:：]$/.test(text);

/** True when all words are set alike and stand over all columns but that of the labels. */
function isHead(row: TableRow, columns: number): boolean {
  const cells = filled(row);
  const texts = cells.map(textOf);
  const bold = cells.filter(isBoldCell).length;
  if (row.cells.slice(1, columns).some((cell) => cell === undefined) || texts.some(isNoHead)) return false;
  return bold === 0 || bold === cells.length;
}
