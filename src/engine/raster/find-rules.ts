import type { Raster } from './raster.js';

/** A straight line that is drawn in a picture, in its pixels: level or upright, without its thickness. */
export interface DrawnRule {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** A run of dark pixels of at least this length is too long for a stroke of a letter, as a share of the long side. */
const LEAST_RUN = { level: 1 / 75, upright: 1 / 90 };
/** Lines are as long as this. */
const LEAST_LENGTH = { level: 1 / 25, upright: 1 / 80 };
const MOST_THICKNESS = 1 / 220;
/** How far a line may lean: 1.5 degrees. */
const MOST_LEAN = 0.026;
/** Pixels that are missing in a line. */
const MOST_GAP = 2;
/** Darker than paper by this. */
const LEAST_CONTRAST = 60;
/** Paper's shade is brighter than that of this share of the pixels. */
const PAPER_SHARE = 0.6;
/** Of so many pixels one is looked at for it: a page has millions. */
const PAPER_STEP = 7;
/** More are a screen of dots or a drawing, not a table. */
const MOST_RUNS = 60_000;
const MOST_RULES = 1500;

/** Finds the lines of tables and frames in a picture: long, thin, and level or upright but for the lean of a scan. */
export function findRules(raster: Raster): DrawnRule[] {
  const { width, height } = raster;
  const dark = findPaper(raster) - LEAST_CONTRAST;
  if (dark <= 0) return [];
  const level = findStraight(raster, dark, 'level');
  const upright = findStraight(raster, dark, 'upright');
  if (level.length + upright.length > MOST_RULES) return [];
  const inside = ({ x0, x1, y0, y1 }: DrawnRule) => x0 >= 0 && y0 >= 0 && x1 <= width && y1 <= height;
  return [...level, ...upright].filter(inside);
}

/** The shade of the paper: most of a page is. */
function findPaper({ data }: Raster): number {
  const counts = new Uint32Array(256);
  let all = 0;
  for (let at = 0; at < data.length; at += PAPER_STEP, all++) {
    const shade = data[at] ?? 0;
    counts[shade] = (counts[shade] ?? 0) + 1;
  }
  let seen = 0;
  for (let shade = 0; shade < 256; shade++) {
    seen += counts[shade] ?? 0;
    if (seen > all * PAPER_SHARE) return shade;
  }
  return 255;
}

/** Runs that touch each other from row to row. */
interface Stroke {
  from: number;
  to: number;
  first: number;
  last: number;
  /** Pixels of all its runs. */
  area: number;
}

function findStraight({ data, width, height }: Raster, dark: number, direction: 'level' | 'upright'): DrawnRule[] {
  const long = Math.max(width, height);
  const scan: Scan =
    direction === 'level'
      ? { data, length: width, count: height, step: 1, stride: width }
      : { data, length: height, count: width, step: width, stride: 1 };
  const leastRun = Math.max(8, Math.round(long * LEAST_RUN[direction]));
  const leastLength = long * LEAST_LENGTH[direction];
  const thickness = Math.max(4, long * MOST_THICKNESS);
  const runs = findRuns(scan, dark, leastRun);
  if (runs === undefined) return [];
  const finished: Stroke[] = [];
  let open: Stroke[] = [];
  for (const run of runs) {
    const { first: across } = run;
    for (const stroke of open) if (across - stroke.last > MOST_GAP) finished.push(stroke);
    open = open.filter((stroke) => across - stroke.last <= MOST_GAP);
    join(open, run);
  }
  return [...finished, ...open]
    .sort((a, b) => a.last - b.last)
    .filter(({ from, to, first, last, area }) => {
      const size = to - from;
      const isThin = area <= thickness * size && last - first + 1 <= thickness + size * MOST_LEAN;
      return size >= leastLength && isThin;
    })
    .map(({ from, to, first, last }) => {
      const middle = (first + last + 1) / 2;
      return direction === 'level'
        ? { x0: from, x1: to, y0: middle, y1: middle }
        : { x0: middle, x1: middle, y0: from, y1: to };
    });
}

/** `count` rows of `length` pixels, or its columns: `step` bytes from pixel to pixel, `stride` from row to row. */
interface Scan {
  data: Uint8Array;
  length: number;
  count: number;
  step: number;
  stride: number;
}

/**
 * Runs of at least `leastRun` dark pixels along rows of `length` pixels, in the order of the `count` rows; a gap of MOST_GAP
 * pixels does not end one. Undefined where there are too many. No run of that length lies between the pixels that are
 * looked at, so that of white paper only every twentieth pixel or so is.
 */
function findRuns({ data, length, count, step, stride }: Scan, dark: number, leastRun: number): Stroke[] | undefined {
  const runs: Stroke[] = [];
  const ends = new Int32Array(count);
  /** The last dark pixel of the run that goes on from here, one way or the other. */
  const extend = (from: number, way: 1 | -1, row: number): number => {
    let last = from;
    for (let along = from + way; along >= 0 && along < length; along += way) {
      if ((data[row + along * step] ?? 255) < dark) last = along;
      else if (Math.abs(along - last) > MOST_GAP) break;
    }
    return last;
  };
  const lookAt = (along: number, across: number): void => {
    if (along < (ends[across] ?? 0)) return;
    const row = across * stride;
    const stop = Math.min(length, along + MOST_GAP + 1);
    let hit = along;
    while (hit < stop && (data[row + hit * step] ?? 255) >= dark) hit++;
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
