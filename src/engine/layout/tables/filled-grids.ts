import type { Area } from '../../pdf/read-drawing.js';
import { findGrids, type Grid, joinRules, REACH } from './grids.js';
import type { Rules } from './table-rules.js';

/** Fewer filled boxes are a chart's, or the fields of a form. */
const LEAST_CELLS = 6;
/** More are the pixels of a drawing. */
const MOST_SHADES = 1500;
/** In points: lower is no cell, but a bar or a mark. */
const LEAST_HEIGHT = 8;
/** Of the area of a grid: a table whose every cell has a ground leaves but the borders between them free. */
const LEAST_FILLED = 0.9;
const LEAST_COLUMNS = 2;
const LEAST_ROWS = 3;

/**
 * The grids that filled cells make, without a line between them or with one that is left white, as the styles of office
 * programs have them. Those that rules make as well are left out.
 */
export function findFilledGrids(shades: readonly Area[], rules: Rules, ruled: readonly Grid[]): Grid[] {
  if (shades.length < LEAST_CELLS || shades.length > MOST_SHADES) return [];
  const grounds = groundsOfCells(shades.filter((shade) => !ruled.some((grid) => meets(boxOf(grid), shade))));
  if (grounds.length < LEAST_CELLS) return [];
  const { horizontal, vertical } = joinRules(grounds.flatMap(sidesOf));
  return findGrids(horizontal, vertical).filter(
    (grid) => isFilled(grid, grounds) && !rules.horizontal.some((rule) => runsOut(rule, boxOf(grid))),
  );
}

/** Those that are no ground of a whole row or table with the grounds of its cells upon it. */
function groundsOfCells(shades: readonly Area[]): Area[] {
  const high = shades.filter(({ y0, y1 }) => y1 - y0 >= LEAST_HEIGHT);
  return high.filter((shade) => !high.some((other) => holds(shade, other)));
}

const sidesOf = ({ x0, y0, x1, y1 }: Area): Area[] => [
  { x0, x1, y0, y1: y0 },
  { x0, x1, y0: y1, y1 },
  { x0, x1: x0, y0, y1 },
  { x0: x1, x1, y0, y1 },
];

const boxOf = ({ xs, ys }: Grid): Area => ({ x0: xs[0] ?? 0, y0: ys[0] ?? 0, x1: xs.at(-1) ?? 0, y1: ys.at(-1) ?? 0 });

const meets = (a: Area, b: Area): boolean =>
  a.x0 < b.x1 - REACH && b.x0 < a.x1 - REACH && a.y0 < b.y1 - REACH && b.y0 < a.y1 - REACH;

const sizeOf = ({ x0, y0, x1, y1 }: Area): number => (x1 - x0) * (y1 - y0);

/** Is the other one upon it, and smaller? */
const holds = (ground: Area, { x0, y0, x1, y1 }: Area): boolean =>
  ground.x0 < x0 + 1 &&
  ground.x1 > x1 - 1 &&
  ground.y0 < y0 + 1 &&
  ground.y1 > y1 - 1 &&
  sizeOf(ground) > (x1 - x0 + 2) * (y1 - y0 + 2);

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
  if (inside.length < cells.length * LEAST_FILLED) return false;
  return inside.reduce((sum, ground) => sum + sizeOf(ground), 0) >= sizeOf(box) * LEAST_FILLED;
}
