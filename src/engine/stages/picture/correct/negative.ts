import { countShades, findPaper } from '../find/paper.js';
import type { Raster } from '../raster.js';

/** Paper, also in shadow, is lighter. */
const DARK = 110;
/** Of the pixels, so many have the shade of the ground, but for noise and panels, and at most so many are lighter by far: a sheet of paper on a dark desk is more. */
const SAME_SHADE = 24;
const LEAST_GROUND = 0.6;
const LEAST_CONTRAST = 60;
const MOST_LIGHT = 0.25;

/** The picture with dark on light, where it has light text on one dark ground, as a dark screen or a film has; undefined where it has not. */
export function developNegative(raster: Raster): Raster | undefined {
  const ground = findPaper(raster);
  if (ground >= DARK) return undefined;
  const counts = countShades(raster.data);
  const sum = (from: number, to: number) => counts.slice(Math.max(0, from), Math.max(0, to)).reduce((a, b) => a + b, 0);
  const all = sum(0, 256);
  const isBare = sum(ground - SAME_SHADE, ground + SAME_SHADE + 1) >= all * LEAST_GROUND;
  const light = sum(ground + LEAST_CONTRAST, 256);
  // Dark paper has dark text.
  const isLightOnDark = light > sum(0, ground - LEAST_CONTRAST) && light <= all * MOST_LIGHT;
  if (!isBare || !isLightOnDark) return undefined;
  const data = new Uint8Array(raster.data.length);
  for (let at = 0; at < data.length; at++) data[at] = 255 - (raster.data[at] ?? 0);
  return { ...raster, data };
}
