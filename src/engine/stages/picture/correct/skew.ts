import { type Edges, MEASURED_SIDE, type Outline, sumOfSquares, thinEdges, transposeOutline } from '../find/outline.js';
import type { Raster } from '../raster.js';

/** Lines of paper that was laid on the glass by hand, or photographed, stand within this many degrees of level. */
const MOST_DEGREES = 20;
const COARSE_STEP = 0.5;
const FINE_STEP = 0.1;
/** So many edges tell the angle coarsely. */
const COARSE_EDGES = 8_000;
/** Level enough: recognition bears this, and turning a picture costs sharpness. */
const LEAST_DEGREES = 0.5;
/** How much clearer the lines have to stand out at the measured angle than as they are. */
const LEAST_GAIN = 1.1;
/** Of the reduced picture, from its middle: it is less than twice as long as is measured. */
const MOST_COLUMN = MEASURED_SIDE;
const LEAST_EDGES = 500;
/** Lines that stand out so many times as clearly as at the usual angle are those of the text, or of a table, which lean as it does; letters above each other in columns have up to 2.6. */
const CLEAR = 3;

/** Lines that stand out so clearly, and by so many times as sharply as those of the other direction, tell which way a page runs. */
const CLEAR_DIRECTION = 2.5;
const SHARPER = 1.5;

export type Direction = 'across' | 'up';

/** How the lines of a picture lie. */
interface Lie {
  /** Degrees, clockwise, from level, or from upright, where they run up or down; 0 where that is little or cannot be told. */
  skew: number;
  /** The way they run; 'up' also for down. Absent where that is not clear. */
  direction?: Direction;
}

/**
 * How the text of a picture is turned. At the right angle lines and the white between them part most sharply when
 * everything is summed along them (Postl, 1986).
 */
export function measureLie(outline: Outline): Lie {
  const across = searchAngles(outline.edges);
  // Where lines are clear, those that run up or down are not looked for: that takes as long again.
  const up = across.clearness < CLEAR ? searchAngles(transposeOutline(outline).edges) : NO_LINES;
  const [best, other] = up.sharpness > across.sharpness ? [up, across] : [across, up];
  const isToldApart = best.clearness >= CLEAR_DIRECTION && best.sharpness >= other.sharpness * SHARPER;
  const direction = best === up ? 'up' : 'across';
  const told = isToldApart ? ({ direction } as const) : {};
  const isClear = best.gain >= LEAST_GAIN && Math.abs(best.degrees) < MOST_DEGREES;
  if (!isClear || Math.abs(best.degrees) < LEAST_DEGREES) return { skew: 0, ...told };
  const degrees = Math.round(best.degrees * 10) / 10;
  // Seen from the side, the other way round is clockwise.
  return { skew: best === up ? -degrees : degrees, ...told };
}

/** The grain of paper, or of a picture of things, has so many edges. */
const GRAIN_EDGES = 20_000;
/** At the usual angle its lines stand out at most so many times as clearly: grain has up to 1.07, speckled text 1.24 and more. */
const MOST_GRAIN_CLEARNESS = 1.12;

/** Has it many edges, and no lines in any direction? */
export const isGrain = (outline: Outline): boolean =>
  outline.edges.x.length >= GRAIN_EDGES &&
  [outline, transposeOutline(outline)].every(({ edges }) => searchAngles(edges).clearness < MOST_GRAIN_CLEARNESS);

/** How the lines of one direction lean. */
interface Lean {
  degrees: number;
  /** How much clearer they stand out at this angle than at none, and than at all angles on average. */
  gain: number;
  clearness: number;
  sharpness: number;
}

const NO_LINES: Lean = { degrees: 0, gain: 0, clearness: 0, sharpness: 0 };

function searchAngles(edges: Edges): Lean {
  if (edges.x.length < LEAST_EDGES) return NO_LINES;
  const at = (degrees: number) => sharpnessAt(edges, degrees);
  const coarse = thinEdges(edges, COARSE_EDGES);
  const near = findMost(0, MOST_DEGREES, COARSE_STEP, (degrees) => sharpnessAt(coarse, degrees));
  const { degrees, value } = findMost(near.degrees, COARSE_STEP, FINE_STEP, at);
  return {
    degrees,
    gain: value / Math.max(1, at(0)),
    clearness: near.value / near.mean,
    sharpness: value / edges.x.length,
  };
}

function findMost(middle: number, reach: number, step: number, at: (degrees: number) => number) {
  const steps = Math.round(reach / step);
  let [degrees, value, sum] = [middle, at(middle), 0];
  for (let i = -steps; i <= steps; i++) {
    const candidate = at(middle + i * step);
    sum += candidate;
    if (candidate > value) [degrees, value] = [middle + i * step, candidate];
  }
  return { degrees, value, mean: sum / (2 * steps + 1) };
}

/** Sum of the squares of what stands on each line at this angle. */
function sharpnessAt({ x, y }: Edges, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const offset = Math.ceil(MEASURED_SIDE * 2 * Math.abs(slope));
  const counts = new Uint32Array(MEASURED_SIDE * 3 + 2 * offset);
  // For each column how far its lines are shifted: a table is read some hundred thousand times faster than computed.
  const shifts = new Int16Array(2 * MOST_COLUMN);
  for (let column = 0; column < shifts.length; column++) {
    shifts[column] = offset - Math.round((column - MOST_COLUMN) * slope);
  }
  for (let i = 0; i < x.length; i++) {
    const line = (y[i] ?? 0) + (shifts[(x[i] ?? 0) + MOST_COLUMN] ?? 0);
    counts[line] = (counts[line] ?? 0) + 1;
  }
  return sumOfSquares(counts);
}

/** Turns clockwise by any angle about the middle; the picture grows so that nothing is cut off, with white corners. */
export function rotateRaster({ data, width, height }: Raster, degrees: number): Raster {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const columns = Math.ceil(width * Math.abs(cos) + height * Math.abs(sin));
  const rows = Math.ceil(width * Math.abs(sin) + height * Math.abs(cos));
  const turned = new Uint8Array(columns * rows).fill(255);
  for (let row = 0; row < rows; row++) {
    const dy = row + 0.5 - rows / 2;
    for (let column = 0; column < columns; column++) {
      const dx = column + 0.5 - columns / 2;
      const x = dx * cos + dy * sin + width / 2 - 0.5;
      const y = dy * cos - dx * sin + height / 2 - 0.5;
      const [left, top] = [Math.floor(x), Math.floor(y)];
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
      const at = top * width + left;
      const [fx, fy] = [x - left, y - top];
      const upper = (data[at] ?? 0) * (1 - fx) + (data[at + 1] ?? 0) * fx;
      const lower = (data[at + width] ?? 0) * (1 - fx) + (data[at + width + 1] ?? 0) * fx;
      turned[row * columns + column] = upper * (1 - fy) + lower * fy;
    }
  }
  return { data: turned, width: columns, height: rows };
}
