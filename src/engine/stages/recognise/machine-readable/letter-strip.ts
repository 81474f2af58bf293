import { sumsOf } from '../../picture/find/box-sums.js';
import type { Raster } from '../../picture/raster.js';

/** Width of a letter's cell in a picture whose letters are classified. */
export const CELL_PX = 12;
/** The window around a letter that is classified: a little wider than its cell. */
export const WINDOW_WIDTH = 14;
export const WINDOW_HEIGHT = 16;
export const WINDOW_PIXELS = WINDOW_WIDTH * WINDOW_HEIGHT;

/** Ink of a small picture: 0 for the ground, 1 for the darkest strokes. */
export interface Ink {
  ink: Float32Array;
  width: number;
  height: number;
}

/** Reach of the ground around a pixel. */
const NEAR_PX = 14;
/** Share of the pixels that are the darkest strokes, and their least darkness beside the ground. */
const DARK_SHARE = 0.06;
const MAX_DARK_RATIO = 0.9;

/** Measures the ink of a picture beside the ground around it, so that tints and drawings of the ground have little. */
export function measureInk({ data, width, height }: Raster): Ink {
  const near = sumsOf(width, height, (at) => data[at] ?? 0);
  const ground = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if ((data[at] ?? 0) >= near.meanAround(x, y, NEAR_PX)) ground[at] = 1;
    }
  }
  const shades = sumsOf(width, height, (at) => (ground[at] === 1 ? (data[at] ?? 0) : 0));
  const counts = sumsOf(width, height, (at) => ground[at] ?? 0);
  const ratios = new Float32Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const count = counts.sumAround(x, y, NEAR_PX);
      ratios[at] = count === 0 ? 1 : (data[at] ?? 0) / Math.max(1, shades.sumAround(x, y, NEAR_PX) / count);
    }
  }
  const sorted = Float32Array.from(ratios).sort();
  const dark = Math.min(MAX_DARK_RATIO, sorted[Math.floor(sorted.length * DARK_SHARE)] ?? 0);
  return { ink: ratios.map((ratio) => Math.max(0, Math.min(1, (1 - ratio) / (1 - dark)))), width, height };
}

/** Copies the window with this corner to `to`; it is empty beyond the picture. */
export function copyWindow({ ink, width, height }: Ink, left: number, top: number, to: Float32Array): void {
  let at = 0;
  for (let y = top; y < top + WINDOW_HEIGHT; y++) {
    for (let x = left; x < left + WINDOW_WIDTH; x++)
      to[at++] = x < 0 || y < 0 || x >= width || y >= height ? 0 : (ink[y * width + x] ?? 0);
  }
}
