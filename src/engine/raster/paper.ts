import type { Raster } from './raster.js';

/** Paper's shade is brighter than that of this share of the pixels. */
const PAPER_SHARE = 0.6;
/** Of so many pixels one is looked at for it: a page has millions. */
const PAPER_STEP = 7;

/** The shade of the paper: most of a page is. */
export function findPaper({ data }: Raster): number {
  const counts = new Uint32Array(256);
  let all = 0;
  for (let at = 0; at < data.length; at += PAPER_STEP, all++) {
    const shade = data[at] ?? 0;
    counts[shade] = (counts[shade] ?? 0) + 1;
  }
  let seen = 0;
  for (let shade = 0; shade < 256; shade++) {
    seen += counts[shade] ?? 0;
    if (seen > all * PAPER_SHARE) return shade;
  }
  return 255;
}
