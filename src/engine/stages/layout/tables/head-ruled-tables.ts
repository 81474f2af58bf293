import { type Area, covers, gapBetween, middleOf, type Span } from '../../../model/geometry.js';
import { gatherAlike } from '../../../model/groups.js';
import type { Fragment, PageLine, PageTable } from '../../../model/page.js';
import { isBold } from '../lines/lines.js';
import { top } from '../lines/strips.js';
import { readHeadedTable } from './from-rows.js';
import { toRow } from './row-cells.js';
import {
  copyLines,
  haveCells,
  headAbove,
  isCutBy,
  isNoCell,
  MAX_HEAD_HEIGHT,
  reachOf,
  sharesEnds,
  within,
} from './table-area.js';
import { type Column, columnsBetween } from './table-columns.js';
import { type FoundTable, type FoundTables, moveTable } from './table-finder.js';
import { countCovered, hasData, joinRow } from './table-rows.js';
import type { Rules } from './table-rules.js';
import { rowsOfRuled, rowsOfWrapped } from './wrapped-rows.js';

/** Upper bound of the rules of one width: those of a table and, on long pages, of the tables below it. */
const MAX_RULES_PER_WIDTH = 60;
/** Largest indent of the label of a row, in ems. */
const MAX_LABEL_INDENT_EM = 4;
/** Upper bound of the rules on a page: a page with more of them is a drawing. */
const MAX_RULES_ON_PAGE = 2000;

/**
 * Takes tables with wrapped cells out of the flow whose columns no rule separates. Rules are drawn above and below the
 * head and at the end, and maybe between the rows. The space between their columns would be taken for one between
 * columns of the page. Rules of one width show where such a table begins and ends; the words between the first two
 * rules show that it is one.
 */
export function takeHeadRuledTables(before: FoundTables, { horizontal }: Rules): FoundTables {
  if (horizontal.length > MAX_RULES_ON_PAGE) return before;
  let found = before;
  const around = (area: Area): Surroundings => ({
    isBeside: () => isBesideRuled(area, before.rest, horizontal),
    isAcross: () => isAcrossColumns(area, before.rest),
  });
  const fromTop = horizontal.toSorted((a, b) => a.y0 - b.y0);
  for (const drawn of gatherAlike(fromTop, sharesEnds)) {
    if (drawn.length < 3 || drawn.length > MAX_RULES_PER_WIDTH) continue;
    const rules = withLowerEdge(withUpperEdge(drawn, found.rest), found.rest);
    for (let from = 0; from + 2 < rules.length; ) {
      const table = findTable(rules.slice(from), found.rest, around);
      from += table?.rules ?? 1;
      if (table !== undefined) found = moveTable(found, table);
    }
  }
  return found;
}

/** Facts on the text around an area that make it a table, though no cell wraps. */
interface Surroundings {
  isBeside(): boolean;
  isAcross(): boolean;
}

/** Finds the table that begins at the first of the rules, as far down as its columns continue, and the number of its rules. */
function findTable(
  rules: readonly Area[],
  fragments: readonly Fragment[],
  around: (area: Area) => Surroundings,
): (FoundTable & { rules: number }) | undefined {
  const [top, second] = rules;
  if (top === undefined || second === undefined) return undefined;
  const head = within(fragments, { ...top, y1: second.y0 });
  if (second.y0 - top.y0 > MAX_HEAD_HEIGHT || !haveCells(head)) return undefined;
  for (const columnsOf of copyLines(head).every(isBold) ? [columnsBelow, columnsOfAll] : [columnsOfAll]) {
    for (let count = rules.length; count >= 3; count--) {
      const area = { ...top, y1: rules[count - 1]?.y0 ?? 0 };
      if (fragments.some((fragment) => isCutBy(fragment, area))) continue;
      const inside = within(fragments, area);
      const table = toTable(inside, rules.slice(0, count), columnsOf, around(area));
      const goesOn = columnsOf === columnsBelow ? hasLabelBelow : continuesBeyond;
      if (table !== undefined && !goesOn(area, fragments)) return { table, area, fragments: inside, rules: count };
    }
  }
  return undefined;
}

/** Rules of a table beside another one, and the share of a word over one of them. */
const MIN_RULES_BESIDE = 3;
const MIN_RULED_SHARE = 0.9;

/** True when other words stand level with the area, all of them between several rules beside it. */
function isBesideRuled(area: Area, fragments: readonly Fragment[], horizontal: readonly Area[]): boolean {
  const isBeside = (part: Span, y: number) => y > area.y0 - 1 && y < area.y1 + 1 && gapBetween(part, area) > 0;
  const rules = horizontal.filter((rule) => isBeside(rule, rule.y0));
  const words = fragments.filter((fragment) => isBeside(fragment, fragment.baseline));
  return (
    rules.length >= MIN_RULES_BESIDE &&
    words.length > 0 &&
    words.every((part) => rules.some((rule) => covers(rule, part, MIN_RULED_SHARE)))
  );
}

/** Least width of the lines of two columns, as a share of the width of both, and of how many lines in each. */
const MIN_LINE_SHARE = 0.35;
const MIN_LINES_IN_COLUMN = 5;

/** True when the text around the area stands in two columns, across which it reaches. */
function isAcrossColumns(area: Area, fragments: readonly Fragment[]): boolean {
  const [middle, least] = [middleOf(area), (area.x1 - area.x0) * MIN_LINE_SHARE];
  const lines = fragments.filter(
    ({ x0, x1, baseline }) =>
      x1 - x0 > least && x1 > area.x0 && x0 < area.x1 && (baseline < area.y0 || baseline > area.y1),
  );
  const left = lines.filter(({ x1 }) => x1 <= middle).length;
  const right = lines.filter(({ x0 }) => x0 >= middle).length;
  const few = Math.min(left, right);
  return few >= MIN_LINES_IN_COLUMN && lines.length - left - right < few;
}

/** True when a row with a label stands right below the area. */
function hasLabelBelow(area: Area, fragments: readonly Fragment[]): boolean {
  const below = within(fragments, { ...area, y0: area.y1, y1: area.y1 + reachOf(fragments) });
  return haveCells(below) && below.some(({ x0, fontSize }) => x0 < area.x0 + fontSize * MAX_LABEL_INDENT_EM);
}

/** True when cells stand right above or below the area, in its columns. */
function continuesBeyond(area: Area, fragments: readonly Fragment[]): boolean {
  const inside = within(fragments, area);
  const reach = reachOf(fragments);
  const beside = [
    { ...area, y0: area.y0 - reach, y1: area.y0 },
    { ...area, y0: area.y1, y1: area.y1 + reach },
  ]
    .map((strip) => within(fragments, strip))
    .filter((cells) => haveCells(cells) && !beginsBelow(area.y1, inside, cells));
  return beside.some((cells) => countColumns([...inside, ...cells]) >= countColumns(inside));
}

/** Space above a rule that another table begins with, in ems, and its ratio to the space below. */
const MIN_SPACE_ABOVE_EM = 1;
const MIN_SPACE_RATIO = 2;

/** True when the cells stand close below a rule that wide space parts from the rows above: it is the first of another table. */
function beginsBelow(rule: number, rows: readonly Fragment[], cells: readonly Fragment[]): boolean {
  const [{ fontSize = 0 } = {}] = cells;
  const above = rule - Math.max(...rows.map(({ baseline }) => baseline));
  const below = Math.min(...cells.map(top)) - rule;
  return below > 0 && above > Math.max(fontSize * MIN_SPACE_ABOVE_EM, below * MIN_SPACE_RATIO);
}

const countColumns = (fragments: readonly Fragment[]): number => columnsBetween(copyLines(fragments)).length;

/**
 * Adds an upper edge when no rule is drawn above the head: the table begins with the cells just above the first rule,
 * or above the title of the first rows.
 */
function withUpperEdge(rules: readonly [Area, ...Area[]], fragments: readonly Fragment[]): readonly Area[] {
  const [first] = rules;
  const title = titleAbove(first, fragments);
  const y = headAbove(title ?? first, fragments);
  return y === undefined ? rules : [{ ...first, y0: y, y1: y }, ...rules];
}

/** Returns the area of the label that stands alone above a rule, at its left end. */
function titleAbove(rule: Area, fragments: readonly Fragment[]): Area | undefined {
  const [title, ...others] = within(fragments, { ...rule, y0: rule.y0 - reachOf(fragments), y1: rule.y0 });
  if (title === undefined || others.length > 0 || title.x0 > rule.x0 + title.fontSize) return undefined;
  return { ...rule, y0: title.baseline - title.fontSize };
}

/** Adds a lower edge when cells stand right below the last rule: a page may end before the rule under its last row. */
function withLowerEdge(rules: readonly Area[], fragments: readonly Fragment[]): readonly Area[] {
  const last = rules.at(-1);
  if (last === undefined) return rules;
  const below = within(fragments, { ...last, y1: last.y0 + reachOf(fragments) });
  if (!haveCells(below)) return rules;
  const y = Math.max(...below.map(({ baseline, fontSize }) => baseline + fontSize * 0.3));
  return [...rules, { ...last, y0: y, y1: y }];
}

/** Finds the columns of lines whose first `head` ones are the head; none where it is not known. */
type ColumnsOf = (lines: readonly PageLine[], head: number) => Column[];

/**
 * Finds columns below a bold head with a line of labels that stand as close as words: these hide the space between the
 * columns. The totals at the end hide it too.
 */
function columnsBelow(lines: readonly PageLine[], head: number): Column[] {
  const [above, below] = [lines.slice(0, head), lines.slice(head)];
  if (above.length === 0 || !isBoldAlone(above, below)) return [];
  const left = Math.min(...lines.map(({ x0 }) => x0));
  const rows = below.slice(
    0,
    below.findLastIndex(({ x0, fontSize }) => x0 < left + fontSize * MAX_LABEL_INDENT_EM) + 1,
  );
  const columns = columnsBetween(rows);
  const isOverAll = countCovered(above.map((line) => toRow(line, columns)).reduce(joinRow)) >= columns.length - 1;
  return isOverAll && columns.length > columnsBetween(lines).length ? columns : [];
}

/** Finds the columns of all lines, the head among them. */
const columnsOfAll: ColumnsOf = (lines) => columnsBetween(lines);

const isBoldAlone = (head: readonly PageLine[], rows: readonly PageLine[]): boolean =>
  head.every(isBold) && !rows.every(isBold);

/** Rows without wrapped cells are looked for beside another table, and across the columns of the text. */
function toTable(
  fragments: readonly Fragment[],
  rules: readonly Area[],
  columnsOf: ColumnsOf,
  { isBeside, isAcross }: Surroundings,
): PageTable | undefined {
  if (fragments.some(isNoCell)) return undefined;
  const lines = copyLines(fragments);
  const count = lines.filter(({ baseline }) => baseline < (rules[1]?.y0 ?? 0)).length;
  const columns = columnsOf(lines, count);
  if (columns.length < 2) return undefined;
  const hasBoldHead = isBoldAlone(lines.slice(0, count), lines.slice(count));
  return readHeadedTable(lines, columns, count, {
    rules,
    isHead: (row) => countCovered(row) >= Math.max(2, columns.length - 1),
    toRows: (body, head, spans) =>
      (hasData(head)
        ? undefined
        : rowsOfRuled(body, rules, spans, () => hasBoldHead && (columnsOf === columnsBelow || isBeside()))) ??
      rowsOfWrapped(body, columns, rules, isAcross),
  });
}
