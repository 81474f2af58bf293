import { type Area, extentOf } from '../../../model/geometry.js';
import { splitWhere, takeUntil } from '../../../model/groups.js';
import type { PageLine } from '../../../model/page.js';
import { isField } from '../field-labels.js';
import { partsOf } from '../lines/line-cells.js';
import { countSmall, lastText } from '../lines/line-room.js';
import { isBold } from '../lines/lines.js';
import { toRow } from './row-cells.js';
import { sharesEnds } from './table-area.js';
import { areInLine, columnsBetween } from './table-columns.js';
import { filled, isPlain, MAX_ROW_STEP_EM } from './table-rows.js';
import type { Rules } from './table-rules.js';
import { hasAmount, isTabular, MIN_HEAD_CELLS } from './tabular-lines.js';

/** Ratio to the widest step between the lines above from which a line below the last rule stands apart from the table. */
const MIN_APART_RATIO = 1.4;
/** The same above and below a title that stands between two tables. */
const MIN_TITLE_RATIO = 1.25;
/** The same above and below a paragraph, and the words of it that begin in a small letter. */
const MIN_TEXT_RATIO = 1.1;
const MIN_SMALL_WORDS = 3;
const MIN_OUTDENT_EM = 0.1;
/** Tolerance of columns that are level with others, in ems. */
const COLUMN_EDGE_TOLERANCE_EM = 0.3;
const MIN_ROWS = 2;
const MAX_HEAD_LINES = 3;
/** Upper bound of the lines above, and of those below, that are read for their columns. */
const MAX_LINES_READ = 50;
/** Largest distance of the first rule above the first row, in ems; the head stands between them. */
export const MAX_RULE_DISTANCE_EM = 2.5;
/** Smallest distance between two tables, in ems: the lines of a double rule are closer. */
const MIN_TABLE_DISTANCE_EM = 0.5;

/**
 * True when the table that begins at line `from` ends above line `index`, as a paragraph follows, or lines of other
 * columns: at the bold title or head of another one, or where its last rule stands between the two with wide space below it.
 * `widest` is the widest step between the lines above, in points.
 */
export function tableEndsAbove(
  lines: readonly PageLine[],
  from: number,
  index: number,
  widest: number,
  { horizontal }: Rules,
): boolean {
  const [first, above, line, next] = [lines[from], lines[index - 1], lines[index], lines[index + 1]];
  if (beginsText(lines, from, index, widest) || endFields(lines, index)) return true;
  if (first === undefined || above === undefined || line === undefined || index - from < MIN_ROWS) return false;
  const isApart = line.baseline - above.baseline >= widest * MIN_APART_RATIO;
  const isTitle =
    next !== undefined &&
    line.apart.size === 0 &&
    Math.min(line.baseline - above.baseline, next.baseline - line.baseline) >= widest * MIN_TITLE_RATIO;
  const mayBeHead = isBold(line) && !isBold(above);
  if (!isApart && !mayBeHead) return false;
  const rows = lines.slice(Math.max(from, index - MAX_LINES_READ), index).filter(isTabular);
  const below = linesFrom(lines, index);
  const others = below.filter(isTabular);
  if (rows.length < MIN_ROWS || others.length === 0) return false;
  if (mayBeHead && !rows.every(isBold)) {
    const parts = isTitle && rows.length > MIN_ROWS;
    if (parts && (beginWithHead(below.slice(1)) || !areLevel(rows, rowsBelow(below, widest)))) return true;
    if (beginWithHead(below)) return haveOtherColumns(rows, others);
  }
  const start = first.baseline - first.fontSize * MAX_RULE_DISTANCE_EM;
  const own = horizontal.filter(({ y0 }) => y0 > start);
  const last = isApart ? own.find((rule) => isBetween(rule, above, line) && isLast(rule, own, line)) : undefined;
  if (last === undefined || isHead(rows, last, own)) return false;
  return haveOtherColumns(rows, others);
}

/**
 * True when a paragraph begins at the line, its last sentence complete: with wider space above and below than between
 * rows, or further left than any of them.
 */
function beginsText(lines: readonly PageLine[], from: number, index: number, widest: number): boolean {
  const [above, first] = [lines[index - 1], lines[index]];
  if (above === undefined || first === undefined || isNoText(first)) return false;
  const isFar = (line: PageLine, over: PageLine) => line.baseline - over.baseline > widest * MIN_TEXT_RATIO;
  const below = lines.slice(index, index + MAX_LINES_READ);
  const text = takeUntil(below, (line, at) => isNoText(line) || (at > 0 && isFar(line, below[at - 1] ?? line)));
  const [last = first, next] = [text.at(-1), below[text.length]];
  const hasRows = index - from >= MIN_ROWS;
  const isFarBelow = first.baseline - above.baseline > widest * MIN_APART_RATIO;
  if (hasRows && isFarBelow && introducesNames(text, next)) return true;
  if (!isText(text)) return false;
  const isApart = isFar(first, above) && (next === undefined || next.block !== undefined || isFar(next, last));
  return beginsLeftOf(first, lines.slice(from, index)) || (isApart && hasRows);
}

/** True for a sentence before names beside each other, as of those who sign a statement; figures would be those of a part of the table. */
const introducesNames = (text: readonly PageLine[], next: PageLine | undefined): boolean =>
  isText(text, /[:：]$/) &&
  next !== undefined &&
  isTabular(next) &&
  !next.words.some(({ text: word }) => /\p{N}/u.test(word));

const isNoText = (line: PageLine): boolean => isTabular(line) || line.block !== undefined;

const isText = (lines: readonly PageLine[], end = /[.。]$/): boolean =>
  end.test(lines.map(lastText).at(-1) ?? '') && countSmall(lines.flatMap(({ words }) => words)) >= MIN_SMALL_WORDS;

/** True for the end of a text that begins further left than the lines below it. */
export const isTextLeftOf = (line: PageLine, lines: readonly PageLine[]): boolean =>
  isText([line]) && beginsLeftOf(line, lines);

const beginsLeftOf = ({ x0, fontSize }: PageLine, lines: readonly PageLine[]): boolean =>
  x0 < extentOf(lines).x0 - fontSize * MIN_OUTDENT_EM;

/** True where lines of fields end above the line, which begins a table of other columns below wider space than theirs. */
function endFields(lines: readonly PageLine[], index: number): boolean {
  const [first, last, line] = lines.slice(Math.max(0, index - MIN_ROWS), index + 1);
  if (first === undefined || last === undefined || line === undefined || !isTabular(line)) return false;
  if (line.baseline - last.baseline < (last.baseline - first.baseline) * MIN_TITLE_RATIO) return false;
  if (areFieldsBeside(line) || ![first, last].every((field) => isTabular(field) && areFieldsBeside(field)))
    return false;
  return haveOtherColumns([first, last], linesFrom(lines, index).filter(isTabular));
}

/** True for fields beside each other ("Patient: … Born: …"), as they stand above a table. */
const areFieldsBeside = (line: PageLine): boolean => partsOf(line).every((words) => isField({ words }));

/** Returns the rows below a title, without the text that stands apart below them; all where that would be a single one. */
function rowsBelow([, ...lines]: readonly PageLine[], widest: number): PageLine[] {
  const isApart = (line: PageLine, above: PageLine) => line.baseline - above.baseline >= widest * MIN_TITLE_RATIO;
  const near = (splitWhere(lines, isApart)[0] ?? []).filter(isTabular);
  return near.length < MIN_ROWS ? lines.filter(isTabular) : near;
}

/** True when each column of the part below a title begins, ends or has its middle where one of the table does. */
function areLevel(rows: readonly PageLine[], others: readonly PageLine[]): boolean {
  const own = columnsBetween(rows);
  const off = (others[0]?.fontSize ?? 0) * COLUMN_EDGE_TOLERANCE_EM;
  return columnsBetween(others).every((other) => own.some((column) => areInLine(column, other, off)));
}

/** Sums below the last rule have the columns of the table. */
function haveOtherColumns(rows: readonly PageLine[], others: readonly PageLine[]): boolean {
  const [ownColumns, otherColumns] = [columnsBetween(rows), columnsBetween(others)];
  return columnsBetween([...rows, ...others]).length < Math.max(ownColumns.length, otherColumns.length);
}

/** True when bold lines with several cells, none of them a figure, stand above rows with the same columns. */
function beginWithHead(lines: readonly PageLine[]): boolean {
  const heads = takeUntil(lines, (line) => !isBold(line));
  const rows = lines.slice(heads.length).filter(isTabular);
  const columns = columnsBetween([...heads, ...rows]);
  const cells = heads.map((line) => toRow(line, columns));
  if (heads.some(hasAmount) || rows.length === 0) return false;
  return cells.every(isPlain) && cells.some((row) => filled(row).length >= MIN_HEAD_CELLS);
}

/** True when the rule spans the full line above it. */
const isBetween = ({ x0, x1, y0 }: Area, above: PageLine, line: PageLine): boolean =>
  y0 > above.baseline && y0 < line.baseline && x0 < above.x0 + above.fontSize && x1 > above.x1 - above.fontSize;

/** True when it is the last rule of a table, and the next one, if any, is the first of another table of the same width. */
function isLast(rule: Area, rules: readonly Area[], line: PageLine): boolean {
  const alike = rules.filter((other) => other !== rule && sharesEnds(other, rule));
  if (!alike.some(({ y0 }) => y0 < rule.y0)) return false;
  const next = Math.min(...alike.map(({ y0 }) => y0).filter((y) => y > rule.y0));
  return next === Infinity || (next < line.baseline && next - rule.y0 > line.fontSize * MIN_TABLE_DISTANCE_EM);
}

/** True when these lines, or the last of them, are a head that is ruled above and below: few lines, and no figure in them. */
function isHead(rows: readonly PageLine[], last: Area, rules: readonly Area[]): boolean {
  if (rows.some(hasAmount)) return false;
  const before = Math.max(...rules.filter(({ y0 }) => y0 < last.y0).map(({ y0 }) => y0));
  return rows.filter(({ baseline }) => baseline > before).length <= MAX_HEAD_LINES;
}

function linesFrom(lines: readonly PageLine[], index: number): PageLine[] {
  const near = lines.slice(index, index + MAX_LINES_READ);
  const isFar = (line: PageLine, above: PageLine) => line.baseline - above.baseline > line.fontSize * MAX_ROW_STEP_EM;
  return splitWhere(near, isFar)[0] ?? [];
}
