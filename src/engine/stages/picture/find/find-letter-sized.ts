import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import { findPaper } from './paper.js';
import { findParts } from './parts.js';

/** Step from one examined row to the next. */
const ROW_STEP = 2;
/** Ink is darker than this share of the paper: letters on a tint are ink, the tint is not. */
const INK_SHARE = 0.6;
/** The same share for pale and coloured ink; with more, stains would count as ink. */
export const PALE_INK_SHARE = 0.75;
/** Sizes of letters by the size of the type: from those without an ascender to brackets, and as wide as several that touch. */
const MIN_HEIGHT_EM = 0.3;
const MAX_HEIGHT_EM = 1.5;
const MAX_WIDTH_EM = 4;
/** Share of ink in a letter's box. A fuller box is a bar, unless it is an upright one: l, I, 1. */
const MIN_FILLED_SHARE = 0.12;
const MAX_FILLED_SHARE = 0.92;
/** Strokes and letters of a page; more are a screen of dots or a photograph. */
const MAX_STROKES = 300_000;
const MAX_LETTERS = 10_000;

/** Finds ink of the size of letters, and returns its boxes. `size`: size of the type, in pixels; `ink`: share of the paper's shade below which pixels are ink. */
export function findLetterSized(raster: Raster, size: number, ink = INK_SHARE): Area[] {
  const parts = findParts(raster, findPaper(raster) * ink, { rowStep: ROW_STEP, maxRuns: MAX_STROKES });
  const letters = parts.filter(({ x0, y0, x1, y1, area }) => {
    const [width, height] = [x1 - x0, y1 - y0];
    if (height < size * MIN_HEIGHT_EM || height > size * MAX_HEIGHT_EM || width > size * MAX_WIDTH_EM) return false;
    const share = area / (width * height);
    return (
      share > MIN_FILLED_SHARE &&
      (share < MAX_FILLED_SHARE || (width * 2 < height && height > size * 0.45 && height < size))
    );
  });
  return letters.length > MAX_LETTERS ? [] : letters;
}
