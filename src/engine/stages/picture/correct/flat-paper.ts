import { findPaper, isEvenPaper } from '../find/paper.js';
import type { Raster } from '../raster.js';

/** Largest difference of the grain of even paper from its shade. Pale print differs by more. */
const MAX_GRAIN = 12;

/**
 * Makes even paper white. Tesseract stretches the contrast of a line by the lightest and darkest places along its middle
 * (`ComputeBlackWhite` in networkio.cpp): where wide gaps part a few cells, most of these are grain, which then becomes as
 * dark as print.
 */
export function flattenPaper(raster: Raster): Raster {
  if (!isEvenPaper(raster)) return raster;
  const least = findPaper(raster) - MAX_GRAIN;
  return { ...raster, data: raster.data.map((shade) => (shade >= least ? 255 : shade)) };
}
