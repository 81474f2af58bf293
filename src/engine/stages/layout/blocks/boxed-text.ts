import { adjoins, REACH } from '../../../model/card-rows.js';
import { asFragment } from '../../../model/fragment.js';
import { type Area, boundsOf, contains, sizeOfArea } from '../../../model/geometry.js';
import { divide } from '../../../model/groups.js';
import type { Fragment, PageBlock } from '../../../model/page.js';
import { hasLetter } from '../../../model/text-direction.js';
import { barriersAmong } from '../columns/barriers.js';
import { MIN_UNLEVEL_SHARE, rowsOf, standInOwnRows, unlevelShare } from '../columns/column-rows.js';
import { areCounted, numberOf } from '../columns/counted-cards.js';
import type { Rules } from '../tables/table-rules.js';

const MIN_ROWS = 2;
/** A frame that is a larger share of the page is its border, or a column's. */
const MAX_BOX_SHARE = 0.45;

/**
 * Finds frames that no grid tells: the outline and the ground of a field, filled one on the other, a ground whose sides
 * run into another frame, and that of a bar beside other text. The grounds of rows and cells adjoin each other.
 */
export function findOutlined(shades: readonly Area[], { vertical }: Rules, fragments: readonly Fragment[]): Area[] {
  const isOutlined = (ground: Area) =>
    shades.some(
      (outer) => contains(outer, ground) && contains(ground, outer, REACH) && !contains(ground, outer, 0.1),
    ) ||
    [ground.x0, ground.x1].every((x) => vertical.some((side) => isSideAt(x, ground, side))) ||
    isBar(ground, fragments) ||
    isAcross(ground, fragments);
  return shades.filter((shade) => !shades.some((other) => adjoins(shade, other)) && isOutlined(shade));
}

/** Lines on the ground of a bar, and beside it. */
const MIN_BAR_LINES = 4;
/** Height of the empty ground below all of these, as a share of the ground: that of a column ends with its table. */
const MIN_EMPTY_SHARE = 0.2;

/** True for the ground of a text that reaches far below all lines, or whose lines are not level with those beside it: the cells of a column are. */
function isBar(ground: Area, fragments: readonly Fragment[]): boolean {
  const rowsThat = (stand: typeof isBeside) => rowsOf(fragments.filter((fragment) => stand(fragment, ground)));
  const [within, beside] = [rowsThat(isWithin), rowsThat(isBeside)];
  if (Math.min(within.length, beside.length) < MIN_BAR_LINES) return false;
  const empty = ground.y1 - Math.max(...[...within, ...beside].map(({ y }) => y));
  return empty > (ground.y1 - ground.y0) * MIN_EMPTY_SHARE || unlevelShare(beside, within) >= MIN_UNLEVEL_SHARE;
}

/** True for the ground of lines of one text each across the page, between others: no column runs through it. Rows of a table have cells. */
function isAcross(ground: Area, fragments: readonly Fragment[]): boolean {
  const lines = fragments.filter((fragment) => isWithin(fragment, ground));
  if (lines.length < MIN_ROWS || !standInOwnRows(lines)) return false;
  const isBetween =
    fragments.some(({ baseline }) => baseline < ground.y0) && fragments.some(({ baseline }) => baseline > ground.y1);
  return isBetween && barriersAmong(fragments, [ground]).length > 0;
}

const isSideAt = (x: number, { y0, y1 }: Area, side: Area): boolean =>
  Math.abs(side.x0 - x) < REACH && side.y0 < y0 + REACH && side.y1 > y1 - REACH;

/**
 * Gathers text in boxes: in a row of cards, card after card, or in one box beside other text (a note at the side, the
 * shapes of a flow chart). It is laid out by itself, and stands in the reading order as one piece. A box of one line may
 * be a field with its label before it, a box that text runs out of a part of a drawing, and a box of figures alone a
 * chart. Cards whose numbers count down are columns.
 */
export function gatherBoxed(
  fragments: readonly Fragment[],
  rows: readonly (readonly Area[])[],
  { width, height }: { width: number; height: number },
  layOut: (inside: Fragment[]) => PageBlock[],
): Fragment[] {
  let flow = [...fragments];
  for (const row of rows) {
    if (row.some((box) => sizeOfArea(box) > width * height * MAX_BOX_SHARE)) continue;
    const [inside, outside] = divide(flow, (fragment) => row.some((box) => isWithin(fragment, box)));
    const texts = row
      .map((box) => inside.filter((fragment) => isWithin(fragment, box)))
      .filter(({ length }) => length > 0);
    const area = boundsOf(row);
    const heads = texts.map((text) => text.reduce((a, b) => (b.baseline < a.baseline ? b : a)));
    if (heads.every((head) => numberOf(head) >= 0) && !areCounted(heads)) continue;
    if (texts.filter(isText).length < Math.max(1, texts.length / 2)) continue;
    if (outside.some((fragment) => touches(fragment, area))) continue;
    const isApart = () => outside.some((fragment) => isBeside(fragment, area)) || isAcross(area, flow);
    if (row.length === 1 ? isApart() : texts.length > 1)
      flow = [...outside, gather(inside, texts.flatMap(layOut), area)];
  }
  return flow;
}

function isText(fragments: readonly Fragment[]): boolean {
  const rows = new Set(fragments.map(rowOf));
  if (rows.size < MIN_ROWS) return false;
  return new Set(fragments.filter(({ words }) => words.some(hasLetter)).map(rowOf)).size * 2 >= rows.size;
}

const rowOf = ({ baseline }: Fragment): number => Math.round(baseline);

function gather(inside: readonly Fragment[], boxed: PageBlock[], area: Area): Fragment {
  const words = inside.flatMap((fragment) => fragment.words);
  return asFragment(words, { lines: [], boxed }, area, Math.min(...inside.map(({ order }) => order)));
}

/** True when the fragment begins, ends and stands in the area. */
const isWithin = ({ x0, x1, baseline }: Fragment, area: Area): boolean =>
  x0 >= area.x0 - 1 && x1 <= area.x1 + 1 && baseline > area.y0 && baseline <= area.y1;

const touches = ({ x0, x1, baseline }: Fragment, area: Area): boolean =>
  x0 < area.x1 && x1 > area.x0 && baseline > area.y0 && baseline <= area.y1;

const isBeside = ({ x0, x1, baseline }: Fragment, area: Area): boolean =>
  (x1 <= area.x0 || x0 >= area.x1) && baseline > area.y0 && baseline < area.y1;
