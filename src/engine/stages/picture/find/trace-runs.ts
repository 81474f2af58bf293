import type { Raster } from '../raster.js';

export type Direction = 'level' | 'upright';

/** A run of dark pixels of at least this length is too long for a stroke of a letter, as a share of the long side. */
const LEAST_RUN = { level: 1 / 75, upright: 1 / 90 };
/** Pixels that are missing in a line. */
export const MOST_GAP = 2;
/** More are a screen of dots or a drawing, not a table. */
const MOST_RUNS = 60_000;

/** Runs that touch each other from row to row, or from column to column: from where to where, and in which of them. */
export interface Stroke {
  from: number;
  to: number;
  first: number;
  last: number;
  /** Pixels of all its runs. */
  area: number;
}

/** From the first of them up to the other, which is none of them any more. */
export interface Shades {
  from: number;
  to: number;
}

/** Runs of pixels of these shades, joined where they touch; too short ones, as letters have, left out. None where there are too many. */
export function traceRuns({ data, width, height }: Raster, shades: Shades, direction: Direction): Stroke[] {
  const scan: Scan =
    direction === 'level'
      ? { data, length: width, count: height, step: 1, stride: width }
      : { data, length: height, count: width, step: width, stride: 1 };
  const runs = findRuns(scan, shades, leastRunOf(direction, Math.max(width, height)));
  if (runs === undefined) return [];
  const finished: Stroke[] = [];
  let open: Stroke[] = [];
  for (const run of runs) {
    const { first: across } = run;
    for (const stroke of open) if (across - stroke.last > MOST_GAP) finished.push(stroke);
    open = open.filter((stroke) => across - stroke.last <= MOST_GAP);
    join(open, run);
  }
  return [...finished, ...open].sort((a, b) => a.last - b.last);
}

export const leastRunOf = (direction: Direction, long: number): number =>
  Math.max(8, Math.round(long * LEAST_RUN[direction]));

/** `count` rows of `length` pixels, or its columns: `step` bytes from pixel to pixel, `stride` from row to row. */
interface Scan {
  data: Uint8Array;
  length: number;
  count: number;
  step: number;
  stride: number;
}

/**
 * Runs of at least `leastRun` pixels of the shades along rows of `length` pixels, in the order of the `count` rows; a gap of MOST_GAP
 * pixels does not end one. Undefined where there are too many. No run of that length lies between the pixels that are
 * looked at, so that of bare paper only every twentieth pixel or so is.
 */
function findRuns(
  { data, length, count, step, stride }: Scan,
  { from: least, to: most }: Shades,
  leastRun: number,
): Stroke[] | undefined {
  const runs: Stroke[] = [];
  const ends = new Int32Array(count);
  const isInk = (at: number): boolean => {
    const shade = data[at] ?? 255;
    return shade < most && shade >= least;
  };
  /** The last pixel of the run that goes on from here, one way or the other. */
  const extend = (from: number, way: 1 | -1, row: number): number => {
    let last = from;
    for (let along = from + way; along >= 0 && along < length; along += way) {
      if (isInk(row + along * step)) last = along;
      else if (Math.abs(along - last) > MOST_GAP) break;
    }
    return last;
  };
  const lookAt = (along: number, across: number): void => {
    if (along < (ends[across] ?? 0)) return;
    const row = across * stride;
    const stop = Math.min(length, along + MOST_GAP + 1);
    let hit = along;
    while (hit < stop && !isInk(row + hit * step)) hit++;
    if (hit === stop) return;
    const [from, to] = [extend(hit, -1, row), extend(hit, 1, row) + 1];
    ends[across] = to;
    if (to - from >= leastRun) runs.push({ from, to, first: across, last: across, area: to - from });
  };
  // Rows of memory one after the other, whichever way the runs lie.
  const every = Math.max(1, leastRun - MOST_GAP);
  if (step === 1) {
    for (let across = 0; across < count && runs.length <= MOST_RUNS; across++)
      for (let along = 0; along < length; along += every) lookAt(along, across);
  } else {
    for (let along = 0; along < length && runs.length <= MOST_RUNS; along += every)
      for (let across = 0; across < count; across++) lookAt(along, across);
    runs.sort((a, b) => a.first - b.first || a.from - b.from);
  }
  return runs.length > MOST_RUNS ? undefined : runs;
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
