import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import { findInkParts } from './ink-parts.js';
import type { Part } from './parts.js';

/** Reach of the search from the left end of a number, by its height: a dash, the paper around it, and a figure after it. */
const REACH_BEFORE_SHARE = 2.5;
const REACH_AFTER_SHARE = 2.2;
/** Height of a figure, and how far it may begin before its word's box, by the word's height. */
const MIN_FIGURE_SHARE = 0.6;
const MAX_SHIFT_SHARE = 0.1;
/** Sides of a dash by the height of the figure, and its width by its height: from a hyphen to a mathematical minus. */
const MIN_WIDTH_SHARE = 0.25;
const MAX_WIDTH_SHARE = 1.1;
const MAX_HEIGHT_SHARE = 0.3;
const MIN_ASPECT = 1.6;
/** Share of ink in the box of a dash: a tilde has less. */
const MIN_FILLED_SHARE = 0.7;
/** Height of the middle of a dash above the foot of the figure, by its height: an underscore is lower. */
const MIN_RAISED_SHARE = 0.25;
const MAX_RAISED_SHARE = 0.7;
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
  if (dash === undefined || figure === undefined || !isDash(dash, figure)) return undefined;
  const size = figure.y1 - figure.y0;
  const gap = figure.x0 - dash.x1;
  const end = Math.max(...parts.slice(0, at - 1).map(({ x1 }) => x1));
  return gap < size * MAX_GAP_SHARE && dash.x0 - end > gap + size * MIN_ROOM_SHARE ? dash : undefined;
}

function isDash({ x0, x1, y0, y1, area }: Part, figure: Part): boolean {
  const [width, height, size] = [x1 - x0, y1 - y0, figure.y1 - figure.y0];
  const raised = (figure.y1 - (y0 + y1) / 2) / size;
  return (
    width > size * MIN_WIDTH_SHARE &&
    width < size * MAX_WIDTH_SHARE &&
    height < size * MAX_HEIGHT_SHARE &&
    width > height * MIN_ASPECT &&
    area > width * height * MIN_FILLED_SHARE &&
    raised > MIN_RAISED_SHARE &&
    raised < MAX_RAISED_SHARE
  );
}
