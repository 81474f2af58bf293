import { RECOGNITION_LONG_SIDE } from './raster.js';

interface Size {
  width: number;
  height: number;
}

/** By its short side: what is longer is no page, but a screenshot of all that scrolls, a strip or a very long receipt. */
const LONGEST_PAGE = 3;
/** What A4 has at the long side that recognition is best at. */
const SHORT_SIDE = Math.round(RECOGNITION_LONG_SIDE / Math.SQRT2);
/** The picture and what is made of it take some 10 bytes a pixel. */
const MOST_PIXELS = 24e6;

/** Pages one below or beside the other: its text would be too small to be read if all of it had the length of one. */
export const isLong = ({ width, height }: Size): boolean =>
  Math.max(width, height) > LONGEST_PAGE * Math.min(width, height);

/**
 * By what a picture is to be scaled whose long side is given: a long one not as a whole, but as pages of its width, which are
 * drawn at `sharpest` at most.
 */
export function recognitionScale(size: Size, longSide: number, sharpest: number): number {
  const { width, height } = size;
  const whole = longSide / Math.max(width, height, 1);
  if (!isLong(size)) return whole;
  const asPages = Math.min(sharpest, SHORT_SIDE / Math.min(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
  return Math.max(whole, asPages);
}
