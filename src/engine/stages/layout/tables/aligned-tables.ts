import { extentOf, gapBetween } from '../../../model/geometry.js';
import { divide } from '../../../model/groups.js';
import type { PageCell, PageLine, PageTable } from '../../../model/page.js';
import { hasLetter } from '../../../model/text-direction.js';
import { isCode } from '../lines/code.js';
import { lineText } from '../lines/lines.js';
import { endOfRun, MIN_LARGER_RATIO, readTable, toTable } from './aligned-rows.js';
import { captionOf, type Evidence, endsFigure } from './captions.js';
import { isTextLeftOf, MAX_RULE_DISTANCE_EM } from './closed-tables.js';
import { takeContents } from './contents.js';
import { joinRules } from './grids.js';
import { tableLine } from './table.js';
import { sharesEnds } from './table-area.js';
import { isNumeric } from './table-rows.js';
import type { Rules } from './table-rules.js';
import { isTabular } from './tabular-lines.js';

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
  // A line in larger type that begins left of the first row is the title of the table.
  if (head.fontSize > first.fontSize * MIN_LARGER_RATIO && head.x0 < first.x0) return undefined;
  if (isTextLeftOf(head, lines)) return undefined;
  const all = [head, ...lines];
  const [under, others] = divide(rules.horizontal, ({ y0 }) => y0 > head.baseline && y0 < first.baseline);
  // The rule under a head may have a part over each column that the head spans.
  const horizontal = [...others, ...joinRules(under, head.fontSize * MAX_PART_GAP_EM).horizontal];
  const table = toTable(all, { ...rules, horizontal });
  if (typeof table !== 'object' || head.words.length > table.columns * MAX_HEAD_WORDS_PER_COLUMN) return undefined;
  const over = table.cells.filter((cell) => cell.row === 0 && cell.lines.length > 0);
  const spans = over.some(({ columnSpan }) => columnSpan > 1 && columnSpan < table.columns);
  const isInTable = () => rules.caption === 'table' || isUnderRule(head, lines, rules);
  const isSpanning =
    isOverRule(head, lines, rules) ||
    (isOverValues(head, table) && isInTable()) ||
    (!hasHead && isBesideHeads(over, table));
  if (spans && isSpanning) return tableLine(table, all);
  if (hasHead || !mayBeHead(head, lines) || over.length < table.columns / 2) return undefined;
  if (over.length < 2 && !over.every((cell) => isOverFigures(cell, table))) return undefined;
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
  return x1 > (last?.x0 ?? 0) && x0 >= extentOf(lines).x0 - fontSize;
}

/** True when the line stands about the middle of the columns at the right of the labels. */
function isOverValues({ x0, x1, fontSize, apart }: PageLine, { cells }: PageTable): boolean {
  const values = extentOf(cells.flatMap(({ row, column, lines }) => (row > 0 && column > 0 ? lines : [])));
  return apart.size === 0 && x0 > values.x0 - fontSize && Math.abs(x0 + x1 - values.x0 - values.x1) < 2 * fontSize;
}

/** True when the words stand above figures alone, as the head of amounts beside labels does. */
function isOverFigures({ column, lines }: PageCell, { cells }: PageTable): boolean {
  if (column === 0 || !lines.some(({ words }) => words.some(hasLetter))) return false;
  const below = cells.flatMap((cell) => (cell.row > 0 && cell.column === column ? cell.lines : []));
  return below.every((line) => isNumeric(lineText(line))) && gapBetween(extentOf(lines), extentOf(below)) < 0;
}

/** True when heads of a single column stand above the line of those below the head of several. */
function isBesideHeads(over: readonly PageCell[], { cells }: PageTable): boolean {
  const below = cells.flatMap(({ row, lines }) => (row === 1 ? lines : []));
  const under = Math.min(...below.map(({ baseline }) => baseline));
  return over.some(
    ({ rowSpan, lines }) => rowSpan > 1 && lines.every((line) => line.baseline < under - line.fontSize * 0.3),
  );
}

/** True when a rule above the line and the labels begins and ends with one below it: the line stands in the table between. */
function isUnderRule({ baseline, fontSize }: PageLine, lines: readonly PageLine[], { horizontal }: Rules): boolean {
  const labels = extentOf(lines).x0 + fontSize;
  const end = lines.at(-1)?.baseline ?? baseline;
  const own = horizontal.filter(
    ({ x0, y0 }) => x0 < labels && y0 > baseline - fontSize * MAX_RULE_DISTANCE_EM && y0 < end,
  );
  const [above, below] = divide(own, ({ y0 }) => y0 < baseline);
  return below.some((rule) => above.some((top) => sharesEnds(top, rule)));
}

/** True when rules are drawn under the line but not under the labels, one or a part over each column, as under the head of several. */
function isOverRule(head: PageLine, lines: readonly PageLine[], { horizontal }: Rules): boolean {
  const [first] = lines;
  const labels = extentOf(lines).x0 + head.fontSize;
  const under = horizontal.filter(({ x0, y0 }) => y0 > head.baseline && y0 < (first?.baseline ?? 0) && x0 > labels);
  const { x0, x1 } = extentOf(under);
  return x0 < head.x0 + 1 && x1 > head.x1 - 1;
}
