import { type Area, middleOf, type Span } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import type { Fragment, PageLine } from '../../../model/page.js';
import { buildLines, isBold } from '../lines/lines.js';
import { hasWideSpace, stretchOf } from './table-columns.js';
import { filled, type TableRow } from './table-rows.js';

/** Tolerance of the ends of a table's rules, in points. */
const RULE_END_TOLERANCE = 1.5;
/** Largest height of a head, in points: a page of text between rules is higher. */
export const MAX_HEAD_HEIGHT = 100;

/** True when two rules, or areas, begin and end below each other. */
export const sharesEnds = (a: Area, b: Area): boolean =>
  Math.abs(a.x0 - b.x0) < RULE_END_TOLERANCE && Math.abs(a.x1 - b.x1) < RULE_END_TOLERANCE;

/** Returns the fragments whose middle stands in the area. */
export const within = (fragments: readonly Fragment[], { x0, y0, x1, y1 }: Area): Fragment[] =>
  fragments.filter((fragment) => {
    const x = middleOf(fragment);
    const y = fragment.baseline - fragment.fontSize * 0.3;
    return x > x0 && x < x1 && y > y0 && y < y1;
  });

/** True when the fragment continues beyond a side of the area. */
export const isCutBy = ({ x0, x1, baseline, fontSize }: Fragment, area: Area): boolean =>
  baseline - fontSize * 0.3 > area.y0 &&
  baseline - fontSize * 0.3 < area.y1 &&
  [area.x0, area.x1].some((side) => x0 < side - fontSize * 0.5 && x1 > side + fontSize * 0.5);

/**
 * Distance from the outermost rules within which cells still belong to the table, in ems: rules may separate rows
 * without ending the table.
 */
const BESIDE_RULE_EM = 2;

/** Returns how far above and below the area of a table its cells would still stand. */
export const reachOf = (fragments: readonly Fragment[]): number =>
  (median(fragments.map(({ fontSize }) => fontSize)) ?? 0) * BESIDE_RULE_EM;

/** Smallest gap between two cells, in ems: words stand closer to each other. */
const MIN_CELL_GAP_EM = 1.4;

/** True when two of the fragments stand side by side, far apart. */
export const haveCells = (fragments: readonly Fragment[]): boolean =>
  fragments.some((left) =>
    fragments.some(
      ({ x0, baseline }) =>
        x0 - left.x1 > left.fontSize * MIN_CELL_GAP_EM && Math.abs(baseline - left.baseline) < left.fontSize * 0.3,
    ),
  );

/** Returns the upper edge of the cells just above a rule, if there are any. */
export function headAbove(rule: Area, fragments: readonly Fragment[]): number | undefined {
  const head = within(fragments, { ...rule, y0: rule.y0 - reachOf(fragments), y1: rule.y0 });
  if (!haveCells(head)) return undefined;
  const reach = (head[0]?.fontSize ?? 0) * LINE_ABOVE_EM;
  const extend = (y: number, isOfHead: (above: readonly Fragment[]) => boolean) => {
    const above = within(fragments, { ...rule, y0: y - reach, y1: y });
    return isOfHead(above) ? topOf(above) : y;
  };
  return extend(extend(topOf(head), haveCells), (above) => areOverColumns(above, rule));
}

/** Distance above a line of a head within which there is another one, in ems. */
const LINE_ABOVE_EM = 0.9;
/** Smallest distance of the head of several columns from the left end of the table, in ems. */
const MIN_SPANNING_INDENT_EM = 4;

/** True for bold words right of the labels: the head of several columns. */
const areOverColumns = (fragments: readonly Fragment[], { x0 }: Area): boolean =>
  fragments.length > 0 &&
  fragments.every((fragment) => isBold(fragment) && fragment.x0 > x0 + fragment.fontSize * MIN_SPANNING_INDENT_EM);

const topOf = (fragments: readonly Fragment[]): number =>
  Math.min(...fragments.map(({ baseline, fontSize }) => baseline - fontSize));

/** Builds lines of copies, because lines mark their words: those of text outside tables are made later, in its own column. */
export const copyLines = (fragments: readonly Fragment[]): PageLine[] =>
  buildLines(fragments.map((fragment) => ({ ...fragment, words: fragment.words.map((word) => ({ ...word })) })));

/** True for fragments that are laid out already or read from the right: they are no cells of such a table. */
export const isNoCell = ({ block, direction }: Fragment): boolean => block !== undefined || direction === 'rtl';

/** Tolerance of lines that fill a column from side to side, in ems. */
const COLUMN_SIDE_TOLERANCE_EM = 0.3;

/**
 * True when the cells have no wide space, other than space that fills a line up. Wide space shows that there are more
 * columns, under a head that spans them.
 */
export function isWhole(row: TableRow, columns: readonly Span[]): boolean {
  const off = row.fontSize * COLUMN_SIDE_TOLERANCE_EM;
  const fills = ({ x0, x1 }: Span, column: Span | undefined) =>
    column !== undefined && x0 < column.x0 + off && x1 > column.x1 - off;
  return filled(row).every(({ column, lines }) =>
    lines.every(
      (words) => !hasWideSpace(words, row.fontSize * MIN_CELL_GAP_EM) || fills(stretchOf(words), columns[column]),
    ),
  );
}
