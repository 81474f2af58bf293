import { asFragment } from '../../../model/fragment.js';
import type { Area } from '../../../model/geometry.js';
import type { Fragment, PageBlock } from '../../../model/page.js';
import { hasLetter } from '../../../model/text-direction.js';
import type { Rules } from '../tables/table-rules.js';

const LEAST_ROWS = 2;
/** Of the page: a larger frame is its border, or a column's. */
const MOST_OF_PAGE = 0.45;

/** In points: so near each other stand the two sides of an outline. */
const REACH = 2;

/**
 * Frames that no grid tells: the outline and the ground of a field, filled one on the other, and a ground whose sides run
 * into another frame. The grounds of rows and cells adjoin each other.
 */
export function findOutlined(shades: readonly Area[], { vertical }: Rules): Area[] {
  const isOutlined = (ground: Area) =>
    shades.some((outer) => holds(outer, ground) && isNear(outer, ground) && !isSame(outer, ground)) ||
    [ground.x0, ground.x1].every((x) => vertical.some((side) => isSideAt(x, ground, side)));
  const outlined = shades.filter((shade) => isOutlined(shade) && !shades.some((other) => adjoins(shade, other)));
  return outlined.filter((ground, index) => outlined.findIndex((other) => isSame(ground, other)) === index);
}

const isSideAt = (x: number, { y0, y1 }: Area, side: Area): boolean =>
  Math.abs(side.x0 - x) < REACH && side.y0 < y0 + REACH && side.y1 > y1 - REACH;

const holds = (a: Area, b: Area, reach = 0): boolean =>
  a.x0 <= b.x0 + reach && a.y0 <= b.y0 + reach && a.x1 >= b.x1 - reach && a.y1 >= b.y1 - reach;

const isNear = (a: Area, b: Area, reach = REACH): boolean =>
  Math.abs(a.x0 - b.x0) < reach &&
  Math.abs(a.y0 - b.y0) < reach &&
  Math.abs(a.x1 - b.x1) < reach &&
  Math.abs(a.y1 - b.y1) < reach;

const isSame = (a: Area, b: Area): boolean => isNear(a, b, 0.1);

/** Do they touch, neither of them within the other? */
function adjoins(a: Area, b: Area): boolean {
  const apart = a.x0 > b.x1 + REACH || b.x0 > a.x1 + REACH || a.y0 > b.y1 + REACH || b.y0 > a.y1 + REACH;
  return !apart && !holds(a, b, REACH) && !holds(b, a, REACH);
}

/**
 * What stands in boxes beside other text (a note at the side, the shapes of a flow chart) is a text of its own: it is laid
 * out by itself, and goes with the rest as one piece. A box of one line may be a field with its label before it, one that
 * text runs out of a part of a drawing, and one of figures alone a chart.
 */
export function gatherBoxed(
  fragments: Fragment[],
  boxes: readonly Area[],
  { width, height }: { width: number; height: number },
  layOut: (inside: Fragment[]) => PageBlock[],
): Fragment[] {
  let flow = fragments;
  for (const area of boxes) {
    if ((area.x1 - area.x0) * (area.y1 - area.y0) > width * height * MOST_OF_PAGE) continue;
    const inside = flow.filter((fragment) => isWithin(fragment, area));
    if (!isText(inside)) continue;
    const outside = flow.filter((fragment) => !isWithin(fragment, area));
    if (outside.some((fragment) => touches(fragment, area))) continue;
    if (outside.some((fragment) => isBeside(fragment, area))) flow = [...outside, gather(inside, layOut(inside), area)];
  }
  return flow;
}

function isText(fragments: readonly Fragment[]): boolean {
  const rows = new Set(fragments.map(rowOf));
  if (rows.size < LEAST_ROWS) return false;
  return new Set(fragments.filter(({ words }) => words.some(hasLetter)).map(rowOf)).size * 2 > rows.size;
}

const rowOf = ({ baseline }: Fragment): number => Math.round(baseline);

function gather(inside: readonly Fragment[], boxed: PageBlock[], area: Area): Fragment {
  const words = inside.flatMap((fragment) => fragment.words);
  return asFragment(words, { lines: [], boxed }, area, Math.min(...inside.map(({ order }) => order)));
}

/** Does it begin, end and stand in the area? */
export const isWithin = ({ x0, x1, baseline }: Fragment, area: Area): boolean =>
  x0 >= area.x0 - 1 && x1 <= area.x1 + 1 && baseline > area.y0 && baseline <= area.y1;

const touches = ({ x0, x1, baseline }: Fragment, area: Area): boolean =>
  x0 < area.x1 && x1 > area.x0 && baseline > area.y0 && baseline <= area.y1;

const isBeside = ({ x0, x1, baseline }: Fragment, area: Area): boolean =>
  (x1 <= area.x0 || x0 >= area.x1) && baseline > area.y0 && baseline < area.y1;
