import type { Raster } from '../raster.js';

/** Cells along the long side in which the light is measured: a few lines of text each. */
const CELLS = 24;
/** A shade that is lighter than so much of a cell is its paper. */
const PAPER_SHARE = 0.85;
/** What light is taken for uneven. */
interface Unevenness {
  /** Paper of the darker cells, by paper of the lighter ones: below this the light is uneven enough to lose text. */
  least: number;
  /** Share of the cells that count as the darker ones. */
  darker: number;
}
const OF_PAGES: Unevenness = { least: 0.75, darker: 0.15 };
/** No scanner has lit a photograph, in which a narrow shadow, as of a binding, is none of the tints of a page. */
export const OF_PHOTOGRAPHS: Unevenness = { least: 0.85, darker: 0.05 };
/** Share of the cells that do not count as the lighter ones. */
const LIGHTER = 0.85;
/** Darker than this is not paper in shadow but a picture, a desk or a black field. */
const LEAST_PAPER = 40;
const WHITE = 245;

/**
 * Takes a shadow off a page: every shade is put in relation to the paper around it. Undefined where the light is even,
 * as on most pages: there it would only bring out stains.
 */
export function evenLight(raster: Raster, { least, darker } = OF_PAGES): Raster | undefined {
  const { data, width, height } = raster;
  const size = Math.max(8, Math.ceil(Math.max(width, height) / CELLS));
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const paper = Float32Array.from({ length: columns * rows }, (_, index) =>
    paperOf(raster, (index % columns) * size, Math.floor(index / columns) * size, size),
  );
  const sorted = [...paper].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? WHITE;
  if (at(darker) >= at(LIGHTER) * least || at(darker) < LEAST_PAPER) return undefined;
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
      const light = Math.max(LEAST_PAPER, upper * (1 - fy) + lower * fy);
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
  let seen = 0;
  for (let shade = 0; shade < 256; shade++) {
    seen += counts[shade] ?? 0;
    if (seen >= all * PAPER_SHARE) return shade;
  }
  return 255;
}
