import type { Area } from '../../../model/geometry.js';
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
  const grid = measurePaper(raster, { cells: CELLS, share: PAPER_SHARE, reach: 0 });
  const at = shadesOf(grid);
  if (at(darkerShare) >= at(LIGHTER_SHARE) * minEvenness || at(darkerShare) < MIN_PAPER_SHADE) return undefined;
  return scaleByPaper(raster, grid);
}

/** Cells along the long side of a printed ground. They are as fine as its pattern, and each is measured with half of its neighbours. */
const GROUND: Sampling = { cells: 69, share: 0.5, reach: 0.5 };
/** A cell is darker than the lighter ones if it has less than this share of their shade. */
const MAX_DARKER_SHADE = 0.9;
/** Share of darker cells on a printed ground. 50 receipts and scans have .25 and less, but for one with .39; 17 of 22 cards .26 and more. */
const MIN_DARKER_CELLS = 0.255;

/** Takes a printed ground, like that of an identity card, off a picture; undefined if the ground is plain. */
export function evenGround(raster: Raster): Raster | undefined {
  const grid = measurePaper(raster, GROUND);
  const lighter = shadesOf(grid)(LIGHTER_SHARE);
  const darker = grid.paper.filter((shade) => shade < lighter * MAX_DARKER_SHADE).length;
  return darker < grid.paper.length * MIN_DARKER_CELLS ? undefined : scaleByPaper(raster, grid);
}

/** How the paper of a picture is measured. */
interface Sampling {
  /** Number of cells along the long side. */
  cells: number;
  /** Share of a cell's pixels that are darker than its paper. */
  share: number;
  /** Width of the neighbourhood that counts too, by the size of a cell. */
  reach: number;
}

/** The shade of the paper in each cell of a picture. */
interface PaperGrid {
  size: number;
  columns: number;
  rows: number;
  paper: Float32Array;
}

function measurePaper(raster: Raster, { cells, share, reach }: Sampling): PaperGrid {
  const { width, height } = raster;
  const size = Math.max(8, Math.ceil(Math.max(width, height) / cells));
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const margin = Math.round(size * reach);
  const paper = Float32Array.from({ length: columns * rows }, (_, index) => {
    const [x, y] = [(index % columns) * size, Math.floor(index / columns) * size];
    return paperOf(raster, { x0: x - margin, y0: y - margin, x1: x + size + margin, y1: y + size + margin }, share);
  });
  return { size, columns, rows, paper };
}

/** Returns a function that gives the shade below which a share of the cells is. */
function shadesOf({ paper }: PaperGrid): (share: number) => number {
  const sorted = [...paper].sort((a, b) => a - b);
  return (share) => sorted[Math.floor(share * (sorted.length - 1))] ?? WHITE;
}

/** Scales every shade by the paper around it. */
function scaleByPaper({ data, width, height }: Raster, { size, columns, rows, paper }: PaperGrid): Raster {
  const even = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    const cellY = Math.min(rows - 1, Math.max(0, y / size - 0.5));
    const [top, bottom] = [Math.floor(cellY), Math.min(rows - 1, Math.floor(cellY) + 1)];
    for (let x = 0; x < width; x++) {
      const cellX = Math.min(columns - 1, Math.max(0, x / size - 0.5));
      const left = Math.floor(cellX);
      const right = Math.min(columns - 1, left + 1);
      const fx = cellX - left;
      const fy = cellY - top;
      const upper = (paper[top * columns + left] ?? 0) * (1 - fx) + (paper[top * columns + right] ?? 0) * fx;
      const lower = (paper[bottom * columns + left] ?? 0) * (1 - fx) + (paper[bottom * columns + right] ?? 0) * fx;
      const light = Math.max(MIN_PAPER_SHADE, upper * (1 - fy) + lower * fy);
      even[y * width + x] = Math.min(255, ((data[y * width + x] ?? 0) * WHITE) / light);
    }
  }
  return { data: even, width, height };
}

function paperOf({ data, width, height }: Raster, { x0, y0, x1, y1 }: Area, share: number): number {
  const counts = new Uint32Array(256);
  let all = 0;
  for (let y = Math.max(0, y0); y < Math.min(height, y1); y += 2) {
    for (let x = Math.max(0, x0); x < Math.min(width, x1); x += 2) {
      const shade = data[y * width + x] ?? 0;
      counts[shade] = (counts[shade] ?? 0) + 1;
      all++;
    }
  }
  let count = 0;
  for (let shade = 0; shade < 256; shade++) {
    count += counts[shade] ?? 0;
    if (count >= all * share) return shade;
  }
  return 255;
}
