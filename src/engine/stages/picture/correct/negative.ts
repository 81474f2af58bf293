import { countShades, findPaper } from '../find/paper.js';
import type { Raster } from '../raster.js';

/** Shade below which the ground cannot be paper, not even in shadow. */
const MAX_GROUND_SHADE = 110;
/** Difference of shade that is noise. */
const SAME_SHADE = 24;
/** Share of the pixels with the shade of the ground; the rest is text and panels. */
const MIN_GROUND_SHARE = 0.6;
const MIN_CONTRAST = 60;
/** Share of the pixels that are much lighter than the ground. A sheet of paper on a dark desk has more. */
const MAX_LIGHT_SHARE = 0.25;

/** Inverts a picture with light text on one dark ground, like a dark screen or a film; undefined for any other picture. */
export function developNegative(raster: Raster): Raster | undefined {
  const ground = findPaper(raster);
  if (ground >= MAX_GROUND_SHADE) return undefined;
  const counts = countShades(raster.data);
  const sum = (from: number, to: number) => counts.slice(Math.max(0, from), Math.max(0, to)).reduce((a, b) => a + b, 0);
  const all = sum(0, 256);
  const isBare = sum(ground - SAME_SHADE, ground + SAME_SHADE + 1) >= all * MIN_GROUND_SHARE;
  const light = sum(ground + MIN_CONTRAST, 256);
  // Dark paper has dark text: it is no negative.
  const isLightOnDark = light > sum(0, ground - MIN_CONTRAST) && light <= all * MAX_LIGHT_SHARE;
  if (!isBare || !isLightOnDark) return undefined;
  const data = new Uint8Array(raster.data.length);
  for (let at = 0; at < data.length; at++) data[at] = 255 - (raster.data[at] ?? 0);
  return { ...raster, data };
}
