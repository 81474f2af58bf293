import { type Area, sizeOfArea } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import type { Raster } from '../raster.js';
import { NO_GROUND } from './ground-cells.js';
import { findPaper } from './paper.js';
import { type Region, takeRegions } from './regions.js';

/** Cells along the long side: a cell is smaller than the margin of a column's text. */
const CELLS = 220;
/** Pixels examined in a cell, each way. */
const SAMPLES = 5;

/** Returns a picture in small without its print, which is less than half of a cell: each pixel is the middle shade of one. */
export function shrinkGround({ data, width, height }: Raster): { ground: Raster; size: number } {
  const size = Math.max(SAMPLES, Math.round(Math.max(width, height) / CELLS));
  const [columns, rows] = [Math.floor(width / size), Math.floor(height / size)];
  const places = Array.from({ length: SAMPLES }, (_, index) => Math.floor(((index + 0.5) * size) / SAMPLES));
  const offsets = Int32Array.from(places.flatMap((y) => places.map((x) => y * width + x)));
  const ground = new Uint8Array(columns * rows);
  const shades = new Uint8Array(offsets.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * size * width + column * size;
      for (let index = 0; index < offsets.length; index++) shades[index] = data[at + (offsets[index] ?? 0)] ?? 0;
      ground[row * columns + column] = shades.sort()[shades.length >> 1] ?? 0;
    }
  }
  return { ground: { data: ground, width: columns, height: rows }, size };
}

/** Difference of a column's shade and the paper's. */
const MIN_CONTRAST = 6;
/** Change of shade from cell to cell within a column, and difference from its middle shade. */
const MAX_STEP = 3;
const SAME_SHADE = 4;
/** Sizes of a column by the long side of the page, and its width by that of the page: there is text beside it. */
const MIN_HEIGHT_SHARE = 1 / 10;
const MIN_WIDTH_SHARE = 1 / 16;
const MAX_WIDTH_SHARE = 1 / 2;
/** Share of a column that shows its ground: the rest is bold print, or a picture. */
const MIN_GROUND_SHARE = 0.75;
/** Share of a side in one shade, and share of the cells beyond it that are paper. */
const MIN_SIDE_SHARE = 0.85;
/** Lean of a side, in cells, and width of its blur. */
const MAX_LEAN = 4;
const BLUR = 2;

/**
 * Finds high rectangles in one shade that is darker than the paper around them, as the ground of a side bar is, in a
 * picture without its print. Shadows have soft edges, and photographs many shades.
 */
export function findTintedColumns(ground: Raster): Area[] {
  const { data, width: columns, height: rows } = ground;
  const long = Math.max(columns, rows);
  const [minHeight, minWidth] = [long * MIN_HEIGHT_SHARE, long * MIN_WIDTH_SHARE];
  const paper = findPaper(ground);
  const shades = Int16Array.from(data, (shade) => (shade > paper - MIN_CONTRAST ? NO_GROUND : shade));
  return takeRegions({ size: 1, columns, rows, shades }, MAX_STEP, minHeight * minWidth * MIN_GROUND_SHARE)
    .filter(({ box: { x0, y0, x1, y1 } }) => {
      const width = x1 - x0;
      return y1 - y0 >= minHeight && width >= minWidth && width <= columns * MAX_WIDTH_SHARE;
    })
    .filter((region) => isColumn(ground, paper, region))
    .map(({ box }) => box);
}

function isColumn({ data, width, height }: Raster, paper: number, { cells, shades, box }: Region): boolean {
  const { x0, y0, x1, y1 } = box;
  const middle = median(shades) ?? 0;
  const own = new Uint8Array(data.length);
  for (const [index, cell] of cells.entries()) if (Math.abs((shades[index] ?? 0) - middle) <= SAME_SHADE) own[cell] = 1;
  const isOwn = (cell: number) => own[cell] === 1;
  const isPaper = (cell: number) => (data[cell] ?? 0) > (paper + middle) / 2;
  const shareOf = (area: Area, counts: (cell: number) => boolean) => {
    let count = 0;
    for (let y = area.y0; y < area.y1; y++) for (let x = area.x0; x < area.x1; x++) if (counts(y * width + x)) count++;
    return count / sizeOfArea(area);
  };
  const across = (y: number): Area => ({ x0, y0: y, x1, y1: y + 1 });
  const down = (x: number): Area => ({ x0: x, y0, x1: x + 1, y1 });
  /** `at`: the outermost cells of the side; `inwards`: 1 or -1; `end`: that of the picture. */
  const isSide = (stripAt: (at: number) => Area, at: number, inwards: number, end: number) => {
    const within = Array.from({ length: MAX_LEAN }, (_, index) => stripAt(at + index * inwards));
    const beyond = at - BLUR * inwards;
    return (
      within.some((strip) => shareOf(strip, isOwn) >= MIN_SIDE_SHARE) &&
      (beyond < 0 || beyond >= end || shareOf(stripAt(beyond), isPaper) >= MIN_SIDE_SHARE)
    );
  };
  return (
    shareOf(box, isOwn) >= MIN_GROUND_SHARE &&
    isSide(down, x0, 1, width) &&
    isSide(down, x1 - 1, -1, width) &&
    isSide(across, y0, 1, height) &&
    isSide(across, y1 - 1, -1, height)
  );
}
