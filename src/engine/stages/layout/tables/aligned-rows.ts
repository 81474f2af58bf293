import { countBy } from '../../../model/counts.js';
import type { Area } from '../../../model/geometry.js';
import type { PageLine, PageTable } from '../../../model/page.js';
import { lastText } from '../lines/line-room.js';
import { isBullet } from '../markers.js';
import { type Evidence, isSentence } from './captions.js';
import { splitCloseColumns } from './close-columns.js';
import { splitCloseHeads } from './close-heads.js';
import { tableEndsAbove } from './closed-tables.js';
import { fromRows } from './from-rows.js';
import { joinCentred, joinWrapped } from './join-wrapped.js';
import { endsInNote, isFormula, isFramed, isListing, isListOfTerms, isRunningText, isSparse } from './not-tables.js';
import { toRow } from './row-cells.js';
import { spanHeads, spanRows } from './spanning-heads.js';
import { tableLine } from './table.js';
import { type Column, hasWideSpace, isAligned, MIN_CORRIDOR_EM, proposeColumns } from './table-columns.js';
import { headLength } from './table-heads.js';
import { isNumeric, MAX_ROW_STEP_EM, MIN_LINE_STEP_EM, type TableRow } from './table-rows.js';
import { areSeparated, type Rules, rulesAmong } from './table-rules.js';
import { areRows, isHeaded, isTabular } from './tabular-lines.js';
import { areFields } from './wrapped-rows.js';

/** Largest step between two rows that a rule parts, or whose cells alone show that they are rows, in ems. */
const MAX_FAR_ROW_STEP_EM = 7;
const MAX_SINGLE_LINES = 2;
/** Upper bound of the lines of one label, with the titles of sections above it. */
const MAX_LABEL_LINES = 4;
/** Ratio to the type of the table from which a line is too large to stand within it. */
export const MIN_LARGER_RATIO = 1.15;

/** Returns the end of a run of lines that follow each other closely, most of them tabular. */
export function endOfRun(lines: readonly PageLine[], from: number, rules: Rules): number {
  let end = from + 1;
  let single = 0;
  let largest = 0;
  let tightest = Infinity;
  let widest = 0;
  for (let index = from + 1; index < lines.length; index++) {
    const [line, previous] = [lines[index], lines[index - 1]];
    if (line === undefined || previous === undefined || line.block !== undefined || line.direction === 'rtl') break;
    const size = Math.max(line.fontSize, previous.fontSize);
    const step = line.baseline - previous.baseline;
    const isFar = step > size * MAX_ROW_STEP_EM;
    if (isFar && !(step <= size * MAX_FAR_ROW_STEP_EM && isFarRow(lines, from, index, rules))) break;
    if (tableEndsAbove(lines, from, index, widest, rules)) break;
    widest = Math.max(widest, step);
    // A line in larger type is the heading of what follows.
    largest = Math.max(largest, previous.fontSize);
    const below = Math.max(largest, lines[index + 1]?.fontSize ?? 0);
    const isApart = step > Math.min(tightest, size * MAX_TEXT_STEP_EM) * 1.1;
    tightest = Math.min(tightest, step);
    const above = lines.slice(from, index);
    const isRow = isTabular(line) || isRowOfCells(line, above) || endsInCell(line, above);
    if (!isRow && (line.fontSize > below * MIN_LARGER_RATIO || (isApart && crossesCells(line, lines.slice(from, end)))))
      break;
    if (!isRow && isItemAcross(line, above)) break;
    const rest = !isRow && continuesCell(line, above);
    // The line belongs to the cell of the single line above it.
    if (rest && single > 0) continue;
    if (isRow || rest) {
      single = 0;
      end = index + 1;
    } else if (++single > (isLabel(line, lines[end - 1]) ? MAX_LABEL_LINES : MAX_SINGLE_LINES)) break;
  }
  // Lines that wrap in a cell of the last row stand right of where the row begins.
  for (let index = end; index < lines.length; index++) {
    const [line, first, previous] = [lines[index], lines[from], lines[index - 1]];
    if (line === undefined || first === undefined || previous === undefined || line.block !== undefined) break;
    const tight = line.baseline - previous.baseline < line.fontSize * 1.5;
    const beside = line.baseline - previous.baseline < line.fontSize * MIN_LINE_STEP_EM;
    if (!beside && (!tight || line.x0 < first.x0 + line.fontSize * 3)) break;
    end = index + 1;
  }
  return end;
}

/** True when a rule parts a line from the one above it, or its cells stand below those of the last row. */
function isFarRow(lines: readonly PageLine[], from: number, index: number, rules: Rules): boolean {
  const [line, previous] = [lines[index], lines[index - 1]];
  if (line === undefined || previous === undefined || !isTabular(line)) return false;
  if (areSeparated(previous, line, rules)) return true;
  const row = lines.slice(from, index).findLast(isTabular);
  return row !== undefined && areRows(row, line);
}

/** The left ends of the cells of a line but the first. */
const startsOf = ({ words, apart }: PageLine): number[] => [...apart].map((index) => words[index]?.x0 ?? 0);

/** Tolerance of cells that begin or end below each other, in points. */
const CELL_EDGE_TOLERANCE = 0.7;

/**
 * True when the words that stand further apart than those of a phrase begin or end below the cells of the row above. A
 * row whose cells are all full has no wider space.
 */
function isRowOfCells(line: PageLine, above: readonly PageLine[]): boolean {
  const at = above.findLastIndex(isTabular);
  const row = above[at];
  const other = above.slice(0, Math.max(0, at)).findLast(isTabular);
  if (row === undefined || other === undefined) return false;
  if (Math.min(Math.abs(line.x0 - row.x0), Math.abs(line.x1 - row.x1)) > CELL_EDGE_TOLERANCE) return false;
  const least = line.fontSize * MIN_CORRIDOR_EM;
  const gaps = line.words.slice(1).flatMap(({ x0 }, index) => {
    const end = line.words[index]?.x1 ?? x0;
    return x0 - end > least ? [{ x0: end, x1: x0 }] : [];
  });
  if (gaps.length < row.apart.size) return false;
  return [...row.apart].every((start) => {
    const [left, right] = [row.words[start - 1]?.x1 ?? 0, row.words[start]?.x0 ?? 0];
    return gaps.some(
      ({ x0, x1 }) => Math.abs(x1 - right) < CELL_EDGE_TOLERANCE || Math.abs(x0 - left) < CELL_EDGE_TOLERANCE,
    );
  });
}

/** True when the line stands under a cell that is not the first of its row, level with its left side. */
function continuesCell(line: PageLine, above: readonly PageLine[]): boolean {
  const row = rowBeside(line, above);
  return row !== undefined && startsOf(row).some((start) => Math.abs(start - line.x0) < line.fontSize * 0.5);
}

/** True when the line ends in a figure, level with the right side of a cell that is not the first of the row above. */
function endsInCell(line: PageLine, above: readonly PageLine[]): boolean {
  const row = isNumeric(lastText(line)) ? rowBeside(line, above) : undefined;
  if (row === undefined) return false;
  const [, ...starts] = row.apart;
  const ends = [...starts, row.words.length].map((next) => row.words[next - 1]?.x1 ?? 0);
  return ends.some((end) => Math.abs(end - line.x1) < line.fontSize * 0.5);
}

/** Returns the row above a line that begins right of its label. */
function rowBeside(line: PageLine, above: readonly PageLine[]): PageLine | undefined {
  const row = above.findLast(isTabular);
  return row === undefined || line.x0 < row.x0 + line.fontSize * 3 ? undefined : row;
}

/** True for an item with a bullet that begins below the label of the row above and ends behind where its last cell begins. */
function isItemAcross(line: PageLine, above: readonly PageLine[]): boolean {
  const row = above.findLast(isTabular);
  const [bullet, text] = line.words;
  if (row === undefined || bullet === undefined || text === undefined || !isBullet(bullet.text)) return false;
  return line.x0 < row.x0 + line.fontSize * 3 && line.x1 > Math.max(...startsOf(row));
}

/** Largest step between lines of text, in ems: lines further apart are two paragraphs. */
const MAX_TEXT_STEP_EM = 1.5;

/** True when many words reach from the label of the row above over the cells beside it. */
function crossesCells(line: PageLine, above: readonly PageLine[]): boolean {
  const row = above.findLast(isTabular);
  const parts = row === undefined ? [] : startsOf(row);
  return line.x0 <= Math.min(...parts) && line.x1 >= Math.max(...parts) && isSentence(line);
}

/** True when the line ends left of the figures that the row above has beside its label. */
function isLabel(line: PageLine, row: PageLine | undefined): boolean {
  if (row === undefined || !isNumeric(row.words.at(-1)?.text ?? '')) return false;
  return line.x1 < Math.min(...startsOf(row));
}

/** Returns the table that a run begins with, as a line, or the number of lines that are known to be no table. */
export function readTable(run: readonly PageLine[], rules: Evidence): { line?: PageLine; used: number } | undefined {
  // A run may end in lines of text, so shorter ones are tried too: few, since a try costs as much as there are lines.
  const step = Math.max(1, Math.ceil(run.length / MAX_TRIES));
  let failed = run.length + 1;
  for (let used = run.length; used >= 2; [failed, used] = [used, used - step]) {
    let table = toTable(run.slice(0, used), rules);
    if (table === NOT_A_TABLE) return { used };
    if (table === undefined) continue;
    // Rows that shortening cut off are found by halving: with `failed` lines the run was no table.
    while (failed - used > 1) {
      const half = Math.floor((used + failed) / 2);
      const longer = toTable(run.slice(0, half), rules);
      if (typeof longer === 'object' && hasFurtherRows(longer, table)) [table, used] = [longer, half];
      else failed = half;
    }
    return { line: tableLine(table, run.slice(0, used)), used };
  }
  return undefined;
}

const MAX_TRIES = 4;

/**
 * True when the longer table has the same columns, and each further row has two cells or more, each in one column and
 * without wide space.
 */
function hasFurtherRows(longer: PageTable, { rows, columns }: PageTable): boolean {
  if (longer.columns !== columns) return false;
  const further = longer.cells.filter(({ row, lines }) => row >= rows && lines.length > 0);
  const areWhole = further.every(
    ({ columnSpan, lines }) => columnSpan === 1 && !lines.some(({ words, fontSize }) => hasWideSpace(words, fontSize)),
  );
  if (!areWhole) return false;
  return [...countBy(further, ({ row }) => row).values()].every((count) => count >= 2);
}

/** Result for lines that are set in columns but are no table. */
const NOT_A_TABLE = 'other';

export function toTable(lines: readonly PageLine[], all: Evidence): PageTable | typeof NOT_A_TABLE | undefined {
  const rules = rulesAmong(lines, all);
  const ruled = rules.length >= 2;
  const headed = isHeaded(lines, rules);
  for (const proposed of proposals(lines.filter(isTabular), headed)) {
    const parted = lines.map((line) => toRow(line, proposed));
    const columns = joinSigns(proposed, parted);
    const rows = columns.length === proposed.length ? parted : lines.map((line) => toRow(line, columns));
    const level = joinCentred(rows);
    const evidence = { ruled, headed };
    if (endsInNote(level)) continue;
    if (!isAligned(rows, columns, evidence) && !(level.every(hasNoWideSpace) && isAligned(level, columns, evidence)))
      continue;
    const joined = joinRows(level, columns, rules, all);
    if (isListing(joined, columns.length) || isFormula(joined)) return NOT_A_TABLE;
    if (!ruled && all.caption !== 'table' && isListOfTerms(joined, columns.length)) return NOT_A_TABLE;
    if (!ruled && isFramed(joined, columns, all.vertical)) return NOT_A_TABLE;
    if (!ruled && !headed && isRunningText(level)) return NOT_A_TABLE;
    if (!ruled && !headed && all.caption === 'figure') continue;
    if (joined.length >= 2 && !isSparse(joined, columns.length)) return fromRows(joined, columns.length);
  }
  return undefined;
}

/** True when no cell has wide space in it. Two columns read as one have such space. */
const hasNoWideSpace = ({ cells, fontSize }: TableRow): boolean =>
  cells.every((cell) => !cell?.lines.some((words) => hasWideSpace(words, fontSize)));

/** Proposes columns; before each proposal comes the one that splits its close columns, if there are any. */
function proposals(tabular: readonly PageLine[], headed: boolean): Column[][] {
  return proposeColumns(tabular, headed).flatMap((columns) => {
    const parted = splitCloseColumns(columns, tabular);
    return parted.length > columns.length ? [parted, columns] : [columns];
  });
}

/** Joins the lines to rows. Spanning heads, if there are any, split the head into rows. */
function joinRows(
  lines: readonly TableRow[],
  columns: readonly Column[],
  rules: readonly Area[],
  { horizontal }: Rules,
): TableRow[] {
  if (areFields(lines, rules)) return [...lines];
  const head = headLength(lines, columns, rules);
  const [top, body] = [lines.slice(0, head), lines.slice(head)];
  const [last, ...above] = spanHeads(top, columns, horizontal).reverse();
  const [first, ...rows] =
    last === undefined ? joinWrapped(lines, rules, head) : joinWrapped([last, ...body], rules, 1);
  if (first === undefined) return [];
  const joined = [...above.reverse(), above.length === 0 ? splitCloseHeads(first, columns) : first, ...rows];
  const heads = joined.filter(({ baseline }) => baseline <= (top.at(-1)?.baseline ?? 0)).length;
  return [...spanRows(joined.slice(0, heads)), ...joined.slice(heads)];
}

const CURRENCY = /^(?:[$€£¥₹(]+|[A-Z]{1,3}\$|EUR|USD|GBP|CHF|Rs\.?)$/;

/** Joins a column of nothing but currency signs to the figures at its right, and one of percent signs or brackets to those at its left. */
function joinSigns(columns: readonly Column[], rows: readonly TableRow[]): Column[] {
  const isAll = (column: number, pattern: RegExp) => {
    const cells = rows.flatMap(({ cells }) => cells[column] ?? []).filter(({ columnSpan }) => columnSpan === 1);
    return cells.length > 0 && cells.every(({ lines }) => lines.flat().every(({ text }) => pattern.test(text)));
  };
  const joined: Column[] = [];
  let sign: Column | undefined;
  columns.forEach((column, index) => {
    const last = joined.at(-1);
    if (index + 1 < columns.length && isAll(index, CURRENCY)) sign ??= column;
    else if (index > 1 && last !== undefined && isAll(index, /^[%)]+$/)) last.x1 = column.x1;
    else {
      joined.push({ x0: sign?.x0 ?? column.x0, x1: column.x1 });
      sign = undefined;
    }
  });
  return joined;
}
