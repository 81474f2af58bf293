import type { Raster } from './raster.js';

/** Paper's shade is brighter than that of this share of the pixels. */
const PAPER_SHARE = 0.6;
/** One pixel of so many is looked at: a page has millions. */
const STEP = 7;

/** The shade of the paper: most of a page is. */
export const findPaper = (raster: Raster): number => shadeAbove(raster, PAPER_SHARE);

/** The shade up to which more than this share of the pixels are, from the darkest. */
export function shadeAbove({ data }: Raster, share: number): number {
  const counts = new Uint32Array(256);
  for (let at = 0; at < data.length; at += STEP) {
    const shade = data[at] ?? 0;
    counts[shade] = (counts[shade] ?? 0) + 1;
  }
  let left = Math.ceil(data.length / STEP) * share;
  for (let shade = 0; shade < 256; shade++) {
    left -= counts[shade] ?? 0;
    if (left < 0) return shade;
  }
  return 255;
}
