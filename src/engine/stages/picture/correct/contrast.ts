import { findInk, findPaper } from '../find/paper.js';
import type { Raster } from '../raster.js';

/** Where paper and ink are nearer than this, print has faded: lines, grounds and letters that were missed are told by how dark they are. */
const LEAST_CONTRAST = 150;
/** The shades of ink and paper in what is made as dark as any other print. */
export const BLACK = 20;
export const WHITE = 245;

/** The picture with faded print as dark as any other; undefined where it is dark enough. */
export function darkenFaded(raster: Raster): Raster | undefined {
  const paper = findPaper(raster);
  const ink = findInk(raster);
  if (paper - ink >= LEAST_CONTRAST || paper <= ink) return undefined;
  const shades = Uint8Array.from({ length: 256 }, (_, shade) => {
    const even = BLACK + ((shade - ink) * (WHITE - BLACK)) / (paper - ink);
    return Math.min(255, Math.max(0, Math.round(even)));
  });
  const data = new Uint8Array(raster.data.length);
  for (let at = 0; at < data.length; at++) data[at] = shades[raster.data[at] ?? 0] ?? 0;
  return { ...raster, data };
}
