import { RECOGNITION_LONG_SIDE } from './raster.js';

interface Size {
  width: number;
  height: number;
}

/** Long side by short side. A longer picture is no page but a screenshot of a scrolling page, a strip or a very long receipt. */
const MAX_PAGE_ASPECT = 3;
/** Short side of A4, in pixels, if its long side is RECOGNITION_LONG_SIDE. */
const PAGE_SHORT_SIDE = Math.round(RECOGNITION_LONG_SIDE / Math.SQRT2);
/** Bounds memory: a picture and its copies take about 10 bytes a pixel. */
const MAX_PIXELS = 24e6;

/** True when a picture is as long as several pages. Scaled to the length of one page, its text would be too small to read. */
export const isLong = ({ width, height }: Size): boolean =>
  Math.max(width, height) > MAX_PAGE_ASPECT * Math.min(width, height);

/**
 * Returns the factor that scales a picture to `longSide`. A long picture is scaled as pages of its width are, by
 * `maxPageFactor` at most.
 */
export function recognitionScale(size: Size, longSide: number, maxPageFactor: number): number {
  const { width, height } = size;
  const wholeFactor = longSide / Math.max(width, height, 1);
  if (!isLong(size)) return wholeFactor;
  const pageFactor = Math.min(
    maxPageFactor,
    PAGE_SHORT_SIDE / Math.min(width, height),
    Math.sqrt(MAX_PIXELS / (width * height)),
  );
  return Math.max(wholeFactor, pageFactor);
}
