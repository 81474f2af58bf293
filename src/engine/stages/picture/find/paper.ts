import type { Raster } from '../raster.js';

/** Share of the pixels that are darker than paper. */
const PAPER_SHARE = 0.6;
/** Step from one examined pixel to the next: a page has millions. */
const STEP_PX = 7;

/** Returns the shade of the paper, which most of a page has. */
export const findPaper = (raster: Raster): number => shadeAbove(raster, PAPER_SHARE);

/** Share of the darkest pixels that letters, lines and small pictures do not reach. */
const DRAWN_SHARE = 0.35;
/** Variation of the paper in a picture that a program drew and JPEG compressed, or in a good scan; that of a slip varies more. */
const MAX_PAPER_VARIATION = 4;

/** True when the paper has a single shade. Where a program drew it, even slightly darker pixels are drawn. */
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

/** True when a share of the pixels have these shades, both included. */
export function hasShades({ data }: Raster, from: number, to: number, share: number): boolean {
  const found = countShades(data).subarray(from, to + 1);
  return found.reduce((sum, count) => sum + count, 0) >= (data.length / STEP_PX) * share;
}

/**
 * Returns the shade up to which a recogniser takes pixels for ink: the one that parts them into the two classes with the largest
 * variance between them (Otsu, 1979).
 */
export function findThreshold({ data }: Raster): number {
  const counts = countShades(data);
  let [all, whole] = [0, 0];
  for (const [shade, count] of counts.entries()) [all, whole] = [all + count, whole + count * shade];
  let [below, weighed, largest, threshold] = [0, 0, 0, 0];
  for (const [shade, count] of counts.entries()) {
    [below, weighed] = [below + count, weighed + count * shade];
    const variance = (weighed * all - whole * below) ** 2 / (below * (all - below));
    if (variance > largest) [largest, threshold] = [variance, shade];
  }
  return threshold;
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
