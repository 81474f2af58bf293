import type { Area } from '../../../model/geometry.js';
import { type Raster, reduceRaster } from '../raster.js';
import { sumsOf } from './box-sums.js';

/** Reduction of the picture in which rows are looked for: letters of a machine-readable zone stay 5 pixels wide and more. */
const REDUCTION = 4;
/** Reach of the mean shade around a pixel, and share of it below which the pixel is ink: prints on a drawn ground are darker than it. */
const NEAR_PX = 14;
const INK_SHARE = 0.85;
/** Rows above and below that ink reaches into, so that flat parts of a letter and its neighbour meet in one row. */
const SMEAR_PX = 2;
/** Gap between strokes of one row, number of its strokes, and its share of the picture's width. */
const MAX_GAP_PX = 17;
const MIN_STROKES = 22;
const MIN_WIDTH_SHARE = 0.25;
/** Share of the wider one that two rows of pixels of one line have in common. */
const MIN_COMMON_SHARE = 0.85;
/** Width of a line by its height, and its least height. */
const MIN_ASPECT = 13;
const MAX_ASPECT = 90;
const MIN_HEIGHT_PX = 5;
/** Differences of the beginnings and the ends of lines of one zone, and their distance, by their width. */
const MAX_START_SHARE = 0.05;
const MAX_END_SHARE = 0.08;
const MAX_PITCH_SHARE = 1 / 9;
/** Distance of two lines by their height. */
const MIN_PITCH_EM = 0.9;
const MAX_LINES = 3;

/**
 * Finds places where two or three long lines without a space stand below each other and begin and end at the same x, as those
 * of a machine-readable zone do, the lowest first. The ground may be drawn: ink is what is darker than its surroundings.
 */
export function findEvenRows(raster: Raster): Area[][] {
  const lines = findLines(reduceRaster(raster, REDUCTION)).sort((a, b) => b.y0 - a.y0);
  const zones: Area[][] = [];
  const taken = new Set<Area>();
  for (const lowest of lines) {
    if (taken.has(lowest)) continue;
    const zone = [lowest];
    for (const line of lines) {
      if (zone.length < MAX_LINES && !taken.has(line) && isNextAbove(line, zone[0] as Area)) zone.unshift(line);
    }
    if (zone.length < 2) continue;
    for (const line of zone) taken.add(line);
    zones.push(zone.map(({ x0, y0, x1, y1 }) => scale({ x0, y0, x1, y1 })));
  }
  return zones;
}

const scale = ({ x0, y0, x1, y1 }: Area): Area => ({
  x0: x0 * REDUCTION,
  y0: y0 * REDUCTION,
  x1: x1 * REDUCTION,
  y1: y1 * REDUCTION,
});

function isNextAbove(upper: Area, lower: Area): boolean {
  const width = Math.max(upper.x1 - upper.x0, lower.x1 - lower.x0);
  const height = Math.max(upper.y1 - upper.y0, lower.y1 - lower.y0);
  const pitch = (lower.y0 + lower.y1 - upper.y0 - upper.y1) / 2;
  return (
    Math.abs(upper.x0 - lower.x0) <= width * MAX_START_SHARE &&
    Math.abs(upper.x1 - lower.x1) <= width * MAX_END_SHARE &&
    pitch >= height * MIN_PITCH_EM &&
    pitch <= width * MAX_PITCH_SHARE
  );
}

/** Finds long lines without a wide gap: chains of strokes in successive rows of pixels. */
function findLines(raster: Raster): Area[] {
  const { width, height } = raster;
  const ink = smear(findInk(raster), width, height);
  const found: Area[] = [];
  let open: Area[] = [];
  for (let y = 0; y < height; y++) {
    const next: Area[] = [];
    for (const [x0, x1] of findChains(ink.subarray(y * width, (y + 1) * width))) {
      const known = open.find(
        (line) =>
          Math.min(line.x1, x1) - Math.max(line.x0, x0) > MIN_COMMON_SHARE * Math.max(line.x1 - line.x0, x1 - x0),
      );
      if (known === undefined) {
        const line = { x0, x1, y0: y, y1: y + 1 };
        found.push(line);
        next.push(line);
      } else {
        Object.assign(known, { x0: Math.min(known.x0, x0), x1: Math.max(known.x1, x1), y1: y + 1 });
        open = open.filter((line) => line !== known);
        next.push(known);
      }
    }
    open = next;
  }
  return found.filter(({ x0, y0, x1, y1 }) => {
    const aspect = (x1 - x0) / (y1 - y0);
    return aspect > MIN_ASPECT && aspect < MAX_ASPECT && y1 - y0 >= MIN_HEIGHT_PX;
  });
}

/** Returns the begin and end of each long chain of strokes in a row of pixels. */
function findChains(row: Uint8Array): [number, number][] {
  const chains: [number, number][] = [];
  let [start, end, strokes] = [0, Number.NEGATIVE_INFINITY, 0];
  const finish = () => {
    if (strokes >= MIN_STROKES && end - start > row.length * MIN_WIDTH_SHARE) chains.push([start, end]);
  };
  for (let x = 0; x < row.length; x++) {
    if (row[x] === 0) continue;
    if (x - end > MAX_GAP_PX) {
      finish();
      [start, strokes] = [x, 0];
    }
    strokes++;
    while (x < row.length && row[x] !== 0) x++;
    end = x;
  }
  finish();
  return chains;
}

function findInk({ data, width, height }: Raster): Uint8Array {
  const near = sumsOf(width, height, (at) => data[at] ?? 0);
  const ink = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if ((data[at] ?? 255) < near.meanAround(x, y, NEAR_PX) * INK_SHARE) ink[at] = 1;
    }
  }
  return ink;
}

function smear(ink: Uint8Array, width: number, height: number): Uint8Array {
  const smeared = new Uint8Array(ink.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (ink[y * width + x] === 0) continue;
      const last = Math.min(height - 1, y + SMEAR_PX);
      for (let row = Math.max(0, y - SMEAR_PX); row <= last; row++) smeared[row * width + x] = 1;
    }
  }
  return smeared;
}
