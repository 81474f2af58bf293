import type { Area } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import type { Fragment, PageWord } from '../../../model/page.js';
import type { Column } from './table-columns.js';
import { filled, type TableRow } from './table-rows.js';

/** How far, in points, the ends of a table's rules may be off each other. */
const OFF = 1.5;
/** In points: a head is not as high as a page of text between rules. */
export const MOST_HEAD = 100;

/** Do two rules, or areas, begin and end below each other? */
export const sharesEnds = (a: Area, b: Area): boolean => Math.abs(a.x0 - b.x0) < OFF && Math.abs(a.x1 - b.x1) < OFF;

/** The fragments whose middle stands in the area. */
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

/** In ems: so close to the outermost rules there are cells where rules part rows, but none ends the table. */
const BESIDE_RULE = 2;

/** How far above and below the area of a table its cells would still stand. */
export const reachOf = (fragments: readonly Fragment[]): number =>
  (median(fragments.map(({ fontSize }) => fontSize)) ?? 0) * BESIDE_RULE;

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

/** Do cells stand just above the area? */
export const isBelowCells = (area: Area, fragments: readonly Fragment[]): boolean =>
  haveCells(within(fragments, { ...area, y0: area.y0 - reachOf(fragments), y1: area.y0 }));

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

/** Lines are made of copies: they mark their words. */
export const copy = (fragment: Fragment): Fragment => ({
  ...fragment,
  words: fragment.words.map((word) => ({ ...word })),
});

/** What is laid out already, or reads from the right: no cell of such a table. */
export const isNoCell = ({ block, direction }: Fragment): boolean => block !== undefined || direction === 'rtl';

/** In ems: how far off a column's sides lines that fill it begin and end. */
const OFF_SIDE = 0.3;

/** Is no wide space in its cells, other than what fills a line up? It tells that there are more columns, under a head that spans them. */
export const isWhole = (row: TableRow, columns: readonly Column[]): boolean =>
  filled(row).every(({ column, lines }) =>
    lines.every((words) => !hasWideSpace(words, row.fontSize) || fills(words, columns[column], row.fontSize)),
  );

const hasWideSpace = (words: readonly PageWord[], fontSize: number): boolean =>
  words.some(({ x0 }, index) => x0 - (words[index - 1]?.x1 ?? x0) > fontSize * LEAST_GAP);

const fills = (words: readonly PageWord[], column: Column | undefined, fontSize: number): boolean =>
  column !== undefined &&
  (words[0]?.x0 ?? 0) < column.x0 + fontSize * OFF_SIDE &&
  (words.at(-1)?.x1 ?? 0) > column.x1 - fontSize * OFF_SIDE;
