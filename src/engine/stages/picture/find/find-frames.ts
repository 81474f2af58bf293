import { append } from '../../../model/append.js';
import { type Area, boundsOf, grow, holdsMiddle } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import type { Raster } from '../raster.js';
import { findPaper } from './paper.js';
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

export interface Frame extends Area {
  thickness: number;
}

/** A row of cells, with the strokes around them. */
export interface Comb extends Area {
  /** Insides of the cells, from the left. Those of cells that are open at the top may be lower than their letters. */
  cells: Area[];
}

/** Difference of a frame and the paper. */
const MIN_CONTRAST = 50;
/** Side of a box and of a cell by the long side: 2.3 to 6.5 mm, and 3.3 to 10 mm on a sheet of A4. Smaller ones are too coarse in pixels. */
const MIN_BOX_SHARE = 1 / 130;
const MAX_BOX_SHARE = 1 / 46;
const MIN_CELL_SHARE = 1 / 90;
const MAX_CELL_SHARE = 1 / 30;
const MIN_SIDE_PX = 11;
/** Height of the strokes between cells that are open at the top, by the width of a cell, and that of the highest cell. */
const MIN_TOOTH_SHARE = 0.25;
const MAX_CELL_HEIGHT_SHARE = 2;
/** Inside of a cell by its height with the rule below: rows of letters that touch each other have none. */
const MIN_INSIDE_SHARE = 0.5;
/** Ratio of the sides of a box, and of a cell. */
const MAX_BOX_ASPECT = 1.25;
const MAX_CELL_ASPECT = 1.5;
/** Thickness of a side, by its length and by the long side: letters have thicker strokes. */
const MAX_THICKNESS_SHARE = 0.2;
const MAX_RULE_SHARE = 1 / 360;
const MIN_THICKNESS_PX = 4;
/** Distance of two ends that meet, by the side of a box, and at least. A tick may lengthen a side. */
const MEETING_SHARE = 0.15;
const MAX_TICK_SHARE = 0.4;
const MEETING_PX = 3;
/** Outermost pixels of a side, and share of its length that is drawn in them, up to the corners: those of letters are round. */
const SIDE_PX = 2;
const MIN_SIDE_SHARE = 0.95;
/** Share of the inside that may be drawn, and of what is beside a side. */
const MAX_INNER_SHARE = 0.92;
const MAX_BESIDE_SHARE = 0.25;
/** Length of the stem of a letter beyond its bowl, by the side. */
const STEM_SHARE = 0.22;
/** Gap between two boxes that are cells of one row, by their side. */
const MAX_CELL_GAP_SHARE = 0.45;
/** Difference of the tops of strokes, by their length: a letter may touch one. */
const MAX_TOP_SHARE = 0.35;
/** Share of the columns of cells with ink right above their feet: letters stand there above an underline. */
const MAX_FOOT_SHARE = 0.06;
/** Difference of the widths of cells in a row, by the width. */
const MAX_PITCH_DIFFERENCE = 0.12;
/** Strokes of cells that stand on a part of a longer rule. Fewer have a rule of their own. */
const MIN_STROKES_ON_RULE = 5;

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
    found.filter((box) => widthOf(box) >= long * MIN_CELL_SHARE && !combs.some((comb) => holdsMiddle(comb, box))),
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

const widthOf = ({ x0, x1 }: Area): number => x1 - x0;
const heightOf = ({ y0, y1 }: Area): number => y1 - y0;

const isTickBox = (box: Frame, long: number): boolean => {
  const [width, height] = [widthOf(box), heightOf(box)];
  const [least, most] = [Math.min(width, height), Math.max(width, height)];
  return least >= MIN_SIDE_PX && most <= long * MAX_BOX_SHARE && most <= least * MAX_BOX_ASPECT;
};

const aspectOf = (a: number, b: number): number => Math.max(a, b) / Math.min(a, b);

/** Finds the frames whose four sides are drawn. */
function findBoxes(raster: Raster, level: readonly Stroke[], long: number, dark: number): Frame[] {
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
function wholeFrameOf({ data, width }: Raster, stroke: Stroke, dark: number): Frame {
  const { from: x0, to: x1, first: y0, last } = stroke;
  const y1 = last + 1;
  const most = (y1 - y0) * MAX_THICKNESS_SHARE;
  let thickness = 1;
  while (thickness < most && (data[(y0 + thickness) * width + ((x0 + x1) >> 1)] ?? 255) < dark) thickness++;
  return { x0, x1, y0, y1, thickness };
}

/** Returns the frame within its left and right sides, if these are drawn and straight, up to the corners, and the inside not filled. */
function withSides(raster: Raster, { x0, x1, y0, y1, thickness }: Frame, dark: number): Frame | undefined {
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

/** Share of the rows of an area that have ink in it. */
function shareOfRows({ data, width, height }: Raster, { x0, x1, y0, y1 }: Area, dark: number): number {
  const [from, to] = [Math.max(0, x0), Math.min(width, x1)];
  let count = 0;
  for (let y = Math.max(0, y0); y < Math.min(height, y1); y++) {
    for (let x = from; x < to; x++) {
      if ((data[y * width + x] ?? 255) >= dark) continue;
      count++;
      break;
    }
  }
  return count / Math.max(1, y1 - y0);
}

/** Returns the share of an area that is ink. */
export function shareOfInk({ data, width }: Raster, { x0, x1, y0, y1 }: Area, dark: number): number {
  let count = 0;
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) if ((data[y * width + x] ?? 255) < dark) count++;
  return count / Math.max(1, (x1 - x0) * (y1 - y0));
}

/** Returns the columns of an area that have ink in them. */
export function inkedColumns({ data, width, height }: Raster, { x0, x1, y0, y1 }: Area, dark: number): number[] {
  const columns: number[] = [];
  for (let x = Math.max(0, x0); x < Math.min(width, x1); x++) {
    let y = Math.max(0, y0);
    while (y < Math.min(height, y1) && (data[y * width + x] ?? 255) >= dark) y++;
    if (y < Math.min(height, y1)) columns.push(x);
  }
  return columns;
}

/** Finds the cells between strokes that stand on a rule at one distance from each other. */
function findCombs(
  raster: Raster,
  dark: number,
  level: readonly Stroke[],
  upright: readonly Stroke[],
  long: number,
): Comb[] {
  const [least, most] = [long * MIN_CELL_SHARE, long * MAX_CELL_SHARE];
  const combs: Comb[] = [];
  const byFoot = new Map<number, Stroke[]>();
  for (const stroke of upright) append(byFoot, stroke.to, stroke);
  const reach = MEETING_PX + MIN_THICKNESS_PX;
  for (const base of level) {
    if (base.to - base.from < 2 * least) continue;
    const [top, bottom] = [base.first - MEETING_PX, base.last + 1 + MEETING_PX];
    const standing = Array.from({ length: bottom - top + 1 }, (_, index) => byFoot.get(top + index) ?? [])
      .flat()
      .filter(({ first, last }) => first >= base.from - reach && last <= base.to + reach)
      .map((stroke) => ({ ...stroke, ...footOf(raster, stroke, dark) }))
      .sort((a, b) => a.first - b.first);
    for (const row of rowsOf(standing, least, most)) {
      const comb = combOf(raster, dark, row, base, level);
      if (comb !== undefined && !combs.some((other) => holdsMiddle(other, comb) || holdsMiddle(comb, other)))
        combs.push(comb);
    }
  }
  return combs;
}

/** Distance from the foot of a stroke at which it has its own width: letters touch it further up. */
const FOOT_PX = 4;

function footOf(raster: Raster, { first, last, to }: Stroke, dark: number): Pick<Stroke, 'first' | 'last'> {
  const columns = inkedColumns(raster, { x0: first, x1: last + 1, y0: to - FOOT_PX - 1, y1: to - FOOT_PX }, dark);
  return { first: columns[0] ?? first, last: columns.at(-1) ?? last };
}

const middleOf = ({ first, last }: Stroke): number => (first + last + 1) / 2;

/** Groups upright strokes of one height at one distance. Where two rows of cells touch, two strokes stand for one. */
function rowsOf(strokes: readonly Stroke[], least: number, most: number): Stroke[][] {
  const rows: Stroke[][] = [];
  for (const stroke of strokes) {
    const isOfHeight = ({ from, to }: Stroke) =>
      Math.abs(stroke.from - from) <= Math.max(MEETING_PX, (to - from) * MAX_TOP_SHARE);
    const stepFrom = (end: Stroke) => middleOf(stroke) - middleOf(end);
    const row = rows.find((known) => {
      const [before, end] = [known.at(-2), known.at(-1)];
      if (end === undefined || !isOfHeight(end)) return false;
      const step = stepFrom(end);
      if (step < least / 2) return true;
      const pitch = before === undefined ? step : middleOf(end) - middleOf(before);
      return step >= least && step <= most && Math.abs(step - pitch) <= pitch * MAX_PITCH_DIFFERENCE + 2;
    });
    const end = row?.at(-1);
    if (row === undefined || end === undefined) rows.push([stroke]);
    else if (stepFrom(end) < least / 2) row.splice(-1, 1, { ...end, last: Math.max(end.last, stroke.last) });
    else row.push(stroke);
  }
  return rows.filter((row) => row.length > 2);
}

/** The cells between the strokes of a row; undefined for a part of a table. */
function combOf(
  raster: Raster,
  dark: number,
  row: readonly Stroke[],
  base: Stroke,
  level: readonly Stroke[],
): Comb | undefined {
  const [first, end] = [row[0], row.at(-1)];
  if (first === undefined || end === undefined) return undefined;
  const pitch = (middleOf(end) - middleOf(first)) / (row.length - 1);
  const top = median(row.map(({ from }) => from)) ?? base.first;
  const height = base.last + 1 - top;
  if (height < pitch * MIN_TOOTH_SHARE || height > pitch * MAX_CELL_HEIGHT_SHARE) return undefined;
  if (base.first - top < height * MIN_INSIDE_SHARE) return undefined;
  const bounds = { x0: first.first, x1: end.last + 1, y0: top, y1: base.last + 1 };
  const isOwn = base.from >= bounds.x0 - pitch * MEETING_SHARE && base.to <= bounds.x1 + pitch * MEETING_SHARE;
  if (!isOwn && row.length < MIN_STROKES_ON_RULE) return undefined;
  const isAcross = ({ from, to, first, last }: Stroke) =>
    Math.min(to, bounds.x1) - Math.max(from, bounds.x0) > pitch * 1.5 &&
    first > top + MIN_THICKNESS_PX * 2 &&
    last < base.first - MIN_THICKNESS_PX * 2;
  if (level.some(isAcross)) return undefined;
  const cells = row.slice(1).map((right, index) => ({
    x0: (row[index]?.last ?? 0) + 1,
    x1: right.first,
    y0: top,
    y1: base.first,
  }));
  const columns = cells.flatMap(({ x0, x1, y1 }) =>
    inkedColumns(raster, { x0: x0 + 2, x1: x1 - 2, y0: y1 - FOOT_PX, y1: y1 - 1 }, dark),
  );
  return columns.length > (bounds.x1 - bounds.x0) * MAX_FOOT_SHARE ? undefined : { ...bounds, cells };
}

/** Joins boxes that stand beside each other to rows of cells. */
function joinBoxes(boxes: readonly Frame[]): Comb[] {
  const rows: Frame[][] = [];
  for (const box of [...boxes].sort((a, b) => a.x0 - b.x0)) {
    const row = rows.find((known) => {
      const end = known.at(-1);
      if (end === undefined) return false;
      const near = heightOf(box) * MEETING_SHARE;
      const gap = box.x0 - end.x1;
      return (
        gap < widthOf(box) * MAX_CELL_GAP_SHARE &&
        gap > -near &&
        Math.abs(box.y0 - end.y0) <= near &&
        Math.abs(box.y1 - end.y1) <= near &&
        Math.abs(widthOf(box) - widthOf(end)) <= near
      );
    });
    if (row === undefined) rows.push([box]);
    else row.push(box);
  }
  return rows
    .filter((row) => row.length > 1)
    .map((row) => ({ ...boundsOf(row), cells: row.map((box) => grow(box, -box.thickness)) }));
}
