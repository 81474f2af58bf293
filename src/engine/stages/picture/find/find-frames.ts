import { holdsMiddle } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import {
  MAX_CELL_SHARE,
  MAX_THICKNESS_SHARE,
  MIN_CELL_SHARE,
  MIN_THICKNESS_PX,
  MIN_TOOTH_SHARE,
} from './frame-sizes.js';
import { type Comb, findCombs, joinBoxes } from './letter-cells.js';
import { findPaper } from './paper.js';
import { type Frame, findBoxes, wholeFrameOf, withSides } from './square-frames.js';
import { type Stroke, traceRuns } from './trace-runs.js';

/** Frames that a form has around single letters and ticks, in pixels. */
export interface Frames {
  /** Shade below which a pixel is ink. */
  dark: number;
  /** Square boxes, from the outer edges of their sides. */
  boxes: Frame[];
  /** Rows of cells for one letter each. */
  combs: Comb[];
}

/** Difference of a frame and the paper. */
const MIN_CONTRAST = 50;
/** Side of a box by the long side of the page: 2.3 to 6.5 mm on a sheet of A4. Smaller ones are too coarse in pixels. */
const MIN_BOX_SHARE = 1 / 130;
const MAX_BOX_SHARE = 1 / 46;
const MIN_SIDE_PX = 11;
/** Ratio of the sides of a box. */
const MAX_BOX_ASPECT = 1.25;
/** Thickness of a side by the long side of the page. */
const MAX_RULE_SHARE = 1 / 360;
/** Level strokes of a page with frames. */
const MAX_STROKES = 20_000;

/** Finds boxes to tick and rows of cells for single letters. */
export function findFrames(raster: Raster): Frames {
  const long = Math.max(raster.width, raster.height);
  const dark = findPaper(raster) - MIN_CONTRAST;
  const least = Math.max(MIN_SIDE_PX, Math.round(long * MIN_BOX_SHARE));
  if (dark <= 0) return { dark, boxes: [], combs: [] };
  const shades = { from: 0, to: dark };
  const strokes = traceRuns(raster, shades, 'level', least);
  // More are a drawing or a screen of dots.
  if (strokes.length > MAX_STROKES) return { dark, boxes: [], combs: [] };
  const level = strokes.filter((stroke) => isThin(stroke, long));
  // All rows of a box are one stroke if its tick comes close to its sides.
  const solid = strokes
    .filter((stroke) => !isThin(stroke, long) && stroke.to - stroke.from <= long * MAX_CELL_SHARE)
    .flatMap((stroke) => withSides(raster, wholeFrameOf(raster, stroke, dark), dark) ?? []);
  const found = [...findBoxes(raster, level, long, dark), ...solid];
  const teeth = Math.max(MIN_SIDE_PX / 2, Math.round(long * MIN_CELL_SHARE * MIN_TOOTH_SHARE));
  const upright = traceRuns(raster, shades, 'upright', teeth).filter((stroke) => isThin(stroke, long));
  const combs = findCombs(raster, dark, level, upright, long);
  const rows = joinBoxes(
    found.filter((box) => box.x1 - box.x0 >= long * MIN_CELL_SHARE && !combs.some((comb) => holdsMiddle(comb, box))),
  );
  const isSingle = (box: Frame) =>
    !rows.some((comb) => holdsMiddle(comb, box)) && !combs.some((comb) => holdsMiddle(comb, box));
  return {
    dark,
    boxes: found.filter((box) => isSingle(box) && isTickBox(box, long)),
    combs: [...combs, ...rows],
  };
}

/** True for a straight stroke. A letter may touch it. */
const isThin = ({ from, to, first, last, area }: Stroke, long: number): boolean => {
  const most = Math.max(MIN_THICKNESS_PX, long * MAX_RULE_SHARE, (to - from) * MAX_THICKNESS_SHARE);
  return area <= most * (to - from) && last - first < 2 * most;
};

const isTickBox = (box: Frame, long: number): boolean => {
  const [width, height] = [box.x1 - box.x0, box.y1 - box.y0];
  const [least, most] = [Math.min(width, height), Math.max(width, height)];
  return least >= MIN_SIDE_PX && most <= long * MAX_BOX_SHARE && most <= least * MAX_BOX_ASPECT;
};
