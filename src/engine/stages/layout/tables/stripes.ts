import type { Area } from '../../../model/geometry.js';
import { REACH } from './grids.js';
import { sharesEnds } from './table-area.js';
import type { Rules } from './table-rules.js';

/** Fewer are the grounds of a head, of a sum, or of boxes. */
const LEAST_STRIPES = 3;
/** In points: a stripe is the ground of one row. */
const MOST_HEIGHT = 120;
/** Of the highest stripe: the rows between them are about as high. */
const MOST_GAP = 1.5;
/** In points: grounds of cells beside each other begin and end level. */
const OFF_LEVEL = 1;

/** The rules, with the edges of the stripes that are the ground of every other row of a table: they part its rows as rules do. */
export function withStripes(rules: Rules, shades: readonly Area[]): Rules {
  if (shades.length < LEAST_STRIPES) return rules;
  const grounds = joinBeside(shades);
  const edges = groupByEnds(grounds).flatMap((stripes) => edgesOf(withHead(stripes, grounds), rules.horizontal));
  return edges.length === 0 ? rules : { ...rules, horizontal: [...rules.horizontal, ...edges] };
}

/** The grounds of the cells of one row as one. */
function joinBeside(shades: readonly Area[]): Area[] {
  const joined: Area[] = [];
  for (const shade of [...shades].sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0)) {
    const last = joined.at(-1);
    if (last === undefined || !isLevel(last, shade) || !meets(last, shade)) joined.push({ ...shade });
    else [last.x0, last.x1] = [Math.min(last.x0, shade.x0), Math.max(last.x1, shade.x1)];
  }
  return joined;
}

const isLevel = (a: Area, b: Area): boolean => Math.abs(a.y0 - b.y0) < OFF_LEVEL && Math.abs(a.y1 - b.y1) < OFF_LEVEL;

/** At either side: of grounds that are a little off level the right one may come first. */
const meets = (a: Area, b: Area): boolean => b.x0 <= a.x1 + REACH && a.x0 <= b.x1 + REACH;

function groupByEnds(stripes: readonly Area[]): Area[][] {
  const groups: Area[][] = [];
  for (const stripe of stripes) {
    if (stripe.y1 - stripe.y0 > MOST_HEIGHT) continue;
    const group = groups.find(([first]) => first !== undefined && sharesEnds(first, stripe));
    if (group === undefined) groups.push([stripe]);
    else group.push(stripe);
  }
  return groups.flatMap(partAtGaps).filter((part) => part.filter(standsFree).length >= LEAST_STRIPES);
}

/** Is the row above it without a ground? */
const standsFree = ({ y0 }: Area, index: number, stripes: readonly Area[]): boolean =>
  y0 - (stripes[index - 1]?.y1 ?? -Infinity) > REACH;

/** Between two stripes one row has its place, of as many lines as others at most. */
function partAtGaps(stripes: readonly Area[]): Area[][] {
  const highest = Math.max(...stripes.map(({ y0, y1 }) => y1 - y0));
  const parts: Area[][] = [];
  for (const [index, stripe] of stripes.entries()) {
    const gap = stripe.y0 - (stripes[index - 1]?.y1 ?? -Infinity);
    if (gap > highest * MOST_GAP) parts.push([stripe]);
    else parts.at(-1)?.push(stripe);
  }
  return parts;
}

/** With the lower edge of the ground of a head that ends elsewhere, as one whose first cell has none. */
function withHead(stripes: readonly Area[], grounds: readonly Area[]): readonly Area[] {
  const [first] = stripes;
  if (first === undefined) return stripes;
  const most = Math.max(...stripes.map(({ y0, y1 }) => y1 - y0)) * MOST_GAP;
  const heads = grounds.filter(
    ({ x0, x1, y1 }) => y1 < first.y0 && first.y0 - y1 < most && x0 > first.x0 - REACH && x1 < first.x1 + REACH,
  );
  const y = Math.max(...heads.map(({ y1 }) => y1));
  return heads.length === 0 ? stripes : [{ ...first, y0: y, y1: y }, ...stripes];
}

/** Where neither a rule is drawn already nor another stripe ends. */
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
