import type { Raster } from '../raster.js';

/** Cells along the long side. The light is measured in each; a cell holds a few lines of text. */
const CELLS = 24;
/** Share of a cell's pixels that are darker than its paper. */
const PAPER_SHARE = 0.85;
/** The bounds of uneven light. */
interface Unevenness {
  /** Paper of the darker cells by paper of the lighter ones. Below this, the light is so uneven that text is lost. */
  minEvenness: number;
  /** Share of the cells that count as the darker ones. */
  darkerShare: number;
}
const PAGE_LIGHT: Unevenness = { minEvenness: 0.75, darkerShare: 0.15 };
/** Stricter bounds: no scanner lit a photograph, and a narrow dark part is a shadow, as of a binding, and not a tint of the page. */
export const PHOTOGRAPH_LIGHT: Unevenness = { minEvenness: 0.85, darkerShare: 0.05 };
/** Share of the cells below the lighter ones. */
const LIGHTER_SHARE = 0.85;
/** Darkest shade of paper in shadow. A darker one is a picture, a desk or a black field. */
const MIN_PAPER_SHADE = 40;
const WHITE = 245;

/**
 * Takes a shadow off a page: every shade is scaled by the paper around it. Undefined if the light is even, as on most
 * pages: there the correction would only bring out stains.
 */
export function evenLight(raster: Raster, { minEvenness, darkerShare } = PAGE_LIGHT): Raster | undefined {
  const { data, width, height } = raster;
  const size = Math.max(8, Math.ceil(Math.max(width, height) / CELLS));
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const paper = Float32Array.from({ length: columns * rows }, (_, index) =>
    paperOf(raster, (index % columns) * size, Math.floor(index / columns) * size, size),
  );
  const sorted = [...paper].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? WHITE;
  if (at(darkerShare) >= at(LIGHTER_SHARE) * minEvenness || at(darkerShare) < MIN_PAPER_SHADE) return undefined;
  const even = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    const cellY = Math.min(rows - 1, Math.max(0, y / size - 0.5));
    const [top, bottom] = [Math.floor(cellY), Math.min(rows - 1, Math.floor(cellY) + 1)];
    for (let x = 0; x < width; x++) {
      const cellX = Math.min(columns - 1, Math.max(0, x / size - 0.5));
      const [left, right] = [Math.floor(cellX), Math.min(columns - 1, Math.floor(cellX) + 1)];
      const [fx, fy] = [cellX - left, cellY - top];
      const upper = (paper[top * columns + left] ?? 0) * (1 - fx) + (paper[top * columns + right] ?? 0) * fx;
      const lower = (paper[bottom * columns + left] ?? 0) * (1 - fx) + (paper[bottom * columns + right] ?? 0) * fx;
      const light = Math.max(MIN_PAPER_SHADE, upper * (1 - fy) + lower * fy);
      even[y * width + x] = Math.min(255, ((data[y * width + x] ?? 0) * WHITE) / light);
    }
  }
  return { data: even, width, height };
}

function paperOf({ data, width, height }: Raster, x0: number, y0: number, size: number): number {
  const counts = new Uint32Array(256);
  let all = 0;
  for (let y = y0; y < Math.min(height, y0 + size); y += 2) {
    for (let x = x0; x < Math.min(width, x0 + size); x += 2) {
      const shade = data[y * width + x] ?? 0;
      counts[shade] = (counts[shade] ?? 0) + 1;
      all++;
    }
  }
  let count = 0;
  for (let shade = 0; shade < 256; shade++) {
    count += counts[shade] ?? 0;
    if (count >= all * PAPER_SHARE) return shade;
  }
  return 255;
}
