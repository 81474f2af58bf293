import { countBy } from '../../../model/counts.js';
import { type Area, extentOf } from '../../../model/geometry.js';
import { divide } from '../../../model/groups.js';
import type { PageLine, PageTable } from '../../../model/page.js';
import { isCode } from '../lines/code.js';
import { lineText } from '../lines/lines.js';
import { captionOf, type Evidence, endsFigure, isSentence } from './captions.js';
import { splitCloseColumns } from './close-columns.js';
import { splitCloseHeads } from './close-heads.js';
import { tableEndsAbove } from './closed-tables.js';
import { takeContents } from './contents.js';
import { fromRows } from './from-rows.js';
import { joinRules } from './grids.js';
import { endsInNote, isFormula, isFramed, isListing, isListOfTerms, isSparse, standsInFigure } from './not-tables.js';
import { toRow } from './row-cells.js';
import { spanHeads, spanRows } from './spanning-heads.js';
import { tableLine } from './table.js';
import { type Column, hasWideSpace, isAligned, MIN_CORRIDOR_EM, proposeColumns } from './table-columns.js';
import { headLength } from './table-heads.js';
import { isNumeric, joinCentred, joinWrapped, MIN_LINE_STEP_EM, type TableRow } from './table-rows.js';
import { areSeparated, type Rules, rulesAmong } from './table-rules.js';
import { isHeaded, isTabular } from './tabular-lines.js';

/** Largest step between the lines of a table, in ems. */
const MAX_ROW_STEP_EM = 3.2;
/** Largest step between two rows that a rule separates, in ems. */
const MAX_RULED_ROW_STEP_EM = 7;
const MAX_SINGLE_LINES = 2;
/** Upper bound of the lines of one label, with the titles of sections above it. */
const MAX_LABEL_LINES = 4;
/** Ratio to the type of the table from which a line is too large to stand within it. */
const MIN_LARGER_RATIO = 1.15;
/**
 * Upper bound of the lines read, each counted as often as it is read: a page of wide space without a table must not
 * cost the square of its length.
 */
const MAX_LINES_READ = 6000;
/** Lines of a run from which it is searched in larger steps. */
const LONG_RUN_LINES = 60;

/**
 * Finds tables that only white space makes: successive lines whose words leave the same corridors free (after
 * Kieninger's T-Recs, 1998, and the column gaps of Nurminen, 2013). Monospaced lines make tables only in a
 * `typewritten` document, because code is set in columns too. Returns the lines, with one line in place of each table.
 */
export function findAlignedTables(all: readonly PageLine[], rules: Rules, typewritten = false): PageLine[] {
  if (!all.some(isTabular)) return [...all];
  const lines = takeContents(all);
  const ends = lines.map(endsFigure);
  const items: PageLine[] = [];
  const mayBeTable = (line: PageLine | undefined) =>
    line !== undefined && isTabular(line) && (typewritten || !isCode(line));
  let effort = MAX_LINES_READ;
  for (let index = 0; index < lines.length; ) {
    const end = effort > 0 && mayBeTable(lines[index]) ? endOfRun(lines, index, rules) : index + 1;
    effort -= end - index - 1;
    const run = lines.slice(index, end);
    const caption = run.length >= 2 ? captionOf(items, lines[end], lines[ends.indexOf(true, end)]) : undefined;
    const found = run.length >= 2 ? readTable(run, { ...rules, caption }) : undefined;
    if (found?.line === undefined) {
      const step = found?.used ?? Math.max(1, Math.ceil((end - index - LONG_RUN_LINES) / 10));
      items.push(...lines.slice(index, index + step));
      index += step;
      continue;
    }
    let { line } = found;
    for (let first = index, head = items.at(-1); head !== undefined && head === lines[first - 1]; head = items.at(-1)) {
      const headed = withHead(head, lines.slice(first, index + found.used), { ...rules, caption }, first < index);
      if (headed === undefined) break;
      line = headed;
      items.pop();
      first--;
    }
    items.push(line);
    index += found.used;
  }
  return items;
}

const MAX_HEAD_WORDS_PER_COLUMN = 3;
/** Largest gap between the parts of one rule, in ems. */
const MAX_PART_GAP_EM = 1.5;

/**
 * Returns the table with the line above it as head, when the words of that line stand over its columns, though close
 * to each other. Above such a head only a rule under it shows another one.
 */
function withHead(head: PageLine, lines: readonly PageLine[], rules: Evidence, hasHead: boolean): PageLine | undefined {
  const [first] = lines;
  if (first === undefined || head.block !== undefined || head.direction === 'rtl') return undefined;
  if (first.baseline - head.baseline > head.fontSize * 2.2) return undefined;
  const all = [head, ...lines];
  const [under, others] = divide(rules.horizontal, ({ y0 }) => y0 > head.baseline && y0 < first.baseline);
  // The rule under a head may have a part over each column that the head spans.
  const horizontal = [...others, ...joinRules(under, head.fontSize * MAX_PART_GAP_EM).horizontal];
  const table = toTable(all, { ...rules, horizontal });
  if (table === undefined || table === NOT_A_TABLE || head.words.length > table.columns * MAX_HEAD_WORDS_PER_COLUMN)
    return undefined;
  const over = table.cells.filter((cell) => cell.row === 0 && cell.lines.length > 0);
  const spans = over.some(({ columnSpan }) => columnSpan > 1 && columnSpan < table.columns);
  const isSpanning = isOverRule(head, lines, rules) || (rules.caption === 'table' && isOverValues(head, table));
  if (spans && isSpanning) return tableLine(table, all);
  if (hasHead || !mayBeHead(head, lines) || over.length < 2 || over.length < table.columns / 2) return undefined;
  if (over.some(({ columnSpan }) => columnSpan > 1)) return undefined;
  return tableLine(table, all);
}

/**
 * True when the line begins no further left than the first row. A line that reaches over the last column may begin as
 * far left as any row.
 */
function mayBeHead({ x0, x1, fontSize }: PageLine, lines: readonly PageLine[]): boolean {
  const [first] = lines;
  if (first === undefined || x0 >= first.x0 - fontSize) return first !== undefined;
  const last = first.words[Math.max(0, ...first.apart)];
  return x1 > (last?.x0 ?? 0) && x0 >= Math.min(...lines.map((line) => line.x0)) - fontSize;
}

/** True when the line stands about the middle of the columns at the right of the labels. */
function isOverValues({ x0, x1, fontSize, apart }: PageLine, { cells }: PageTable): boolean {
  const values = extentOf(cells.flatMap(({ row, column, lines }) => (row > 0 && column > 0 ? lines : [])));
  return apart.size === 0 && x0 > values.x0 - fontSize && Math.abs(x0 + x1 - values.x0 - values.x1) < 2 * fontSize;
}

/** True when rules are drawn under the line but not under the labels, one or a part over each column, as under the head of several. */
function isOverRule(head: PageLine, lines: readonly PageLine[], { horizontal }: Rules): boolean {
  const [first] = lines;
  const labels = Math.min(...lines.map(({ x0 }) => x0)) + head.fontSize;
  const under = horizontal.filter(({ x0, y0 }) => y0 > head.baseline && y0 < (first?.baseline ?? 0) && x0 > labels);
  const { x0, x1 } = extentOf(under);
  return x0 < head.x0 + 1 && x1 > head.x1 - 1;
}

/** Returns the end of a run of lines that follow each other closely, most of them tabular. */
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
    if (
      step >
      size * (isTabular(line) && areSeparated(previous, line, rules) ? MAX_RULED_ROW_STEP_EM : MAX_ROW_STEP_EM)
    )
      break;
    if (tableEndsAbove(lines, from, index, widest, rules, (part) => readTable(part, rules)?.line !== undefined)) break;
    widest = Math.max(widest, step);
    // A line in larger type is the heading of what follows.
    largest = Math.max(largest, previous.fontSize);
    const below = Math.max(largest, lines[index + 1]?.fontSize ?? 0);
    const isApart = step > Math.min(tightest, size * MAX_TEXT_STEP_EM) * 1.1;
    tightest = Math.min(tightest, step);
    const isRow = isTabular(line) || isRowOfCells(line, lines.slice(from, index));
    if (!isRow && (line.fontSize > below * MIN_LARGER_RATIO || (isApart && crossesCells(line, lines.slice(from, end)))))
      break;
    const rest = !isRow && continuesCell(line, lines.slice(from, index));
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
  if (row === undefined || other === undefined || Math.abs(line.x0 - row.x0) > CELL_EDGE_TOLERANCE) return false;
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

/**
 * True when the line stands under a cell that is not the first of its row, level with its left side or, for figures,
 * with its right side.
 */
function continuesCell(line: PageLine, above: readonly PageLine[]): boolean {
  const row = above.findLast(isTabular);
  if (row === undefined || line.x0 < row.x0 + line.fontSize * 3) return false;
  const off = line.fontSize * 0.5;
  if (startsOf(row).some((start) => Math.abs(start - line.x0) < off)) return true;
  const ends = [...[...row.apart].slice(1), row.words.length].map((next) => row.words[next - 1]?.x1 ?? 0);
  return isNumeric(lineText(line)) && ends.some((end) => Math.abs(end - line.x1) < off);
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
function readTable(run: readonly PageLine[], rules: Evidence): { line?: PageLine; used: number } | undefined {
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
      if (longer !== undefined && longer !== NOT_A_TABLE && hasFurtherRows(longer, table))
        [table, used] = [longer, half];
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
  const counts = countBy(further, ({ row }) => row);
  return counts.size >= longer.rows - rows && [...counts.values()].every((count) => count >= 2);
}

/** Result for lines that are set in columns but are no table. */
const NOT_A_TABLE = 'other';

function toTable(lines: readonly PageLine[], all: Evidence): PageTable | typeof NOT_A_TABLE | undefined {
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
    if (!ruled && !headed && all.caption === 'figure' && !standsInFigure(joined, columns.length)) continue;
    if (joined.length >= 2 && !isSparse(joined, columns.length)) return fromRows(joined, columns);
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
