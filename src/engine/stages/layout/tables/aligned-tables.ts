import type { Area } from '../../../model/geometry.js';
import type { PageLine, PageTable } from '../../../model/page.js';
import { isCode } from '../lines/code.js';
import { lineText } from '../lines/lines.js';
import { partCloseColumns } from './close-columns.js';
import { partCloseHeads } from './close-heads.js';
import { isClosedAbove } from './closed-tables.js';
import { takeContents } from './contents.js';
import { fromRows } from './from-rows.js';
import { isFormula, isFramed, isListing, isListOfTerms, isListWithPlaces, isSparse } from './not-tables.js';
import { toRow } from './row-cells.js';
import { spanHeads } from './spanning-heads.js';
import { tableLine } from './table.js';
import { type Column, hasWideSpace, isAligned, LEAST_CORRIDOR, proposeColumns } from './table-columns.js';
import { headLength } from './table-heads.js';
import { BESIDE_STEP, isNumeric, joinCentred, joinWrapped, type TableRow } from './table-rows.js';
import { areParted, joinPieces, type Rules, rulesAmong } from './table-rules.js';
import { createHeadSearch, isHeaded, isTabular } from './tabular-lines.js';

/** Lines within a table stand closer than this, in ems. */
const MOST_STEP = 3.2;
/** Those of a row that a rule parts from the one above it, too. */
const MOST_RULED_STEP = 7;
const MOST_SINGLE_LINES = 2;
/** As many lines may a label have, with the titles of sections above it. */
const MOST_LABELS = 4;
/** As a share of the type above: a line within a table is not larger than its rows. */
const LEAST_LARGER = 1.15;
/** Lines looked at, each as often as it is: a page of wide space that makes no table must not cost the square of its length. */
const MOST_EFFORT = 6000;
/** Longer runs are looked at in larger steps. */
const LONG_RUN = 60;

/**
 * Finds tables that only white space makes: successive lines whose words leave the same corridors free from line to
 * line (after Kieninger's T-Recs, 1998, and the column gaps of Nurminen, 2013). Code is set in columns too: monospaced
 * lines make tables in a document alone that is `typewritten`. Gives the lines with each table as one of them, which
 * stands for it.
 */
export function findAlignedTables(all: readonly PageLine[], rules: Rules, typewritten = false): PageLine[] {
  if (!all.some(isTabular)) return [...all];
  const lines = takeContents(all);
  const items: PageLine[] = [];
  const mayBeTable = (line: PageLine | undefined) =>
    line !== undefined && isTabular(line) && (typewritten || !isCode(line));
  const headOfNext = createHeadSearch(lines, (part) => readTable(part, rules)?.line !== undefined);
  // Where a run of lines ends that may be one table: above the head of another one at the latest.
  const endOfTable = (from: number): number => {
    const end = endOfRun(lines, from, rules);
    const next = headOfNext(from, end);
    return next === undefined ? end : endOfRun(lines.slice(0, next), from, rules);
  };
  let effort = MOST_EFFORT;
  for (let index = 0; index < lines.length; ) {
    const end = effort > 0 && mayBeTable(lines[index]) ? endOfTable(index) : index + 1;
    effort -= end - index - 1;
    const run = lines.slice(index, end);
    const found = run.length >= 2 ? readTable(run, rules) : undefined;
    if (found?.line === undefined) {
      const step = found?.used ?? Math.max(1, Math.ceil((end - index - LONG_RUN) / 10));
      items.push(...lines.slice(index, index + step));
      index += step;
      continue;
    }
    const head = items.at(-1);
    const headed =
      head === undefined || head !== lines[index - 1]
        ? undefined
        : withHead(head, lines.slice(index, index + found.used), rules);
    if (headed !== undefined) items.pop();
    items.push(headed ?? found.line);
    index += found.used;
  }
  return items;
}

const MOST_WORDS_IN_HEAD = 3;

/** The table with the line above it, where that line's words stand over its columns, though close to each other. */
function withHead(head: PageLine, lines: readonly PageLine[], rules: Rules): PageLine | undefined {
  const [first] = lines;
  if (first === undefined || head.block !== undefined || head.direction === 'rtl') return undefined;
  if (first.baseline - head.baseline > head.fontSize * 2.2 || !mayBeHead(head, lines)) return undefined;
  const all = [head, ...lines];
  const whole = joinPieces(rules, head, first);
  const table = toTable(all, whole);
  if (table === undefined || table === OTHER || head.words.length > table.columns * MOST_WORDS_IN_HEAD)
    return undefined;
  const over = table.cells.filter((cell) => cell.row === 0 && cell.lines.length > 0);
  const spans = over.some(({ columnSpan }) => columnSpan > 1 && columnSpan < table.columns);
  if (spans && isOverRule(head, lines, whole)) return tableLine(table, all);
  if (over.length < 2 || over.length < table.columns / 2 || over.some(({ columnSpan }) => columnSpan > 1))
    return undefined;
  return tableLine(table, all);
}

/** Begins the line no further left than the first row, or, where it reaches over the last column, than any row? */
function mayBeHead({ x0, x1, fontSize }: PageLine, lines: readonly PageLine[]): boolean {
  const [first] = lines;
  if (first === undefined || x0 >= first.x0 - fontSize) return first !== undefined;
  const last = first.words[Math.max(0, ...first.apart)];
  return x1 > (last?.x0 ?? 0) && x0 >= Math.min(...lines.map((line) => line.x0)) - fontSize;
}

/** Is a rule drawn under the line as under the head of several columns: not below the labels? */
function isOverRule(head: PageLine, lines: readonly PageLine[], { horizontal }: Rules): boolean {
  const [first] = lines;
  const labels = Math.min(...lines.map(({ x0 }) => x0)) + head.fontSize;
  return horizontal.some(
    ({ x0, x1, y0 }) =>
      y0 > head.baseline && y0 < (first?.baseline ?? 0) && x0 > labels && x0 < head.x0 + 1 && x1 > head.x1 - 1,
  );
}

/** Lines that follow each other closely, most of them tabular. */
function endOfRun(lines: readonly PageLine[], from: number, rules: Rules): number {
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
    if (step > size * (isTabular(line) && areParted(previous, line, rules) ? MOST_RULED_STEP : MOST_STEP)) break;
    if (isClosedAbove(lines, from, index, widest, rules)) break;
    widest = Math.max(widest, step);
    // The heading of what follows.
    largest = Math.max(largest, previous.fontSize);
    const below = Math.max(largest, lines[index + 1]?.fontSize ?? 0);
    const isApart = step > Math.min(tightest, size * MOST_TEXT_STEP) * 1.1;
    tightest = Math.min(tightest, step);
    const isRow = isTabular(line) || isRowOfCells(line, lines.slice(from, index));
    if (!isRow && (line.fontSize > below * LEAST_LARGER || (isApart && isSentence(line, lines.slice(from, end)))))
      break;
    const rest = !isRow && isRestOfCell(line, lines.slice(from, index));
    // Under a line that is no row, it goes on with that line.
    if (rest && single > 0) continue;
    if (isRow || rest) {
      single = 0;
      end = index + 1;
    } else if (++single > (isLabel(line, lines[end - 1]) ? MOST_LABELS : MOST_SINGLE_LINES)) break;
  }
  // What wraps in a cell of the last row stands right of the row's beginning.
  for (let index = end; index < lines.length; index++) {
    const [line, first, previous] = [lines[index], lines[from], lines[index - 1]];
    if (line === undefined || first === undefined || previous === undefined || line.block !== undefined) break;
    const tight = line.baseline - previous.baseline < line.fontSize * 1.5;
    const beside = line.baseline - previous.baseline < line.fontSize * BESIDE_STEP;
    if (!beside && (!tight || line.x0 < first.x0 + line.fontSize * 3)) break;
    end = index + 1;
  }
  return end;
}

/** In points: how far cells that begin or end below each other may be off. */
const OFF_CELL = 0.7;

/** Do words that stand further apart than those of a phrase begin or end below the cells of the row above? A row whose cells are all full has no wider space. */
function isRowOfCells(line: PageLine, above: readonly PageLine[]): boolean {
  const at = above.findLastIndex(isTabular);
  const row = above[at];
  const other = above.slice(0, Math.max(0, at)).findLast(isTabular);
  if (row === undefined || other === undefined || Math.abs(line.x0 - row.x0) > OFF_CELL) return false;
  const least = line.fontSize * LEAST_CORRIDOR;
  const gaps = line.words.slice(1).flatMap(({ x0 }, index) => {
    const end = line.words[index]?.x1 ?? x0;
    return x0 - end > least ? [{ x0: end, x1: x0 }] : [];
  });
  if (gaps.length < row.apart.size) return false;
  return [...row.apart].every((start) => {
    const [left, right] = [row.words[start - 1]?.x1 ?? 0, row.words[start]?.x0 ?? 0];
    return gaps.some(({ x0, x1 }) => Math.abs(x1 - right) < OFF_CELL || Math.abs(x0 - left) < OFF_CELL);
  });
}

/** Stands the line under a cell that is not the first of its row, level with its left or, as figures do, with its right? */
function isRestOfCell(line: PageLine, above: readonly PageLine[]): boolean {
  const row = above.findLast(isTabular);
  if (row === undefined || line.x0 < row.x0 + line.fontSize * 3) return false;
  const off = line.fontSize * 0.5;
  const starts = [...row.apart];
  if (starts.some((start) => Math.abs((row.words[start]?.x0 ?? 0) - line.x0) < off)) return true;
  const ends = [...starts.slice(1), row.words.length].map((start) => row.words[start - 1]?.x1 ?? 0);
  return isNumeric(lineText(line)) && ends.some((end) => Math.abs(end - line.x1) < off);
}

/** In ems: lines of text that stand further apart are two paragraphs. */
const MOST_TEXT_STEP = 1.5;
/** Words in small letters: a title within a table has fewer. */
const LEAST_SENTENCE = 8;

/** Do many words reach from the row's label over what stands beside it? */
function isSentence({ words, x0, x1 }: PageLine, above: readonly PageLine[]): boolean {
  const row = above.findLast(isTabular);
  const parts = [...(row?.apart ?? [])].map((index) => row?.words[index]?.x0 ?? 0);
  if (x0 > Math.min(...parts) || x1 < Math.max(...parts)) return false;
  return words.filter(({ text }) => /^\p{Ll}/u.test(text)).length >= LEAST_SENTENCE;
}

/** Ends the line left of the figures that the row above has beside its label? */
function isLabel(line: PageLine, row: PageLine | undefined): boolean {
  if (row === undefined || !isNumeric(row.words.at(-1)?.text ?? '')) return false;
  return line.x1 < Math.min(...[...row.apart].map((index) => row.words[index]?.x0 ?? 0));
}

/** The table that a run begins with, as a line, or the lines that are known to be none. */
function readTable(run: readonly PageLine[], rules: Rules): { line?: PageLine; used: number } | undefined {
  // A run may end in lines of text: a shorter one may be a table all the same.
  for (let used = run.length, failed = used + 1; used >= 2; [failed, used] = [used, shorten(run, used)]) {
    const table = toTable(run.slice(0, used), rules);
    if (table === OTHER) return { used };
    if (table !== undefined) return lengthen({ table, used }, failed, run, rules);
  }
  return undefined;
}

const MOST_TRIES = 4;

/** Without the last lines, in a few steps whatever the length: each try costs as much as the lines are many. */
function shorten(run: readonly PageLine[], used: number): number {
  const step = Math.max(1, Math.ceil(run.length / MOST_TRIES));
  return used - step;
}

/** The table with the further rows that it was shortened by, found by halves: with so many lines it was none any more. */
function lengthen(
  { table, used }: { table: PageTable; used: number },
  failed: number,
  run: readonly PageLine[],
  rules: Rules,
): { line: PageLine; used: number } {
  if (failed - used < 2) return { line: tableLine(table, run.slice(0, used)), used };
  const half = Math.floor((used + failed) / 2);
  const longer = toTable(run.slice(0, half), rules);
  return longer !== undefined && longer !== OTHER && hasFurtherRows(longer, table)
    ? lengthen({ table: longer, used: half }, failed, run, rules)
    : lengthen({ table, used }, half, run, rules);
}

/** Has it the same columns, and in each row that the shorter one has not two cells or more, each in one column and without wide space in it? */
function hasFurtherRows(longer: PageTable, { rows, columns }: PageTable): boolean {
  if (longer.columns !== columns) return false;
  const further = longer.cells.filter(({ row, lines }) => row >= rows && lines.length > 0);
  const areWhole = further.every(
    ({ columnSpan, lines }) =>
      columnSpan === 1 && !lines.some(({ words, fontSize }) => hasWideSpace({ words, size: fontSize })),
  );
  if (!areWhole) return false;
  return Array.from({ length: longer.rows - rows }, (_, index) => rows + index).every(
    (row) => further.filter((cell) => cell.row === row).length >= 2,
  );
}

/** What is set in columns, but is no table. */
const OTHER = 'other';

function toTable(lines: readonly PageLine[], all: Rules): PageTable | typeof OTHER | undefined {
  const rules = rulesAmong(lines, all);
  const ruled = rules.length >= 2;
  const headed = isHeaded(lines, rules);
  for (const proposed of proposals(lines.filter(isTabular), headed)) {
    const parted = lines.map((line) => toRow(line, proposed));
    const columns = joinSigns(proposed, parted);
    const rows = columns.length === proposed.length ? parted : lines.map((line) => toRow(line, columns));
    const level = joinCentred(rows);
    const told = { ruled, headed };
    if (!isAligned(rows, columns, told) && !(level.every(isWholeRow) && isAligned(level, columns, told))) continue;
    const joined = joinRows(level, columns, rules, all);
    if (isListing(joined, columns.length) || isListWithPlaces(rows, columns.length)) return OTHER;
    if (!ruled && (isListOfTerms(joined, columns.length) || isFormula(joined))) return OTHER;
    if (!ruled && isFramed(joined, columns, all.vertical)) return OTHER;
    if (joined.length >= 2 && !isSparse(joined, columns.length)) return fromRows(joined, columns);
  }
  return undefined;
}

/** Has no cell wide space in it, as two columns in one have? */
const isWholeRow = ({ cells, fontSize }: TableRow): boolean =>
  cells.every((cell) => !cell?.lines.some((words) => hasWideSpace({ words, size: fontSize })));

/** Each with those columns parted first that stand close, where there are such. */
function proposals(tabular: readonly PageLine[], headed: boolean): Column[][] {
  return proposeColumns(tabular, headed).flatMap((columns) => {
    const parted = partCloseColumns(columns, tabular);
    return parted.length > columns.length ? [parted, columns] : [columns];
  });
}

/** The lines as rows, the head's by what stands over several columns, if anything does. */
function joinRows(
  lines: readonly TableRow[],
  columns: readonly Column[],
  rules: readonly Area[],
  { horizontal }: Rules,
): TableRow[] {
  const head = headLength(lines, columns, rules);
  const [top, body] = [lines.slice(0, head), lines.slice(head)];
  const [last, ...above] = spanHeads(top, columns, horizontal).reverse();
  const [first, ...rows] =
    last === undefined ? joinWrapped(lines, rules, head) : joinWrapped([last, ...body], rules, 1);
  if (first === undefined) return [];
  return [...above.reverse(), above.length === 0 ? partCloseHeads(first, columns) : first, ...rows];
}

const CURRENCY = /^(?:[$€£¥₹(]+|[A-Z]{1,3}\$|EUR|USD|GBP|CHF|Rs\.?)$/;

/** A column of nothing but currency signs belongs to the figures at its right, one of percent signs or brackets to those at its left. */
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
