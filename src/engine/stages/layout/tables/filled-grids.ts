import type { Area } from '../../../model/geometry.js';
import { boxOf, findGrids, type Grid, joinRules, REACH } from './grids.js';
import type { Rules } from './table-rules.js';

/** Fewer filled boxes are a chart's, or the fields of a form. */
const LEAST_CELLS = 6;
/** More are the pixels of a drawing. */
const MOST_SHADES = 1500;
/** In points: lower is no cell, but a bar or a mark. */
const LEAST_HEIGHT = 8;
/** Of the cells of a grid, and of its area: a table whose every cell has a ground leaves but the borders between them free. */
const LEAST_FILLED = 0.9;
const LEAST_COLUMNS = 2;
const LEAST_ROWS = 3;

/**
 * The grids that filled cells make, without a line between them or with one that is left white, as the styles of office
 * programs have them. Those that rules make as well are left out.
 */
export function findFilledGrids(shades: readonly Area[], rules: Rules, ruled: readonly Grid[]): Grid[] {
  if (shades.length < LEAST_CELLS || shades.length > MOST_SHADES) return [];
  const known = ruled.map(boxOf);
  const grounds = groundsOfCells(shades.filter((shade) => !known.some((box) => meets(box, shade))));
  if (grounds.length < LEAST_CELLS) return [];
  const { horizontal, vertical } = joinRules(grounds.flatMap(sidesOf));
  return findGrids(horizontal, vertical).filter(
    (grid) => isFilled(grid, grounds) && !rules.horizontal.some((rule) => runsOut(rule, boxOf(grid))),
  );
}

/**
 * Of grounds on each other one: what is upon the ground of a cell is a mark or a paragraph, but what fills the ground of a row,
 * or is enough for a table of its own on that of a page, are cells. One that is drawn twice fills itself.
 */
function groundsOfCells(shades: readonly Area[]): Area[] {
  const high = shades.filter(({ y0, y1 }) => y1 - y0 >= LEAST_HEIGHT);
  let grounds: Area[] = [];
  for (const shade of high.sort((a, b) => areaOf(a) - areaOf(b))) {
    const upon = new Set(grounds.filter((other) => holds(shade, other)));
    if (upon.size >= LEAST_CELLS || fill(shade, [...upon])) continue;
    grounds = [...grounds.filter((other) => !upon.has(other)), shade];
  }
  return grounds;
}

const sidesOf = ({ x0, y0, x1, y1 }: Area): Area[] => [
  { x0, x1, y0, y1: y0 },
  { x0, x1, y0: y1, y1 },
  { x0, x1: x0, y0, y1 },
  { x0: x1, x1, y0, y1 },
];

const meets = (a: Area, b: Area): boolean =>
  a.x0 < b.x1 - REACH && b.x0 < a.x1 - REACH && a.y0 < b.y1 - REACH && b.y0 < a.y1 - REACH;

const areaOf = ({ x0, y0, x1, y1 }: Area): number => (x1 - x0) * (y1 - y0);

const fill = (area: Area, grounds: readonly Area[]): boolean =>
  grounds.reduce((sum, ground) => sum + areaOf(ground), 0) >= areaOf(area) * LEAST_FILLED;

/** Is the other one upon it? */
const holds = (ground: Area, { x0, y0, x1, y1 }: Area): boolean =>
  ground.x0 < x0 + 1 && ground.x1 > x1 - 1 && ground.y0 < y0 + 1 && ground.y1 > y1 - 1;

/** Does the rule run on out of it at a side? Then the grounds mark some columns of a table that is wider. */
const runsOut = (rule: Area, { x0, y0, x1, y1 }: Area): boolean =>
  rule.y0 > y0 - REACH &&
  rule.y0 < y1 + REACH &&
  [x0, x1].some((side) => rule.x0 < side - REACH * 2 && rule.x1 > side + REACH * 2);

/** Has about every cell a ground of its own? */
function isFilled(grid: Grid, grounds: readonly Area[]): boolean {
  const { xs, ys, cells } = grid;
  if (xs.length <= LEAST_COLUMNS || ys.length <= LEAST_ROWS || cells.length < LEAST_CELLS) return false;
  const box = boxOf(grid);
  const inside = grounds.filter((ground) => meets(box, ground));
  return inside.length >= cells.length * LEAST_FILLED && fill(box, inside);
}
