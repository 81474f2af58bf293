import type { Area } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import type { Fragment } from '../../../model/page.js';
import { bottom, center, type Run, spaceAbove, top } from '../lines/strips.js';
import { rulesBetween } from './barriers.js';

export interface ZoneSigns {
  /** What runs across both columns. */
  barriers: readonly Area[];
  /** Stands text in both columns? The heads of a table have none below each other. */
  areText: (fragments: Fragment[]) => boolean;
  /** Is the right column the first? */
  rtl: boolean;
}

/**
 * Parts the strips of columns where these end side by side and begin anew below: at a rule across both, and above a
 * title or a table over both. A title is short and leaves their gutter free, as if it stood in the first column.
 */
export function cutZones(
  strips: readonly Fragment[][],
  { gutter }: Pick<Run, 'gutter'>,
  { barriers, areText, rtl }: ZoneSigns,
): Fragment[][] {
  const isFirst = (fragment: Fragment) => center(fragment) < gutter !== rtl;
  const size = median(strips.flat().map(({ fontSize }) => fontSize)) ?? 0;
  const begins = strips.flatMap((_, index) =>
    index > 0 && (rulesBetween(strips, index, barriers) || beginsZone(strips, index, { size, isFirst })) ? [index] : [],
  );
  const zones: Fragment[][] = [];
  let from = 0;
  for (const [place, begin] of begins.entries()) {
    const zone = strips.slice(from, begin).flat();
    const next = strips.slice(begin, begins[place + 1]).flat();
    if (!areText(zone) || !areText(next)) continue;
    zones.push(zone);
    from = begin;
  }
  return [...zones, strips.slice(from).flat()];
}

interface Columns {
  /** Of the letters of most lines. */
  size: number;
  isFirst: (fragment: Fragment) => boolean;
}

/** Of the size of the columns: titles are set in larger type, or bold. */
const LEAST_LARGER = 1.1;
const MOST_LINES = 3;
/** In ems: so far below the first column, or above it, the second may end. */
const MOST_BELOW = 2;
const MOST_ABOVE = 5;
/** In ems: both begin at one height, but for the space above a paragraph or a list. */
const MOST_UNLEVEL = 2;
/** In ems, above a title. */
const LEAST_SPACE = 0.9;

/** Stands here what is over both columns, which end above it and begin below? In the first alone there were text beside it. */
function beginsZone(strips: readonly Fragment[][], index: number, { size, isFirst }: Columns): boolean {
  const isSpaced = (at: number) => spaceAbove(strips, at) >= LEAST_SPACE * size;
  const isOver = (at: number) => strips[at]?.every(isFirst) ?? false;
  const isHead = (at: number) => isOver(at) && (strips[at]?.every((fragment) => isSetOff(fragment, size)) ?? false);
  if (!isHead(index) || !isSpaced(index)) return false;
  let next = index + 1;
  // Its further lines, and what is said below it before the columns begin.
  while (next < index + MOST_LINES && isOver(next) && (isHead(next) || isSpaced(next + 1))) next++;
  const above = sidesOf(strips.slice(0, index).flat(), isFirst).map((side) => extreme(side, bottom));
  const below = sidesOf(strips.slice(next).flat(), isFirst).map((side) => extreme(side, (line) => -top(line)));
  const [[end, otherEnd], [begin, otherBegin]] = [above, below] as [Ends, Ends];
  if (end === undefined || otherEnd === undefined || begin === undefined || otherBegin === undefined) return false;
  // The second line of a title, and a title in each column.
  if (isSetOff(end, size) || (isSetOff(otherBegin, size) && !isSetOff(begin, size))) return false;
  const drop = bottom(otherEnd) - bottom(end);
  return (
    drop < MOST_BELOW * size &&
    drop > -MOST_ABOVE * size &&
    Math.abs(top(otherBegin) - top(begin)) < MOST_UNLEVEL * size
  );
}

type Ends = [first: Fragment | undefined, second: Fragment | undefined];

function sidesOf(fragments: readonly Fragment[], isFirst: (fragment: Fragment) => boolean): [Fragment[], Fragment[]] {
  return [fragments.filter(isFirst), fragments.filter((fragment) => !isFirst(fragment))];
}

/** The one that stands furthest. */
function extreme(fragments: readonly Fragment[], place: (fragment: Fragment) => number): Fragment | undefined {
  let best: Fragment | undefined;
  for (const fragment of fragments) if (best === undefined || place(fragment) > place(best)) best = fragment;
  return best;
}

function isSetOff({ block, fontSize, words }: Fragment, size: number): boolean {
  return block !== undefined || fontSize > size * LEAST_LARGER || words.every(({ bold }) => bold);
}
