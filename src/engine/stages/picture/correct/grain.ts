import { findInk, shadeAbove } from '../find/paper.js';
import { medianRaster, type Raster } from '../raster.js';
import { BLACK, WHITE } from './contrast.js';

/** Side of the square whose middle shade each pixel gets: grain is finer. */
const GRAIN = 3;
const HALF = 0.5;
/** Of the pixels, from the darkest. In grain they are two standard deviations and more from the shade of the paper. */
const DARKEST = 0.025;
/** So many times as far from it is print: five deviations. */
const BEYOND = 2.5;
/** The shade that the palest print gets. */
const LIGHTEST = 160;

/** Little print on much paper, with the grain of that taken off: a recogniser, which parts all shades into two, sees grain alone. */
export async function clearGrain(raster: Raster): Promise<Raster> {
  const smooth = await medianRaster(raster, GRAIN);
  const paper = shadeAbove(smooth, HALF);
  const print = paper - (paper - shadeAbove(smooth, DARKEST)) * BEYOND;
  const ink = findInk(smooth);
  const shades = Uint8Array.from({ length: 256 }, (_, shade) => {
    if (shade >= print) return WHITE;
    return Math.max(0, BLACK + ((shade - ink) * (LIGHTEST - BLACK)) / Math.max(1, print - ink));
  });
  return { ...smooth, data: smooth.data.map((shade) => shades[shade] ?? WHITE) };
}
