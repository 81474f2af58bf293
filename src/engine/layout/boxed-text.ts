import type { Area } from '../pdf/read-drawing.js';
import type { LaidBlock } from './blocks.js';
import { hasLetter } from './directions.js';
import { type Fragment, standFor } from './fragment.js';

const LEAST_ROWS = 2;
/** Of the page: a larger frame is its border, or a column's. */
const MOST_OF_PAGE = 0.45;

/**
 * What stands in boxes beside other text (a note at the side, the shapes of a flow chart) is a text of its own: it is laid
 * out by itself, and goes with the rest as one piece. A box of one line may be a field with its label before it, one that
 * text runs out of a part of a drawing, and one of figures alone a chart.
 */
export function gatherBoxed(
  fragments: Fragment[],
  boxes: readonly Area[],
  { width, height }: { width: number; height: number },
  layOut: (inside: Fragment[]) => LaidBlock[],
): Fragment[] {
  let flow = fragments;
  for (const area of boxes) {
    if ((area.x1 - area.x0) * (area.y1 - area.y0) > width * height * MOST_OF_PAGE) continue;
    const inside = flow.filter((fragment) => isWithin(fragment, area));
    const outside = flow.filter((fragment) => !isWithin(fragment, area));
    if (!isText(inside) || outside.some((fragment) => touches(fragment, area))) continue;
    if (outside.some((fragment) => isBeside(fragment, area))) flow = [...outside, gather(inside, layOut(inside), area)];
  }
  return flow;
}

function isText(fragments: readonly Fragment[]): boolean {
  const rows = new Set(fragments.map(({ baseline }) => Math.round(baseline)));
  if (rows.size < LEAST_ROWS) return false;
  return fragments.filter(({ words }) => words.some(hasLetter)).length * 2 > fragments.length;
}

function gather(inside: readonly Fragment[], boxed: LaidBlock[], area: Area): Fragment {
  const words = inside.flatMap((fragment) => fragment.words);
  return standFor(words, { lines: [], boxed }, area, Math.min(...inside.map(({ order }) => order)));
}

const isWithin = ({ x0, x1, baseline }: Fragment, area: Area): boolean =>
  x0 >= area.x0 - 1 && x1 <= area.x1 + 1 && baseline > area.y0 && baseline <= area.y1;

const touches = ({ x0, x1, baseline }: Fragment, area: Area): boolean =>
  x0 < area.x1 && x1 > area.x0 && baseline > area.y0 && baseline <= area.y1;

const isBeside = ({ x0, x1, baseline }: Fragment, area: Area): boolean =>
  (x1 <= area.x0 || x0 >= area.x1) && baseline > area.y0 && baseline < area.y1;
