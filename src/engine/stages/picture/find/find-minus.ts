import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import { type DashShape, isDash } from './dash.js';
import { findInkParts } from './ink-parts.js';
import type { Part } from './parts.js';

/** Reach of the search from the left end of a number, by its height: a dash, the paper around it, and a figure after it. */
const REACH_BEFORE_SHARE = 2.5;
const REACH_AFTER_SHARE = 2.2;
/** Height of a figure, and how far it may begin before its word's box, by the word's height. */
const MIN_FIGURE_SHARE = 0.6;
const MAX_SHIFT_SHARE = 0.1;
/** From a hyphen to a mathematical minus, by the height of the figure; an underscore is lower. */
const MINUS: DashShape = { width: [0.25, 1.1], maxHeight: 0.3, minAspect: 1.6, raised: [0.25, 0.7] };
/** Gap between a dash and its figure by the height of the figure: with a space, the dash belongs to no number. */
const MAX_GAP_SHARE = 0.42;
/** Gap between figures of one number by their height: a point may stand between them. */
const MAX_FIGURE_GAP_SHARE = 0.6;
/** Paper before a dash beyond the gap after it: between two figures both are alike. */
const MIN_ROOM_SHARE = 0.28;

/**
 * Finds the minus of a number: a dash close before its first figure, with more paper before it. `word`: the box of the number,
 * with or without its minus; that of a torn number may lack its first figures. `isCovered`: true for ink of other words.
 */
export function findMinus(raster: Raster, word: Area, isCovered: (part: Area) => boolean): Area | undefined {
  const high = word.y1 - word.y0;
  const searched = { ...word, x0: word.x0 - high * REACH_BEFORE_SHARE, x1: word.x0 + high * REACH_AFTER_SHARE };
  const parts = findInkParts(raster, searched).sort((a, b) => a.x0 - b.x0);
  const isHigh = ({ y0, y1 }: Part) => y1 - y0 > high * MIN_FIGURE_SHARE;
  let start = word.x0;
  for (const part of parts.filter(isHigh).reverse()) {
    const gap = start - part.x1;
    if (gap >= 0 && gap < high * MAX_FIGURE_GAP_SHARE && !isCovered(part)) start = part.x0;
  }
  const at = parts.findIndex((part) => isHigh(part) && part.x0 >= start - high * MAX_SHIFT_SHARE);
  const [dash, figure] = [parts[at - 1], parts[at]];
  if (dash === undefined || figure === undefined) return undefined;
  const size = figure.y1 - figure.y0;
  if (!isDash(dash, size, figure.y1, MINUS)) return undefined;
  const gap = figure.x0 - dash.x1;
  const end = Math.max(...parts.slice(0, at - 1).map(({ x1 }) => x1));
  return gap < size * MAX_GAP_SHARE && dash.x0 - end > gap + size * MIN_ROOM_SHARE ? dash : undefined;
}

/** Space between two figures of a range by their height, and reach of their ink beyond their boxes. */
const RANGE_GAP_SHARE = { least: 0.6, most: 3 };
const INK_REACH_SHARE = 0.1;

/** Finds the dash that stands alone between two figures of a line, as in a range. */
export function findRangeDash(raster: Raster, left: Area, right: Area): Area | undefined {
  const size = Math.min(left.y1 - left.y0, right.y1 - right.y0);
  const gap = right.x0 - left.x1;
  if (gap < size * RANGE_GAP_SHARE.least || gap > size * RANGE_GAP_SHARE.most) return undefined;
  const margin = size * INK_REACH_SHARE;
  const parts = findInkParts(raster, { ...right, x0: left.x1 + margin, x1: right.x0 - margin });
  const [dash, ...others] = parts;
  return dash !== undefined && others.length === 0 && isDash(dash, size, right.y1, MINUS) ? dash : undefined;
}
