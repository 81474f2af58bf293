import type { Raster } from '../raster.js';
import type { Direction, Shades } from './trace-runs.js';

/** Pixels along a rule of which most are dark: the grain of a scan varies from pixel to pixel, and letters have gaps. */
const WINDOW_PX = 15;
const MIN_DARK_PX = 12;
/** Shades of what `findSolid` found. */
export const SOLID: Shades = { from: 0, to: 1 };

/** Returns a picture that is black where most of the pixels along a direction are darker than a shade. */
export function findSolid(raster: Raster, direction: Direction, dark: number): Raster {
  const { data, width, height } = raster;
  const [length, count, step, stride] = direction === 'level' ? [width, height, 1, width] : [height, width, width, 1];
  const solid = new Uint8Array(data.length).fill(255);
  const half = WINDOW_PX >> 1;
  const counts = new Uint8Array(count);
  for (let along = 0; along < length; along++) {
    for (let across = 0; across < count; across++) {
      const at = across * stride + along * step;
      const added = (data[at] ?? 255) < dark ? 1 : 0;
      const removed = along >= WINDOW_PX && (data[at - WINDOW_PX * step] ?? 255) < dark ? 1 : 0;
      const found = (counts[across] ?? 0) + added - removed;
      counts[across] = found;
      if (found >= MIN_DARK_PX) solid[at - half * step] = 0;
    }
  }
  return { ...raster, data: solid };
}
