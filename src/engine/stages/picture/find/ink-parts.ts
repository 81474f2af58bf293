import type { Area } from '../../../model/geometry.js';
import { pixelsOf, type Raster } from '../raster.js';
import { findShade } from './paper.js';
import { findParts, type Part } from './parts.js';

/** Shares of the pixels of an area that are darker than its ink, and than its paper, and the difference of both. */
const INK_SHARE = 0.02;
const PAPER_SHARE = 0.8;
const MIN_CONTRAST = 30;

/** Finds the connected ink in an area of the size of a word, whose shades tell ink from paper; none without contrast. */
export function findInkParts(raster: Raster, area: Area): Part[] {
  const { data, width } = raster;
  const searched = pixelsOf(raster, area);
  const { x0, y0, x1, y1 } = searched;
  const counts = new Uint32Array(256);
  for (let y = y0; y < y1; y++) {
    for (let at = y * width + x0; at < y * width + x1; at++) {
      const shade = data[at] ?? 0;
      counts[shade] = (counts[shade] ?? 0) + 1;
    }
  }
  const pixels = (x1 - x0) * (y1 - y0);
  const [ink, paper] = [findShade(counts, pixels * INK_SHARE), findShade(counts, pixels * PAPER_SHARE)];
  if (paper - ink < MIN_CONTRAST) return [];
  return findParts(raster, (ink + paper) / 2, { area: searched });
}
