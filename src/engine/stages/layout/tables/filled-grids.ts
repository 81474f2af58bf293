import { type Area, contains, overlap, sizeOfArea } from '../../../model/geometry.js';
import { boxOf, findGrids, type Grid, joinRules, REACH, sidesOf } from './grids.js';
import type { Rules } from './table-rules.js';

/** Lower bound of the filled boxes of a table: fewer are a chart's, or the fields of a form. */
const MIN_CELLS = 6;
/** Upper bound of the grounds on a page: more are the pixels of a drawing. */
const MAX_SHADES = 1500;
/** Smallest height of a cell, in points: lower grounds are bars or marks. */
const MIN_CELL_HEIGHT = 8;
/** Share of a grid's cells, and of its area, that must have a ground: a table of filled cells leaves only their borders free. */
const MIN_FILLED_SHARE = 0.9;
const MIN_COLUMNS = 2;
const MIN_ROWS = 3;

/**
 * Finds the grids that filled cells make, without a line between them or with a white one, as the styles of office
 * programs draw them. Grids that rules make too are left out.
 */
export function findFilledGrids(shades: readonly Area[], rules: Rules, ruled: readonly Grid[]): Grid[] {
  if (shades.length < MIN_CELLS || shades.length > MAX_SHADES) return [];
  const known = ruled.map(boxOf);
  const grounds = groundsOfCells(shades.filter((shade) => !known.some((box) => overlap(box, shade, REACH))));
  const { horizontal, vertical } = joinRules(grounds.flatMap(sidesOf));
  return findGrids(horizontal, vertical).filter(
    (grid) => isFilled(grid, grounds) && !rules.horizontal.some((rule) => runsOut(rule, boxOf(grid))),
  );
}

/**
 * Keeps one of the grounds that lie on each other. A ground on that of a cell is a mark or a paragraph. Grounds that
 * fill that of a row, or are enough for a table on that of a page, are cells. A ground that is drawn twice fills
 * itself.
 */
function groundsOfCells(shades: readonly Area[]): Area[] {
  const high = shades.filter(({ y0, y1 }) => y1 - y0 >= MIN_CELL_HEIGHT);
  let grounds: Area[] = [];
  for (const shade of high.sort((a, b) => sizeOfArea(a) - sizeOfArea(b))) {
    const upon = new Set(grounds.filter((other) => contains(shade, other, 1)));
    if (upon.size >= MIN_CELLS || fill(shade, [...upon])) continue;
    grounds = [...grounds.filter((other) => !upon.has(other)), shade];
  }
  return grounds;
}

const fill = (area: Area, grounds: readonly Area[]): boolean =>
  grounds.reduce((sum, ground) => sum + sizeOfArea(ground), 0) >= sizeOfArea(area) * MIN_FILLED_SHARE;

/** True when the rule continues beyond a side of the box: its grounds mark some columns of a wider table. */
const runsOut = (rule: Area, { x0, y0, x1, y1 }: Area): boolean =>
  rule.y0 > y0 - REACH &&
  rule.y0 < y1 + REACH &&
  [x0, x1].some((side) => rule.x0 < side - REACH * 2 && rule.x1 > side + REACH * 2);

/** True when about every cell has a ground of its own. */
function isFilled(grid: Grid, grounds: readonly Area[]): boolean {
  const { xs, ys, cells } = grid;
  if (xs.length <= MIN_COLUMNS || ys.length <= MIN_ROWS || cells.length < MIN_CELLS) return false;
  const box = boxOf(grid);
  const inside = grounds.filter((ground) => overlap(box, ground, REACH));
  return inside.length >= cells.length * MIN_FILLED_SHARE && fill(box, inside);
}
