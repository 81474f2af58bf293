import { type Bend, GRID_CELLS, shiftAt } from '../../../model/bend.js';
import { type Edges, type Outline, sumOfSquares, thinEdges } from '../find/outline.js';
import type { Raster } from '../raster.js';
import { fitSlopes, type LocalSlope, slopeAt } from './slopes.js';

/** Grid of the page's parts; the slope of the lines is measured in each. */
const COLUMNS = 6;
const ROWS = 8;
/** Steepest slope of the search, and its step: one pixel over a part's width. */
const MAX_SLOPE = 0.14;
const SLOPE_STEP = 0.01;
/** Bounds the time: of more edges only a regular sample is used. */
const MAX_EDGES = 16_000;
/** Edges of letters that a part needs: absolute, and as a share of the mean of all parts. */
const MIN_EDGES = 40;
const MIN_EDGES_SHARE = 0.25;
/** Sharpness of a part's lines at their own slope by the mean at all slopes. */
const MIN_CLEARNESS = 1.15;
/** Relative difference of two sharpness values that counts as none. */
const EQUAL_SHARE = 0.002;
/** Parts with a measured slope. */
const MIN_MEASURED_PARTS = 14;
/** Sharpness of the page's lines without the bend by that with it: 1 on flat pages. */
const MIN_SHARPNESS_GAIN = 1.1;

/** Measures how the lines of a level picture are bent; undefined if they are straight or too few. */
export function measureBend({ reduced: small, edges: all }: Outline): Bend | undefined {
  const edges = thinEdges(all, MAX_EDGES);
  const slopes = measureSlopes(edges, small);
  if (slopes.length < MIN_MEASURED_PARTS) return undefined;
  const bend = followLines(fitSlopes(slopes), small.width / small.height);
  return sharpnessOf(edges, small, bend) >= sharpnessOf(edges, small) * MIN_SHARPNESS_GAIN ? bend : undefined;
}

type Size = Pick<Raster, 'width' | 'height'>;

function measureSlopes({ x, y }: Edges, { width, height }: Size): LocalSlope[] {
  const parts = Array.from({ length: COLUMNS * ROWS }, () => [] as number[]);
  for (let i = 0; i < x.length; i++) {
    const column = Math.floor((((x[i] ?? 0) + (width >> 1)) / width) * COLUMNS);
    const row = Math.floor(((y[i] ?? 0) / height) * ROWS);
    parts[row * COLUMNS + column]?.push(i);
  }
  const minEdges = Math.max(MIN_EDGES, (x.length / parts.length) * MIN_EDGES_SHARE);
  return parts.flatMap((part) => {
    if (part.length < minEdges) return [];
    const xs = Int16Array.from(part, (index) => x[index] ?? 0);
    const ys = Int16Array.from(part, (index) => y[index] ?? 0);
    const { slope, clearness } = findSlope(xs, ys);
    if (clearness < MIN_CLEARNESS || Math.abs(slope) > MAX_SLOPE - SLOPE_STEP) return [];
    const place = { u: (2 * mean(xs)) / width, v: (2 * mean(ys)) / height - 1 };
    return [{ ...place, slope, weight: Math.min(1, clearness - 1) * Math.sqrt(part.length) }];
  });
}

/** Finds the slope at which the edges of a part fall into the fewest rows; of several, the one nearest to level. */
function findSlope(x: Int16Array, y: Int16Array): { slope: number; clearness: number } {
  const [left, right] = [x.reduce((a, b) => Math.min(a, b)), x.reduce((a, b) => Math.max(a, b))];
  const [top, bottom] = [y.reduce((a, b) => Math.min(a, b)), y.reduce((a, b) => Math.max(a, b))];
  const reach = Math.ceil((right - left) * MAX_SLOPE);
  const steps = Math.round(MAX_SLOPE / SLOPE_STEP);
  let [slope, max, sum] = [0, 0, 0];
  const counts = new Uint16Array(bottom - top + 1 + 2 * reach);
  const shifts = new Int16Array(right - left + 1);
  for (let step = -steps; step <= steps; step++) {
    counts.fill(0);
    for (let at = 0; at < shifts.length; at++) shifts[at] = Math.round((at - (right - left) / 2) * step * SLOPE_STEP);
    for (let i = 0; i < x.length; i++) {
      const row = (y[i] ?? 0) - top + reach - (shifts[(x[i] ?? 0) - left] ?? 0);
      counts[row] = (counts[row] ?? 0) + 1;
    }
    const value = sumOfSquares(counts);
    sum += value;
    const isNearer = Math.abs(step * SLOPE_STEP) < Math.abs(slope);
    if (value > max * (isNearer ? 1 - EQUAL_SHARE : 1 + EQUAL_SHARE)) [slope, max] = [step * SLOPE_STEP, value];
  }
  return { slope, clearness: (max * (2 * steps + 1)) / Math.max(1, sum) };
}

/** Follows the slopes from the middle column to both sides and returns the shifts of the grid. */
function followLines(coefficients: readonly number[], aspect: number): Bend {
  const shifts: number[] = [];
  for (let row = 0; row <= GRID_CELLS; row++) {
    for (const direction of [-1, 1]) {
      let shift = 0;
      for (let step = 0; step <= GRID_CELLS / 2; step++) {
        const column = GRID_CELLS / 2 + direction * step;
        shifts[row * (GRID_CELLS + 1) + column] = shift;
        const u = ((column + direction / 2) / GRID_CELLS) * 2 - 1;
        const v = Math.min(1, Math.max(-1, (row / GRID_CELLS + shift) * 2 - 1));
        shift += (direction * slopeAt(coefficients, u, v) * aspect) / GRID_CELLS;
      }
    }
  }
  return shifts;
}

/** Straightens the lines of a bent picture; white fills what lies outside of it. */
export function unbendRaster({ data, width, height }: Raster, bend: Bend): Raster {
  const flat = new Uint8Array(data.length).fill(255);
  for (let y = 0; y < height; y++) {
    const shifts = Float32Array.from({ length: GRID_CELLS + 2 }, (_, column) =>
      shiftAt(bend, column / GRID_CELLS, y / height),
    );
    for (let x = 0; x < width; x++) {
      const column = (x / width) * GRID_CELLS;
      const left = Math.floor(column);
      const shift = (shifts[left] ?? 0) * (1 - column + left) + (shifts[left + 1] ?? 0) * (column - left);
      const from = y + shift * height;
      const top = Math.floor(from);
      if (top < 0 || top + 1 >= height) continue;
      const at = top * width + x;
      flat[y * width + x] = (data[at] ?? 0) * (1 - from + top) + (data[at + width] ?? 0) * (from - top);
    }
  }
  return { data: flat, width, height };
}

/** Measures how sharply lines and the white between them separate when the edges are summed by rows. */
function sharpnessOf({ x, y }: Edges, { width, height }: Size, bend?: Bend): number {
  const counts = new Uint16Array(3 * height);
  for (let i = 0; i < x.length; i++) {
    const share = ((x[i] ?? 0) + (width >> 1)) / width;
    const place = (y[i] ?? 0) / height;
    // The shift at the place before bending is nearly the one here: a second look-up corrects the difference.
    const level = bend === undefined ? place : place - shiftAt(bend, share, place - shiftAt(bend, share, place));
    const row = Math.round((level + 1) * height);
    counts[row] = (counts[row] ?? 0) + 1;
  }
  return sumOfSquares(counts);
}

const mean = (values: Int16Array): number => values.reduce((a, b) => a + b, 0) / values.length;
