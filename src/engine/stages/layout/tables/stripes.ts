import type { Area } from '../../../model/geometry.js';
import { gatherAlike, splitWhere } from '../../../model/groups.js';
import { REACH } from './grids.js';
import { sharesEnds } from './table-area.js';
import type { Rules } from './table-rules.js';

/** Lower bound of the stripes of a table: fewer are the grounds of a head, of a sum, or of boxes. */
const MIN_STRIPES = 3;
/** Largest height of a stripe, the ground of one row, in points. */
const MAX_STRIPE_HEIGHT = 120;
/** Largest gap between two stripes, as a ratio to the highest stripe: the rows between them are about as high. */
const MAX_GAP_RATIO = 1.5;
/** Tolerance of the grounds of cells beside each other, in points. */
const LEVEL_TOLERANCE = 1;

/** Adds the edges of the stripes that are the ground of every other row of a table: they separate its rows as rules do. */
export function withStripes(rules: Rules, shades: readonly Area[]): Rules {
  const edges = findStripes(joinBeside(shades)).flatMap((stripes) => edgesOf(stripes, rules.horizontal));
  return edges.length === 0 ? rules : { ...rules, horizontal: [...rules.horizontal, ...edges] };
}

/** Joins the grounds of the cells of one row. */
function joinBeside(shades: readonly Area[]): Area[] {
  const joined: Area[] = [];
  for (const shade of [...shades].sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0)) {
    const last = joined.at(-1);
    if (last === undefined || !isLevel(last, shade) || !meets(last, shade)) joined.push({ ...shade });
    else [last.x0, last.x1] = [Math.min(last.x0, shade.x0), Math.max(last.x1, shade.x1)];
  }
  return joined;
}

const isLevel = (a: Area, b: Area): boolean =>
  Math.abs(a.y0 - b.y0) < LEVEL_TOLERANCE && Math.abs(a.y1 - b.y1) < LEVEL_TOLERANCE;

/** True when the two meet at either side: of grounds that are a little off level, the right one may come first. */
const meets = (a: Area, b: Area): boolean => b.x0 <= a.x1 + REACH && a.x0 <= b.x1 + REACH;

/** Finds grounds that begin and end below each other, without a gap too high for the one row between two stripes. */
function findStripes(grounds: readonly Area[]): [Area, ...Area[]][] {
  const low = grounds.filter(({ y0, y1 }) => y1 - y0 <= MAX_STRIPE_HEIGHT);
  return gatherAlike(low, sharesEnds).flatMap((stripes) => {
    const most = Math.max(...stripes.map(({ y0, y1 }) => y1 - y0)) * MAX_GAP_RATIO;
    const parts = splitWhere(stripes, (stripe, above) => stripe.y0 - above.y1 > most);
    return parts.filter((part) => part.filter(standsFree).length >= MIN_STRIPES);
  });
}

/** True when the row above the stripe has no ground. */
const standsFree = ({ y0 }: Area, index: number, stripes: readonly Area[]): boolean =>
  y0 - (stripes[index - 1]?.y1 ?? -Infinity) > REACH;

/** Returns the edges at which no rule is drawn yet and no other stripe ends. */
function edgesOf(stripes: readonly Area[], horizontal: readonly Area[]): Area[] {
  const edges: Area[] = [];
  for (const { x0, x1, y0, y1 } of stripes) {
    for (const y of [y0, y1]) {
      const edge = { x0, x1, y0: y, y1: y };
      const isNear = (rule: Area) => Math.abs(rule.y0 - y) < REACH && sharesEnds(rule, edge);
      if (!edges.some(isNear) && !horizontal.some(isNear)) edges.push(edge);
    }
  }
  return edges;
}
