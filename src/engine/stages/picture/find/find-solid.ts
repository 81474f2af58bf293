import type { Raster } from '../raster.js';
import type { Direction, Shades } from './trace-runs.js';

/** Pixels along a rule of which most are dark: the grain of a scan varies from pixel to pixel, and letters have gaps. */
const WINDOW_PX = 15;
const MIN_DARK_PX = 12;
/** Shades of what `findSolid` found. */
export const SOLID: Shades = { from: 0, to: 1 };

/**
 * Returns a picture that is black where most of the pixels along a direction are darker than a shade. Places that are wider
 * than `widest` across it stay white: the ground of a table's head would join the rules that begin in it.
 */
export function findSolid(raster: Raster, direction: Direction, dark: number, widest: number): Raster {
  const { data, width, height } = raster;
  const [length, count, step, stride] = direction === 'level' ? [width, height, 1, width] : [height, width, width, 1];
  const solid = new Uint8Array(data.length).fill(255);
  const half = WINDOW_PX >> 1;
  const counts = new Uint8Array(count);
  for (let along = 0; along < length; along++) {
    const row = (along - half) * step;
    let wide = 0;
    for (let across = 0; across < count; across++) {
      const at = across * stride + along * step;
      const added = (data[at] ?? 255) < dark ? 1 : 0;
      const removed = along >= WINDOW_PX && (data[at - WINDOW_PX * step] ?? 255) < dark ? 1 : 0;
      const found = (counts[across] ?? 0) + added - removed;
      counts[across] = found;
      if (found >= MIN_DARK_PX) {
        solid[row + across * stride] = 0;
        wide++;
      } else {
        if (wide > widest) for (let back = across - wide; back < across; back++) solid[row + back * stride] = 255;
        wide = 0;
      }
    }
  }
  return { ...raster, data: solid };
}
