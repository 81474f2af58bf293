import { median } from '../../median.js';
import type { Area } from '../../pdf/read-drawing.js';
import { isLeader } from '../fragment.js';
import type { Fragment, LaidTable, PlacedWord } from '../laid.js';
import { buildLines } from '../lines.js';
import { fromRows } from './from-rows.js';
import { isListing } from './not-tables.js';
import { toRow } from './row-cells.js';
import { standForTable } from './table.js';
import { type Column, columnsBetween } from './table-columns.js';
import { filled, isPlain, joinRow, type TableRow } from './table-rows.js';
import type { Rules } from './table-rules.js';
import { rowsOfWrapped } from './wrapped-rows.js';

export interface HeadRuledTables {
  /** Each as one piece, for the order of reading. */
  tables: Fragment[];
  /** What stands in no table. */
  rest: Fragment[];
}

/** How far, in points, the ends of a table's rules may be off each other. */
const OFF = 1.5;
/** Those of one table and, on long pages, of the ones below it. */
const MOST_RULES = 60;
/** A page with more of them is a drawing. */
const MOST_DRAWN = 2000;
/** In points: a head is not as high as a page of text between rules. */
export const MOST_HEAD = 100;

/**
 * Takes the tables whose cells wrap out of the flow that are ruled above and below the head and at the end alone, or
 * between their rows too, but not between their columns: the space between those would be taken for one between columns
 * of the page. Rules of one width tell where such a table begins and ends, and the words between the first two of them
 * that it is one.
 */
export function takeHeadRuledTables(fragments: Fragment[], { horizontal }: Rules): HeadRuledTables {
  if (horizontal.length > MOST_DRAWN) return { tables: [], rest: fragments };
  let rest = fragments;
  const tables: Fragment[] = [];
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
  return { tables, rest };
}

export const sharesEnds = (a: Area, b: Area): boolean => Math.abs(a.x0 - b.x0) < OFF && Math.abs(a.x1 - b.x1) < OFF;

/** Rules that begin and end below each other, from the top: three or more. */
function groupByEnds(horizontal: readonly Area[]): Area[][] {
  const groups: Area[][] = [];
  for (const rule of horizontal) {
    const group = groups.find(([first]) => first !== undefined && sharesEnds(first, rule));
    if (group === undefined) groups.push([rule]);
    else group.push(rule);
  }
  return groups
    .filter(({ length }) => length >= 3 && length <= MOST_RULES)
    .map((group) => group.sort((a, b) => a.y0 - b.y0));
}

interface Found {
  table: LaidTable;
  area: Area;
  fragments: Fragment[];
  /** How many of the rules are its own. */
  rules: number;
}

/** The table that begins at the first of the rules, as far down as the columns go on. */
function findTable(rules: readonly Area[], fragments: readonly Fragment[]): Found | undefined {
  const [top, second] = rules;
  if (top === undefined || second === undefined) return undefined;
  if (second.y0 - top.y0 > MOST_HEAD || !haveCells(within(fragments, { ...top, y1: second.y0 }))) return undefined;
  for (let count = rules.length; count >= 3; count--) {
    const area = { ...top, y1: rules[count - 1]?.y0 ?? 0 };
    const inside = within(fragments, area);
    const table =
      isCut(fragments, area) || goesOn(fragments, area) ? undefined : toTable(inside, rules.slice(0, count));
    if (table !== undefined) return { table, area, fragments: inside, rules: count };
  }
  return undefined;
}

export const within = (fragments: readonly Fragment[], { x0, y0, x1, y1 }: Area): Fragment[] =>
  fragments.filter((fragment) => {
    const [x, y] = [(fragment.x0 + fragment.x1) / 2, fragment.baseline - fragment.fontSize * 0.3];
    return x > x0 && x < x1 && y > y0 && y < y1;
  });

/** Runs it on out of the area at a side? */
export const isCutBy = ({ x0, x1, baseline, fontSize }: Fragment, area: Area): boolean =>
  baseline - fontSize * 0.3 > area.y0 &&
  baseline - fontSize * 0.3 < area.y1 &&
  [area.x0, area.x1].some((side) => x0 < side - fontSize * 0.5 && x1 > side + fontSize * 0.5);

const isCut = (fragments: readonly Fragment[], area: Area): boolean =>
  fragments.some((fragment) => isCutBy(fragment, area));

/** In ems: so close to the outermost rules there are cells where rules part rows, but none ends the table. */
const BESIDE_RULE = 2;

const reachOf = (fragments: readonly Fragment[]): number =>
  (median(fragments.map(({ fontSize }) => fontSize)) ?? 0) * BESIDE_RULE;

const goesOn = (fragments: readonly Fragment[], area: Area): boolean =>
  isBelowCells(area, fragments) ||
  haveCells(within(fragments, { ...area, y0: area.y1, y1: area.y1 + reachOf(fragments) }));

/** Do cells stand just above the area? */
export const isBelowCells = (area: Area, fragments: readonly Fragment[]): boolean =>
  haveCells(within(fragments, { ...area, y0: area.y0 - reachOf(fragments), y1: area.y0 }));

/** No rule need be drawn above the head: there the table begins with the cells just above the first one. */
function withUpperEdge(rules: readonly Area[], fragments: readonly Fragment[]): readonly Area[] {
  const [first] = rules;
  if (first === undefined) return rules;
  const y = headAbove(first, fragments);
  return y === undefined ? rules : [{ ...first, y0: y, y1: y }, ...rules];
}

/** The upper edge of the cells just above a rule, if there are any. */
export function headAbove(rule: Area, fragments: readonly Fragment[]): number | undefined {
  const head = within(fragments, { ...rule, y0: rule.y0 - reachOf(fragments), y1: rule.y0 });
  if (!haveCells(head)) return undefined;
  const y = topOf(head);
  const above = within(fragments, { ...rule, y0: y - (head[0]?.fontSize ?? 0) * LINE_ABOVE, y1: y });
  return haveCells(above) ? topOf(above) : y;
}

/** In ems: so close above the first line of a head there is another. */
const LINE_ABOVE = 0.9;

const topOf = (fragments: readonly Fragment[]): number =>
  Math.min(...fragments.map(({ baseline, fontSize }) => baseline - fontSize));

/** In ems: how far off a column's sides lines that fill it begin and end. */
const OFF_SIDE = 0.3;
/** In ems: words stand closer to each other. */
const LEAST_GAP = 1.4;

/** Stand two of them side by side, far apart? */
export const haveCells = (fragments: readonly Fragment[]): boolean =>
  fragments.some((left) =>
    fragments.some(
      ({ x0, baseline }) =>
        x0 - left.x1 > left.fontSize * LEAST_GAP && Math.abs(baseline - left.baseline) < left.fontSize * 0.3,
    ),
  );

export const copy = (fragment: Fragment): Fragment => ({
  ...fragment,
  words: fragment.words.map((word) => ({ ...word })),
});

export const isNoCell = ({ block, direction }: Fragment): boolean => block !== undefined || direction === 'rtl';

/** Is no wide space in its cells, other than what fills a line up? It tells that there are more columns, under a head that spans them. */
export const isWhole = (row: TableRow, columns: readonly Column[]): boolean =>
  filled(row).every(({ column, lines }) =>
    lines.every((words) => !hasWideSpace(words, row.fontSize) || fills(words, columns[column], row.fontSize)),
  );

const hasWideSpace = (words: readonly PlacedWord[], fontSize: number): boolean =>
  words.some(({ x0 }, index) => x0 - (words[index - 1]?.x1 ?? x0) > fontSize * LEAST_GAP);

const fills = (words: readonly PlacedWord[], column: Column | undefined, fontSize: number): boolean =>
  column !== undefined &&
  (words[0]?.x0 ?? 0) < column.x0 + fontSize * OFF_SIDE &&
  (words.at(-1)?.x1 ?? 0) > column.x1 - fontSize * OFF_SIDE;

function toTable(fragments: readonly Fragment[], rules: readonly Area[]): LaidTable | undefined {
  if (fragments.some(isNoCell)) return undefined;
  // Lines mark their words: of what is no table those are made later, in its own column.
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
