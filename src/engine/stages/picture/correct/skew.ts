import { type Edges, MEASURED_SIDE, type Outline, sumOfSquares, thinEdges, transposeOutline } from '../find/outline.js';
import type { Raster } from '../raster.js';

/** Skew of paper that was laid on the glass by hand, or photographed. */
const MAX_DEGREES = 20;
const COARSE_STEP_DEGREES = 0.5;
const FINE_STEP_DEGREES = 0.1;
/** Edges that suffice for the coarse angle. */
const COARSE_EDGES = 8_000;
/** Skew that is corrected. Recognition copes with less, and turning a picture costs sharpness. */
const MIN_DEGREES = 0.5;
/** Sharpness of the lines at the measured angle by that at none. */
const MIN_GAIN = 1.1;
/** Columns on each side of the reduced picture's middle: it is less than twice as long as MEASURED_SIDE. */
const MAX_COLUMN = MEASURED_SIDE;
const MIN_EDGES = 500;
/** Sharpness by the mean of all angles from which lines are those of text, or of a table with the same skew. Letters above each other in columns have up to 2.6. */
const MIN_TEXT_CLEARNESS = 3;

/** Clearness, and sharpness by that of the other direction, from which lines show which way a page runs. */
const MIN_DIRECTION_CLEARNESS = 2.5;
const MIN_SHARPNESS_RATIO = 1.5;

export type Direction = 'across' | 'up';

/** The skew and the direction of a picture's lines. */
interface Skew {
  /** Degrees clockwise from level, or from upright if lines run up or down; 0 if that is little or unknown. */
  skew: number;
  /** Direction of the lines; 'up' includes down. Absent if that is not clear. */
  direction?: Direction;
}

/**
 * Measures the skew of a picture's text. At the right angle, lines and the white between them separate most sharply when the
 * edges are summed along them (Postl, 1986).
 */
export function measureSkew(outline: Outline): Skew {
  const across = searchAngles(outline.edges);
  // Clear lines spare the search for lines that run up or down, which takes as long again.
  const up = across.clearness < MIN_TEXT_CLEARNESS ? searchAngles(transposeOutline(outline).edges) : NO_LINES;
  const [best, other] = up.sharpness > across.sharpness ? [up, across] : [across, up];
  const isDistinct =
    best.clearness >= MIN_DIRECTION_CLEARNESS && best.sharpness >= other.sharpness * MIN_SHARPNESS_RATIO;
  const direction = best === up ? 'up' : 'across';
  const known = isDistinct ? ({ direction } as const) : {};
  const isClear = best.gain >= MIN_GAIN && Math.abs(best.degrees) < MAX_DEGREES;
  if (!isClear || Math.abs(best.degrees) < MIN_DEGREES) return { skew: 0, ...known };
  const degrees = Math.round(best.degrees * 10) / 10;
  // Clockwise is the other way round in the transposed picture.
  return { skew: best === up ? -degrees : degrees, ...known };
}

/** Edges from which a picture may be grain of paper, or a photograph of things. */
const MIN_GRAIN_EDGES = 20_000;
/** Clearness of grain: it has up to 1.07, speckled text 1.24 and more. */
const MAX_GRAIN_CLEARNESS = 1.12;

/** True when a picture has many edges, and no lines in any direction. */
export const isGrain = (outline: Outline): boolean =>
  outline.edges.x.length >= MIN_GRAIN_EDGES &&
  [outline, transposeOutline(outline)].every(({ edges }) => searchAngles(edges).clearness < MAX_GRAIN_CLEARNESS);

/** The skew of the lines of one direction. */
interface AngleSearch {
  degrees: number;
  /** Sharpness at this angle by that at none. */
  gain: number;
  /** Sharpness at this angle by the mean of all angles. */
  clearness: number;
  /** Sum of squares for each edge. */
  sharpness: number;
}

const NO_LINES: AngleSearch = { degrees: 0, gain: 0, clearness: 0, sharpness: 0 };

function searchAngles(edges: Edges): AngleSearch {
  if (edges.x.length < MIN_EDGES) return NO_LINES;
  const at = (degrees: number) => sharpnessAt(edges, degrees);
  const coarse = thinEdges(edges, COARSE_EDGES);
  const near = findSharpest(0, MAX_DEGREES, COARSE_STEP_DEGREES, (degrees) => sharpnessAt(coarse, degrees));
  const { degrees, value } = findSharpest(near.degrees, COARSE_STEP_DEGREES, FINE_STEP_DEGREES, at);
  return {
    degrees,
    gain: value / Math.max(1, at(0)),
    clearness: near.value / near.mean,
    sharpness: value / edges.x.length,
  };
}

function findSharpest(middle: number, reach: number, step: number, at: (degrees: number) => number) {
  const steps = Math.round(reach / step);
  let [degrees, value, sum] = [middle, at(middle), 0];
  for (let i = -steps; i <= steps; i++) {
    const candidate = at(middle + i * step);
    sum += candidate;
    if (candidate > value) [degrees, value] = [middle + i * step, candidate];
  }
  return { degrees, value, mean: sum / (2 * steps + 1) };
}

/** Sums the squares of the edges on each line at this angle. */
function sharpnessAt({ x, y }: Edges, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const offset = Math.ceil(MEASURED_SIDE * 2 * Math.abs(slope));
  const counts = new Uint32Array(MEASURED_SIDE * 3 + 2 * offset);
  // Shift of each column: it is used once for every edge, and computed once.
  const shifts = new Int16Array(2 * MAX_COLUMN);
  for (let column = 0; column < shifts.length; column++) {
    shifts[column] = offset - Math.round((column - MAX_COLUMN) * slope);
  }
  for (let i = 0; i < x.length; i++) {
    const line = (y[i] ?? 0) + (shifts[(x[i] ?? 0) + MAX_COLUMN] ?? 0);
    counts[line] = (counts[line] ?? 0) + 1;
  }
  return sumOfSquares(counts);
}

/** Turns a picture clockwise by any angle about its middle. It grows so that nothing is cut off; its corners are white. */
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
      const left = Math.floor(x);
      const top = Math.floor(y);
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
      const at = top * width + left;
      const fx = x - left;
      const fy = y - top;
      const upper = (data[at] ?? 0) * (1 - fx) + (data[at + 1] ?? 0) * fx;
      const lower = (data[at + width] ?? 0) * (1 - fx) + (data[at + width + 1] ?? 0) * fx;
      turned[row * columns + column] = upper * (1 - fy) + lower * fy;
    }
  }
  return { data: turned, width: columns, height: rows };
}
