import type { Area } from '../../pdf/read-drawing.js';
import { findGrids, type Grid, joinRules, REACH } from './grids.js';
import type { Rules } from './table-rules.js';

/** Of a grid's area: of a table with a ground under every second row half is shaded. */
const LEAST_SHADED = 0.9;

/** What reaches over more of it is the ground of the whole, not of a row or a column. */
const MOST_OF_GRID = 0.5;

/** The edges of shaded rectangles, those of neighbours joined. */
export function edgesOf(shades: readonly Area[]): Rules {
  return joinRules(
    shades.flatMap(({ x0, y0, x1, y1 }) => [
      { x0, x1, y0, y1: y0 },
      { x0, x1, y0: y1, y1 },
      { x0, x1: x0, y0, y1 },
      { x0: x1, x1, y0, y1 },
    ]),
  );
}

/**
 * The grids of rules, their rows parted also by the edges of shades: a coloured head has no rule below it. Such edges reach
 * over a rule between two cells; the ground of a paragraph stays within one.
 */
export function findRuledGrids({ horizontal, vertical }: Rules, edges: Rules): Grid[] {
  const ruled = findGrids(horizontal, vertical);
  const between = edges.horizontal.filter((edge) => ruled.some((grid) => partsRows(edge, grid)));
  return between.length === 0 ? ruled : findGrids([...horizontal, ...between], vertical);
}

function partsRows({ x0, x1, y0 }: Area, { xs, ys }: Grid): boolean {
  const isInside = y0 > (ys[0] ?? 0) && y0 < (ys.at(-1) ?? 0);
  return isInside && xs.slice(1, -1).some((x) => x > x0 + REACH && x < x1 - REACH);
}

/** Grids that shaded cells make without rules. */
export function findShadedGrids(edges: Rules, shades: readonly Area[]): Grid[] {
  return findGrids(edges.horizontal, edges.vertical).filter(({ xs, ys }) => {
    const slots = ys
      .slice(1)
      .flatMap((y1, row) => xs.slice(1).map((x1, column) => ({ x0: xs[column] ?? 0, y0: ys[row] ?? 0, x1, y1 })));
    const area = sumOf(slots);
    const ofCells = shades.filter((shade) => sumOf([shade]) < area * MOST_OF_GRID);
    const shaded = slots.filter((slot) => ofCells.some((shade) => isWithin(centreOf(slot), shade)));
    return sumOf(shaded) >= area * LEAST_SHADED;
  });
}

const sumOf = (slots: readonly Area[]): number =>
  slots.reduce((sum, { x0, y0, x1, y1 }) => sum + (x1 - x0) * (y1 - y0), 0);

const centreOf = ({ x0, y0, x1, y1 }: Area) => ({ x: (x0 + x1) / 2, y: (y0 + y1) / 2 });

const isWithin = ({ x, y }: { x: number; y: number }, { x0, y0, x1, y1 }: Area): boolean =>
  x >= x0 && x <= x1 && y >= y0 && y <= y1;
