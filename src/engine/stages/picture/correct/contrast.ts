import { findInk, findPaper } from '../find/paper.js';
import type { Raster } from '../raster.js';

/** Difference of paper and ink below which print counts as faded. Rules, fields and missed letters are found by how dark they are. */
const MIN_CONTRAST = 150;
/** Shades of ink and paper in the corrected picture. */
export const BLACK = 20;
export const WHITE = 245;

/** Makes faded print dark; undefined if the print is dark enough. */
export function darkenFaded(raster: Raster): Raster | undefined {
  const paper = findPaper(raster);
  const ink = findInk(raster);
  if (paper - ink >= MIN_CONTRAST || paper <= ink) return undefined;
  const shades = Uint8Array.from({ length: 256 }, (_, shade) => {
    const even = BLACK + ((shade - ink) * (WHITE - BLACK)) / (paper - ink);
    return Math.min(255, Math.max(0, Math.round(even)));
  });
  const data = new Uint8Array(raster.data.length);
  for (let at = 0; at < data.length; at++) data[at] = shades[raster.data[at] ?? 0] ?? 0;
  return { ...raster, data };
}
