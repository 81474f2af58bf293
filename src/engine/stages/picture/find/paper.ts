import type { Raster } from '../raster.js';

/** Paper's shade is brighter than that of this share of the pixels. */
const PAPER_SHARE = 0.6;
/** One pixel of so many is looked at: a page has millions. */
const STEP = 7;

/** The shade of the paper: most of a page is. */
export const findPaper = (raster: Raster): number => shadeAbove(raster, PAPER_SHARE);

/** Of the pixels, from the darkest: letters, lines and small pictures are fewer. */
const DRAWN_SHARE = 0.35;
/** By so much the paper differs in what a program drew and JPEG has compressed; that of a scan differs by more. */
const MOST_UNEVEN = 4;

/** Has the paper one shade alone, as in what a program drew? Then what is a little darker is drawn there too. */
export const isEvenPaper = (raster: Raster): boolean =>
  findPaper(raster) - shadeAbove(raster, DRAWN_SHARE) <= MOST_UNEVEN;

/** Of the pixels, the darkest are ink; fewer may be specks. */
const INK_SHARE = 0.0005;

/** The shade of the ink, where there is any. */
export const findInk = (raster: Raster): number => shadeAbove(raster, INK_SHARE);

/** The shade up to which more than this share of the pixels are, from the darkest. */
export function shadeAbove({ data }: Raster, share: number): number {
  const counts = countShades(data);
  let left = Math.ceil(data.length / STEP) * share;
  for (let shade = 0; shade < 256; shade++) {
    left -= counts[shade] ?? 0;
    if (left < 0) return shade;
  }
  return 255;
}

/** Pixels of a picture do not change, and what finds things in it asks for its paper again and again. */
const counted = new WeakMap<Uint8Array, Uint32Array>();

/** How many pixels have each shade, of those that are looked at. */
export function countShades(data: Uint8Array): Uint32Array {
  const known = counted.get(data);
  if (known !== undefined) return known;
  const counts = new Uint32Array(256);
  for (let at = 0; at < data.length; at += STEP) {
    const shade = data[at] ?? 0;
    counts[shade] = (counts[shade] ?? 0) + 1;
  }
  counted.set(data, counts);
  return counts;
}
