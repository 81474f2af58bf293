import type { Area } from '../../../model/geometry.js';
import type { Fragment, PageContent, PageTable } from '../../../model/page.js';
import { isLeader } from '../lines/fragment.js';
import { buildLines } from '../lines/lines.js';
import { fromRows } from './from-rows.js';
import { isListing } from './not-tables.js';
import { toRow } from './row-cells.js';
import { standForTable } from './table.js';
import {
  copy,
  haveCells,
  headAbove,
  isCutBy,
  isNoCell,
  isWhole,
  MAX_HEAD_HEIGHT,
  reachOf,
  sharesEnds,
  within,
} from './table-area.js';
import { columnsBetween } from './table-columns.js';
import type { FoundTables } from './table-finder.js';
import { filled, isPlain, joinRow } from './table-rows.js';
import type { Rules } from './table-rules.js';
import { rowsOfWrapped } from './wrapped-rows.js';

/** Upper bound of the rules of one width: those of a table and, on long pages, of the tables below it. */
const MAX_RULES_PER_WIDTH = 60;
/** Upper bound of the rules on a page: a page with more of them is a drawing. */
const MAX_RULES_ON_PAGE = 2000;
/**
 * Takes tables with wrapped cells out of the flow whose columns no rule separates. Rules are drawn above and below the
 * head and at the end, and maybe between the rows. The space between their columns would be taken for one between
 * columns of the page. Rules of one width show where such a table begins and ends; the words between the first two
 * rules show that it is one.
 */
export function takeHeadRuledTables(before: FoundTables, _page: PageContent, { horizontal }: Rules): FoundTables {
  if (horizontal.length > MAX_RULES_ON_PAGE) return before;
  let { rest } = before;
  const tables = [...before.tables];
  for (const drawn of groupByEnds(horizontal)) {
    const rules = withUpperEdge(drawn, rest);
    for (let from = 0; from + 2 < rules.length; ) {
      const found = findTable(rules.slice(from), rest);
      from += found?.rules ?? 1;
      if (found === undefined) continue;
      tables.push(standForTable(found.table, found.area));
      rest = rest.filter((fragment) => !found.fragments.includes(fragment));
    }
  }
  return { ...before, tables, rest };
}

/** Groups rules that begin and end below each other, three or more, from the top. */
function groupByEnds(horizontal: readonly Area[]): Area[][] {
  const groups: Area[][] = [];
  for (const rule of horizontal) {
    const group = groups.find(([first]) => first !== undefined && sharesEnds(first, rule));
    if (group === undefined) groups.push([rule]);
    else group.push(rule);
  }
  return groups
    .filter(({ length }) => length >= 3 && length <= MAX_RULES_PER_WIDTH)
    .map((group) => group.sort((a, b) => a.y0 - b.y0));
}

interface Found {
  table: PageTable;
  area: Area;
  fragments: Fragment[];
  /** Number of the rules that belong to the table. */
  rules: number;
}

/** Finds the table that begins at the first of the rules, as far down as its columns continue. */
function findTable(rules: readonly Area[], fragments: readonly Fragment[]): Found | undefined {
  const [top, second] = rules;
  if (top === undefined || second === undefined) return undefined;
  if (second.y0 - top.y0 > MAX_HEAD_HEIGHT || !haveCells(within(fragments, { ...top, y1: second.y0 })))
    return undefined;
  for (let count = rules.length; count >= 3; count--) {
    const area = { ...top, y1: rules[count - 1]?.y0 ?? 0 };
    if (isCut(fragments, area)) continue;
    const inside = within(fragments, area);
    const table = toTable(inside, rules.slice(0, count));
    if (table !== undefined && !continuesBeyond(inside, area, fragments))
      return { table, area, fragments: inside, rules: count };
  }
  return undefined;
}

const isCut = (fragments: readonly Fragment[], area: Area): boolean =>
  fragments.some((fragment) => isCutBy(fragment, area));

/** True when cells stand right above or below the area, in its columns. */
function continuesBeyond(inside: readonly Fragment[], area: Area, fragments: readonly Fragment[]): boolean {
  const reach = reachOf(fragments);
  const beside = [
    { ...area, y0: area.y0 - reach, y1: area.y0 },
    { ...area, y0: area.y1, y1: area.y1 + reach },
  ]
    .map((strip) => within(fragments, strip))
    .filter(haveCells);
  if (beside.length === 0) return false;
  const columns = countColumns(inside);
  return beside.some((cells) => countColumns([...inside, ...cells]) >= columns);
}

const countColumns = (fragments: readonly Fragment[]): number => columnsBetween(buildLines(fragments.map(copy))).length;

/** Adds an upper edge when no rule is drawn above the head: the table begins with the cells just above the first rule. */
function withUpperEdge(rules: readonly Area[], fragments: readonly Fragment[]): readonly Area[] {
  const [first] = rules;
  if (first === undefined) return rules;
  const y = headAbove(first, fragments);
  return y === undefined ? rules : [{ ...first, y0: y, y1: y }, ...rules];
}

function toTable(fragments: readonly Fragment[], rules: readonly Area[]): PageTable | undefined {
  if (fragments.some(isNoCell)) return undefined;
  // Copies, because lines mark their words: those of text outside tables are made later, in its own column.
  const lines = buildLines(fragments.map(copy));
  if (lines.some(({ words }) => words.some(isLeader))) return undefined;
  const columns = columnsBetween(lines);
  if (columns.length < 2) return undefined;
  const parted = lines.map((line) => toRow(line, columns));
  const head = parted.filter(({ baseline }) => baseline < (rules[1]?.y0 ?? 0));
  const body = parted.slice(head.length);
  if (!parted.every((row) => isPlain(row) && isWhole(row, columns))) return undefined;
  const [first, ...others] = head;
  if (first === undefined) return undefined;
  const heads = others.reduce(joinRow, first);
  if (filled(heads).length < Math.max(2, columns.length - 1)) return undefined;
  const rows = rowsOfWrapped(body, columns, rules);
  if (rows === undefined || isListing(rows, columns.length)) return undefined;
  return fromRows([heads, ...rows], columns);
}
