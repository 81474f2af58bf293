import type { Raster } from '../raster.js';

export type Direction = 'level' | 'upright';

/** Length of a run of dark pixels, by the long side, that is too long for a stroke of a letter. */
const MIN_RUN_SHARE = { level: 1 / 75, upright: 1 / 90 };
/** Missing pixels within a line. */
export const MAX_GAP_PX = 2;
/** Runs of a page; more are a screen of dots or a drawing, not a table. */
const MAX_RUNS = 60_000;

/** Runs that touch each other from row to row (or column to column): the range along them, and the first and last row. */
export interface Stroke {
  from: number;
  to: number;
  first: number;
  last: number;
  /** Number of pixels of all its runs. */
  area: number;
}

/** A range of shades: `to` is excluded. */
export interface Shades {
  from: number;
  to: number;
}

/** Finds runs of pixels of these shades and joins those that touch. Runs shorter than `minRun` pixels, like those of letters, are left out. None if there are too many. */
export function traceRuns(
  { data, width, height }: Raster,
  shades: Shades,
  direction: Direction,
  minRun = minRunOf(direction, Math.max(width, height)),
): Stroke[] {
  const scan: Scan =
    direction === 'level'
      ? { data, length: width, count: height, step: 1, stride: width }
      : { data, length: height, count: width, step: width, stride: 1 };
  const runs = findRuns(scan, shades, minRun);
  if (runs === undefined) return [];
  const finished: Stroke[] = [];
  let open: Stroke[] = [];
  for (const run of runs) {
    const { first: across } = run;
    for (const stroke of open) if (across - stroke.last > MAX_GAP_PX) finished.push(stroke);
    open = open.filter((stroke) => across - stroke.last <= MAX_GAP_PX);
    join(open, run);
  }
  return [...finished, ...open].sort((a, b) => a.last - b.last);
}

export const minRunOf = (direction: Direction, long: number): number =>
  Math.max(8, Math.round(long * MIN_RUN_SHARE[direction]));

/** `count` rows (or columns) of `length` pixels: `step` bytes from pixel to pixel, `stride` from row to row. */
interface Scan {
  data: Uint8Array;
  length: number;
  count: number;
  step: number;
  stride: number;
}

/**
 * Finds runs of at least `minRun` pixels of the shades, in the order of the rows; a gap of MAX_GAP_PX pixels does not end
 * one. Undefined if there are too many. The step between examined pixels is too short to miss a run, so that only about
 * every twentieth pixel of bare paper is examined.
 */
function findRuns(
  { data, length, count, step, stride }: Scan,
  { from: darkest, to: lightest }: Shades,
  minRun: number,
): Stroke[] | undefined {
  const runs: Stroke[] = [];
  const ends = new Int32Array(count);
  const isInk = (at: number): boolean => {
    const shade = data[at] ?? 255;
    return shade < lightest && shade >= darkest;
  };
  /** Returns the last pixel of the run through `from`, in one direction. */
  const extend = (from: number, way: 1 | -1, row: number): number => {
    let last = from;
    for (let along = from + way; along >= 0 && along < length; along += way) {
      if (isInk(row + along * step)) last = along;
      else if (Math.abs(along - last) > MAX_GAP_PX) break;
    }
    return last;
  };
  const lookAt = (along: number, across: number): void => {
    if (along < (ends[across] ?? 0)) return;
    const row = across * stride;
    const stop = Math.min(length, along + MAX_GAP_PX + 1);
    for (let hit = along; hit < stop; hit++) {
      if (!isInk(row + hit * step)) continue;
      const [from, to] = [extend(hit, -1, row), extend(hit, 1, row) + 1];
      ends[across] = to;
      if (to - from >= minRun) runs.push({ from, to, first: across, last: across, area: to - from });
      return;
    }
  };
  // The loops follow the rows of memory in both directions of runs.
  const every = Math.max(1, minRun - MAX_GAP_PX);
  if (step === 1) {
    for (let across = 0; across < count && runs.length <= MAX_RUNS; across++)
      for (let along = 0; along < length; along += every) lookAt(along, across);
  } else {
    for (let along = 0; along < length && runs.length <= MAX_RUNS; along += every)
      for (let across = 0; across < count; across++) lookAt(along, across);
    runs.sort((a, b) => a.first - b.first || a.from - b.from);
  }
  return runs.length > MAX_RUNS ? undefined : runs;
}

/** Adds a run to the strokes that it touches, which become one. */
function join(open: Stroke[], run: Stroke): void {
  let joined: Stroke | undefined;
  for (let index = open.length - 1; index >= 0; index--) {
    const stroke = open[index];
    if (stroke === undefined || stroke.to < run.from || stroke.from > run.to) continue;
    if (joined !== undefined) open.splice(open.indexOf(joined), 1);
    stroke.from = Math.min(stroke.from, joined?.from ?? run.from);
    stroke.to = Math.max(stroke.to, joined?.to ?? run.to);
    stroke.first = Math.min(stroke.first, joined?.first ?? run.first);
    stroke.last = run.last;
    stroke.area += joined?.area ?? run.area;
    joined = stroke;
  }
  if (joined === undefined) open.push(run);
}
