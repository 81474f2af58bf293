import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import { findPaper } from './paper.js';
import { type Part, PartCollector } from './parts.js';

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
/** Reach of a word's ink beyond its box, by the size of the type. */
const MARGIN_EM = 0.12;
/** Strokes and letters of a page; more are a screen of dots or a photograph. */
const MAX_STROKES = 300_000;
const MAX_LETTERS = 10_000;

/** Finds ink of the size of letters outside of the `covered` boxes, and returns its boxes. `size`: size of the type, in pixels. */
export function findUncovered(raster: Raster, covered: readonly Area[], size: number, ink = INK_SHARE): Area[] {
  const letters = findParts(raster, covered, size, ink).filter(({ x0, y0, x1, y1, area }) => {
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

function findParts(raster: Raster, covered: readonly Area[], size: number, ink: number): Part[] {
  const { data, width, height } = raster;
  const dark = findPaper(raster) * ink;
  const hidden = cover(raster, covered, size * MARGIN_EM);
  const collector = new PartCollector(ROW_STEP);
  for (let y = 0; y < height; y += ROW_STEP) {
    const start = y * width;
    const mask = (y / ROW_STEP) * width;
    for (let x = 0; x < width; x++) {
      if ((data[start + x] ?? 255) >= dark || hidden[mask + x] === 1) continue;
      const from = x;
      while (x < width && (data[start + x] ?? 255) < dark && hidden[mask + x] === 0) x++;
      collector.addRun(from, x, y);
    }
    if (collector.runCount > MAX_STROKES) return [];
    collector.endRow();
  }
  return collector.parts();
}

/** Marks each pixel in a box with 1, in the examined rows. */
function cover({ width, height }: Raster, boxes: readonly Area[], margin: number): Uint8Array {
  const rows = Math.ceil(height / ROW_STEP);
  const hidden = new Uint8Array(width * rows);
  for (const { x0, y0, x1, y1 } of boxes) {
    const [from, to] = [Math.max(0, Math.floor(x0 - margin)), Math.min(width, Math.ceil(x1 + margin))];
    const last = Math.min(rows - 1, Math.floor((y1 + margin) / ROW_STEP));
    for (let row = Math.max(0, Math.floor((y0 - margin) / ROW_STEP)); row <= last; row++)
      hidden.fill(1, row * width + from, row * width + to);
  }
  return hidden;
}
