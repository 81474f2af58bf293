import { type Area, grow, holdsMiddle } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import { MAX_CELL_SHARE, MAX_THICKNESS_SHARE, MEETING_PX, MEETING_SHARE, MIN_THICKNESS_PX } from './frame-sizes.js';
import { inkedColumns, shareOfInk, shareOfRows } from './ink-in-area.js';
import type { Stroke } from './trace-runs.js';

/** A square of four drawn sides, from their outer edges, in pixels. */
export interface Frame extends Area {
  thickness: number;
}

/** Ratio of the sides of a cell. */
const MAX_CELL_ASPECT = 1.5;
/** Length by which a tick may lengthen a side, by that side. */
const MAX_TICK_SHARE = 0.4;
/** Outermost pixels of a side, and share of its length that is drawn in them, up to the corners: those of letters are round. */
const SIDE_PX = 2;
const MIN_SIDE_SHARE = 0.95;
/** Share of the inside that may be drawn, and of what is beside a side. */
const MAX_INNER_SHARE = 0.92;
const MAX_BESIDE_SHARE = 0.25;
/** Length of the stem of a letter beyond its bowl, by the side. */
const STEM_SHARE = 0.22;

/** Finds the frames whose four sides are drawn. */
export function findBoxes(raster: Raster, level: readonly Stroke[], long: number, dark: number): Frame[] {
  const most = long * MAX_CELL_SHARE;
  const short = level
    .filter(({ from, to }) => to - from < most * (1 + MAX_TICK_SHARE))
    .sort((a, b) => a.first - b.first);
  const found: Frame[] = [];
  for (const [index, top] of short.entries()) {
    for (let at = index + 1; at < short.length; at++) {
      const bottom = short[at];
      if (bottom === undefined || bottom.first - top.first > most) break;
      const sketch = frameOf(top, bottom);
      const frame = sketch && withSides(raster, sketch, dark);
      if (frame === undefined) continue;
      if (!found.some((other) => holdsMiddle(other, frame))) found.push(frame);
      break;
    }
  }
  return found;
}

/** The frame with these sides, if they fit. */
function frameOf(top: Stroke, bottom: Stroke): Frame | undefined {
  const [x0, x1] = [Math.max(top.from, bottom.from), Math.min(top.to, bottom.to)];
  const [y0, y1] = [top.first, bottom.last + 1];
  const width = x1 - x0;
  const thickness = Math.min(top.last - top.first, bottom.last - bottom.first) + 1;
  if (width <= 0 || bottom.first <= top.last) return undefined;
  if (thickness > Math.max(MIN_THICKNESS_PX, width * MAX_THICKNESS_SHARE)) return undefined;
  const [left, right] = [Math.abs(top.from - bottom.from), Math.abs(top.to - bottom.to)];
  const near = Math.max(MEETING_PX, width * MEETING_SHARE);
  const isMet = Math.min(left, right) <= near && Math.max(left, right) <= width * MAX_TICK_SHARE;
  return isMet ? { x0, x1, y0, y1, thickness } : undefined;
}

/** The frame whose rows are all in one stroke, as far as its shape tells. */
export function wholeFrameOf({ data, width }: Raster, stroke: Stroke, dark: number): Frame {
  const { from: x0, to: x1, first: y0, last } = stroke;
  const y1 = last + 1;
  const most = (y1 - y0) * MAX_THICKNESS_SHARE;
  let thickness = 1;
  while (thickness < most && (data[(y0 + thickness) * width + ((x0 + x1) >> 1)] ?? 255) < dark) thickness++;
  return { x0, x1, y0, y1, thickness };
}

/** Returns the frame within its left and right sides, if these are drawn and straight, up to the corners, and the inside not filled. */
export function withSides(raster: Raster, { x0, x1, y0, y1, thickness }: Frame, dark: number): Frame | undefined {
  if (aspectOf(x1 - x0, y1 - y0) > MAX_CELL_ASPECT) return undefined;
  const share = (left: number) => shareOfRows(raster, { x0: left, x1: left + SIDE_PX, y0, y1 }, dark);
  // A tick that crosses a corner lengthens the level side.
  const reach = Math.round((x1 - x0) * MEETING_SHARE) + 1;
  let [left, right] = [x0 - 1, x1 + 1];
  while (left < x0 + reach && share(left - 1) < MIN_SIDE_SHARE) left++;
  while (right > x1 - reach && share(right - SIDE_PX + 1) < MIN_SIDE_SHARE) right--;
  if (share(left) < MIN_SIDE_SHARE || share(right - SIDE_PX) < MIN_SIDE_SHARE) return undefined;
  const frame = { x0: left, x1: right, y0, y1, thickness };
  const isDrawn = (top: number) =>
    inkedColumns(raster, { x0: left, x1: right, y0: top, y1: top + SIDE_PX }, dark).length >=
    (right - left) * MIN_SIDE_SHARE;
  if (!isDrawn(y0) || !isDrawn(y1 - SIDE_PX)) return undefined;
  const quarter = Math.round((y1 - y0) / 4);
  const beside = (at: number) => shareOfRows(raster, { x0: at, x1: at + 3, y0: y0 + quarter, y1: y1 - quarter }, dark);
  // The sides of round letters bulge; one side of d, p and b is longer.
  const stem = Math.round((y1 - y0) * STEM_SHARE);
  const isStem = (at: number, way: number) => {
    const bounds = way < 0 ? { y0: Math.max(0, y0 - stem), y1: y0 } : { y0: y1, y1: y1 + stem };
    return shareOfInk(raster, { x0: at, x1: at + thickness, ...bounds }, dark) >= MIN_SIDE_SHARE;
  };
  const hasStem = [-1, 1].some((way) => isStem(left, way) !== isStem(right - thickness, way));
  const isEmpty = shareOfInk(raster, grow(frame, -thickness), dark) <= MAX_INNER_SHARE;
  const isStraight = beside(left - 4) <= MAX_BESIDE_SHARE && beside(right + 1) <= MAX_BESIDE_SHARE;
  return isEmpty && isStraight && !hasStem ? frame : undefined;
}

const aspectOf = (a: number, b: number): number => Math.max(a, b) / Math.min(a, b);
