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
/** The level lines of a frame are as long as this. */
const LEAST_FRAME = 1 / 10;
/** Rows beside a line that its blur reaches. */
const FRINGE = [-2, -1, 1, 2];
/** More are a screen of dots or a drawing, not a table. */
const MOST_RUNS = 60_000;
const MOST_RULES = 1500;

/** Finds the lines of tables and frames in a picture: long, thin, and level or upright but for the lean of a scan. */
export const findRules = (raster: Raster): DrawnRule[] => traceRules(raster).map(toRule);

/** The same, with all that each of them takes. */
export function traceRules(raster: Raster): TracedRule[] {
  const dark = findPaper(raster) - LEAST_CONTRAST;
  if (dark <= 0) return [];
  const rules = [...findStraight(raster, dark, 'level'), ...findStraight(raster, dark, 'upright')];
  return rules.length > MOST_RULES ? [] : rules;
}

export function toRule({ direction, from, to, first, last }: TracedRule): DrawnRule {
  const middle = (first + last + 1) / 2;
  return direction === 'level'
    ? { x0: from, x1: to, y0: middle, y1: middle }
    : { x0: middle, x1: middle, y0: from, y1: to };
}

/** Takes frames off a picture; what is none stays, since letters stand on it or are made of it: underlines, large type. */
export function eraseFrames(raster: Raster, rules: readonly TracedRule[]): Raster | undefined {
  const long = Math.max(raster.width, raster.height);
  const reach = Math.max(MOST_GAP, long * MOST_THICKNESS);
  const isWithin = (place: number, { from, to }: TracedRule) => place > from - reach && place < to + reach;
  const meet = (a: TracedRule, b: TracedRule) =>
    isWithin((a.first + a.last) / 2, b) && isWithin((b.first + b.last) / 2, a);
  const level = rules.filter(({ direction, from, to }) => direction === 'level' && to - from > long * LEAST_FRAME);
  const upright = rules.filter(
    (rule) => rule.direction === 'upright' && level.filter((other) => meet(rule, other)).length > 1,
  );
  const sides = level.filter((rule) => upright.filter((other) => meet(rule, other)).length > 1);
  if (sides.length < 2) return undefined;
  const bare = { ...raster, data: raster.data.slice() };
  for (const rule of [...sides, ...upright]) erase(bare, rule);
  return bare;
}

function erase({ data, width, height }: Raster, { direction, from, to, first, last, paper }: TracedRule): void {
  const isLevel = direction === 'level';
  const [step, stride] = isLevel ? [1, width] : [width, 1];
  const leastRun = leastRunOf(direction, width, height);
  const dark = paper - LEAST_CONTRAST;
  for (let across = first; across <= last; across++) {
    let start = from;
    let end = from;
    const finish = () => {
      if (end - start < leastRun) return;
      for (let along = start; along < end; along++) {
        const at = across * stride + along * step;
        data[at] = paper;
        // Its edges are grey; what is dark beside it is a letter.
        for (const beside of FRINGE) {
          const row = across + beside;
          const near = at + beside * stride;
          if (row >= 0 && row < (isLevel ? height : width) && (data[near] ?? 0) >= dark) data[near] = paper;
        }
      }
    };
    for (let along = from; along < to; along++) {
      if ((data[across * stride + along * step] ?? 255) >= dark) continue;
      if (along - end > MOST_GAP) {
        finish();
        start = along;
      }
      end = along + 1;
    }
    finish();
  }
}

/** The shade of the paper: most of a page is. */
export function findPaper({ data }: Raster): number {
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

/** A line in rows of pixels, or in columns: from where to where, and in which of them. */
export interface TracedRule extends Stroke {
  direction: 'level' | 'upright';
  /** The shade of what it is drawn on. */
  paper: number;
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

function findStraight({ data, width, height }: Raster, dark: number, direction: 'level' | 'upright'): TracedRule[] {
  const long = Math.max(width, height);
  const scan: Scan =
    direction === 'level'
      ? { data, length: width, count: height, step: 1, stride: width }
      : { data, length: height, count: width, step: width, stride: 1 };
  const leastRun = leastRunOf(direction, width, height);
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
    .map((stroke) => ({ ...stroke, direction, paper: dark + LEAST_CONTRAST }));
}

const leastRunOf = (direction: 'level' | 'upright', width: number, height: number): number =>
  Math.max(8, Math.round(Math.max(width, height) * LEAST_RUN[direction]));

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
