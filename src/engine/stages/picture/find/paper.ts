import type { Raster } from '../raster.js';

/** Share of the pixels that are darker than paper. */
const PAPER_SHARE = 0.6;
/** Step from one examined pixel to the next: a page has millions. */
const STEP_PX = 7;

/** Returns the shade of the paper, which most of a page has. */
export const findPaper = (raster: Raster): number => shadeAbove(raster, PAPER_SHARE);

/** Share of the darkest pixels that letters, lines and small pictures do not reach. */
const DRAWN_SHARE = 0.35;
/** Variation of the paper in a picture that a program drew and JPEG compressed; the paper of a scan varies more. */
const MAX_PAPER_VARIATION = 4;

/** True when the paper has a single shade, as a program draws it. Then even slightly darker pixels are drawn. */
export const isEvenPaper = (raster: Raster): boolean =>
  findPaper(raster) - shadeAbove(raster, DRAWN_SHARE) <= MAX_PAPER_VARIATION;

/** Share of the darkest pixels that are ink; fewer may be specks. */
const INK_SHARE = 0.0005;

/** Returns the shade of the ink, if there is any. */
export const findInk = (raster: Raster): number => shadeAbove(raster, INK_SHARE);

/** Returns the shade below which `share` of the pixels are. */
export function shadeAbove({ data }: Raster, share: number): number {
  return findShade(countShades(data), Math.ceil(data.length / STEP_PX) * share);
}

/** Returns the shade that more than `pixels` pixels do not exceed. `counts`: pixels by shade. */
export function findShade(counts: Uint32Array, pixels: number): number {
  let left = pixels;
  for (let shade = 0; shade < 256; shade++) {
    left -= counts[shade] ?? 0;
    if (left < 0) return shade;
  }
  return 255;
}

/** Counts by picture: pixels of a picture do not change, and many finders need its paper. */
const countsByData = new WeakMap<Uint8Array, Uint32Array>();

/** Counts the examined pixels by shade. */
export function countShades(data: Uint8Array): Uint32Array {
  const known = countsByData.get(data);
  if (known !== undefined) return known;
  const counts = new Uint32Array(256);
  for (let at = 0; at < data.length; at += STEP_PX) {
    const shade = data[at] ?? 0;
    counts[shade] = (counts[shade] ?? 0) + 1;
  }
  countsByData.set(data, counts);
  return counts;
}
