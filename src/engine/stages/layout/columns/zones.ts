import { type Area, middleOf } from '../../../model/geometry.js';
import { divide } from '../../../model/groups.js';
import { median } from '../../../model/median.js';
import type { Fragment } from '../../../model/page.js';
import { bottom, type Run, spaceAbove, top } from '../lines/strips.js';
import { rulesBetween } from './barriers.js';

export interface ZoneSigns {
  /** Rules and pictures across both columns. */
  barriers: readonly Area[];
  /** True when text stands in both columns. The heads of a table have none below each other. */
  areText: (fragments: Fragment[]) => boolean;
  /** True when the right column is the first. */
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
  const isFirst = (fragment: Fragment) => middleOf(fragment) < gutter !== rtl;
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
  /** Size of most lines' letters. */
  size: number;
  isFirst: (fragment: Fragment) => boolean;
}

/** Smallest ratio of a title's size to that of the columns' type. A bold title may be smaller. */
const MIN_TITLE_RATIO = 1.1;
const MAX_TITLE_LINES = 3;
/** Distance below the first column's end, or above it, at which the second may end, in ems. */
const MAX_BELOW_EM = 2;
const MAX_ABOVE_EM = 5;
/** Difference of the columns' beginnings, in ems: a paragraph or a list may have space above it. */
const MAX_UNLEVEL_EM = 2;
/** Space above a title, in ems. */
const MIN_SPACE_ABOVE_EM = 0.9;

/**
 * True when a title or table over both columns begins here: they end above it and begin below. In the first column
 * alone it would have text beside it.
 */
function beginsZone(strips: readonly Fragment[][], index: number, { size, isFirst }: Columns): boolean {
  const isSpaced = (at: number) => spaceAbove(strips, at) >= MIN_SPACE_ABOVE_EM * size;
  const isOver = (at: number) => strips[at]?.every(isFirst) ?? false;
  const isHead = (at: number) => isOver(at) && (strips[at]?.every((fragment) => isSetOff(fragment, size)) ?? false);
  if (!isHead(index) || !isSpaced(index)) return false;
  let next = index + 1;
  // A title has further lines, and text below it before the columns begin.
  while (next < index + MAX_TITLE_LINES && isOver(next) && (isHead(next) || isSpaced(next + 1))) next++;
  const [end, otherEnd] = divide(strips.slice(0, index).flat(), isFirst).map((side) => extreme(side, bottom));
  const [begin, otherBegin] = divide(strips.slice(next).flat(), isFirst).map((side) => extreme(side, (f) => -top(f)));
  if (end === undefined || otherEnd === undefined || begin === undefined || otherBegin === undefined) return false;
  // The second line of a title, or a title in each column.
  if (isSetOff(end, size) || (isSetOff(otherBegin, size) && !isSetOff(begin, size))) return false;
  const drop = bottom(otherEnd) - bottom(end);
  return (
    drop < MAX_BELOW_EM * size &&
    drop > -MAX_ABOVE_EM * size &&
    Math.abs(top(otherBegin) - top(begin)) < MAX_UNLEVEL_EM * size
  );
}

/** The fragment that stands furthest. */
function extreme(fragments: readonly Fragment[], place: (fragment: Fragment) => number): Fragment | undefined {
  let best: Fragment | undefined;
  for (const fragment of fragments) if (best === undefined || place(fragment) > place(best)) best = fragment;
  return best;
}

function isSetOff({ block, fontSize, words }: Fragment, size: number): boolean {
  return block !== undefined || fontSize > size * MIN_TITLE_RATIO || words.every(({ bold }) => bold);
}
