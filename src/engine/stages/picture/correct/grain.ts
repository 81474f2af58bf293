import { findInk, shadeAbove } from '../find/paper.js';
import { medianRaster, type Raster } from '../raster.js';
import { BLACK, WHITE } from './contrast.js';

/** Side of the median filter: grain is finer. */
const MEDIAN_PX = 3;
const MEDIAN_SHARE = 0.5;
/** Share of the darkest pixels. In grain they are two standard deviations and more from the shade of the paper. */
const DARKEST_SHARE = 0.025;
/** Print is this many times as far from the paper's shade: five deviations. */
const PRINT_DISTANCE_RATIO = 2.5;
/** Shade of the palest print in the result. */
const PALEST_PRINT = 160;

/** Takes the grain of paper off a page with little print: a recogniser, which splits all shades into two, would see grain alone. */
export async function clearGrain(raster: Raster): Promise<Raster> {
  const smooth = await medianRaster(raster, MEDIAN_PX);
  const paper = shadeAbove(smooth, MEDIAN_SHARE);
  const print = paper - (paper - shadeAbove(smooth, DARKEST_SHARE)) * PRINT_DISTANCE_RATIO;
  const ink = findInk(smooth);
  const shades = Uint8Array.from({ length: 256 }, (_, shade) => {
    if (shade >= print) return WHITE;
    return Math.max(0, BLACK + ((shade - ink) * (PALEST_PRINT - BLACK)) / Math.max(1, print - ink));
  });
  return { ...smooth, data: smooth.data.map((shade) => shades[shade] ?? WHITE) };
}
