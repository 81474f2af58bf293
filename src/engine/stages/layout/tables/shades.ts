import { type Area, contains, sizeOfArea } from '../../../model/geometry.js';
import { findGrids, type Grid, joinRules, REACH, sidesOf } from './grids.js';
import type { Rules } from './table-rules.js';

/**
 * Finds the grids of rules. A coloured head that no rule separates from the first row is a row of its own: the lower
 * edge of its ground reaches over a rule between two cells, while the ground of a paragraph stays within one.
 */
export function findRuledGrids({ horizontal, vertical }: Rules, shades: readonly Area[]): Grid[] {
  const ruled = findGrids(horizontal, vertical);
  const heads = shades.filter((shade) => ruled.some((grid) => endsInHead(shade, grid)) && !liesOn(shade, shades));
  const between = joinRules(heads.flatMap(sidesOf)).horizontal.filter((edge) =>
    ruled.some((grid) => separatesHead(edge, grid)),
  );
  return between.length === 0 ? ruled : findGrids([...horizontal, ...between], vertical);
}

const endsInHead = ({ y0, y1 }: Area, { xs, ys: [top = 0, firstRule = 0] }: Grid): boolean =>
  xs.length > 2 && [y0, y1].some((y) => y > top + REACH && y < firstRule - REACH);

/** True when the shade lies within a larger one, as the ground of a line does within that of its cell. */
const liesOn = (shade: Area, shades: readonly Area[]): boolean =>
  shades.some((ground) => contains(ground, shade, 1) && sizeOfArea(ground) > sizeOfArea(shade));

function separatesHead({ x0, x1, y0 }: Area, { xs, ys }: Grid): boolean {
  const [top = 0, firstRule = 0] = ys;
  return y0 > top + REACH && y0 < firstRule - REACH && xs.slice(1, -1).some((x) => x > x0 + REACH && x < x1 - REACH);
}
