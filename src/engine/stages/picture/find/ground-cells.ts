import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';

/** A picture in cells, in rows from the top left; the last ones may reach beyond it. */
export interface Cells {
  /** Of a cell, in pixels. */
  size: number;
  columns: number;
  rows: number;
  /** Of the ground in each cell; NO_GROUND where it is as light as paper, or has more than one shade. */
  shades: Int16Array;
}

export const NO_GROUND = -1;

/** Along the long side: a cell is less than the space between two lines of small type. */
const CELLS = 440;
const LEAST_SIZE = 3;
/** Of the pixels each way. */
const STEP = 2;
/** Shades in a cell differ by this where there is nothing but noise in it. */
const MOST_NOISE = 44;
/** What is lighter than a lighter ground could not be told from it. */
const MOST_SHADE = 190;

export function findGroundCells(raster: Raster): Cells {
  const { data, width, height } = raster;
  const size = Math.max(LEAST_SIZE, Math.ceil(Math.max(width, height) / CELLS));
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const cells = { size, columns, rows, shades: new Int16Array(columns * rows).fill(NO_GROUND) };
  for (let cell = 0; cell < cells.shades.length; cell++) {
    const at = Math.floor(cell / columns) * size * width + (cell % columns) * size;
    // Of paper, one pixel tells enough.
    if ((data[at] ?? 0) > MOST_SHADE) continue;
    const shade = plainShade(raster, cells, cell);
    if (shade <= MOST_SHADE) cells.shades[cell] = shade;
  }
  return cells;
}

/** The shade of a cell that has one, but for noise; NO_GROUND of another. */
export function plainShade({ data, width, height }: Raster, { size, columns }: Cells, cell: number): number {
  const [x0, y0] = [(cell % columns) * size, Math.floor(cell / columns) * size];
  const [right, bottom] = [Math.min(width, x0 + size), Math.min(height, y0 + size)];
  let [lightest, darkest] = [0, 255];
  for (let y = y0; y < bottom; y += STEP) {
    for (let at = y * width + x0; at < y * width + right; at += STEP) {
      const shade = data[at] ?? 0;
      if (shade > lightest) lightest = shade;
      if (shade < darkest) darkest = shade;
    }
    if (lightest - darkest > MOST_NOISE) return NO_GROUND;
  }
  return (lightest + darkest) >> 1;
}

/** In pixels. */
export function boxOfCell({ size, columns }: Cells, cell: number): Area {
  const [x0, y0] = [(cell % columns) * size, Math.floor(cell / columns) * size];
  return { x0, y0, x1: x0 + size, y1: y0 + size };
}

/** The cell of a pixel. */
export const cellAt = ({ size, columns }: Cells, at: number, width: number): number =>
  Math.floor(Math.floor(at / width) / size) * columns + Math.floor((at % width) / size);

/** Are the cells on all sides of it marked, too? */
export function isAmid({ columns }: Cells, cell: number, marks: Uint8Array): boolean {
  const areMarked = (middle: number) => marks[middle - 1] !== 0 && marks[middle] !== 0 && marks[middle + 1] !== 0;
  return areMarked(cell - columns) && areMarked(cell) && areMarked(cell + columns);
}

/** Calls back for each pixel of a box that is in the picture. */
export function eachPixel({ width, height }: Raster, { x0, y0, x1, y1 }: Area, use: (at: number) => void): void {
  const [left, right, bottom] = [Math.max(0, x0), Math.min(width, x1), Math.min(height, y1)];
  for (let y = Math.max(0, y0); y < bottom; y++) for (let at = y * width + left; at < y * width + right; at++) use(at);
}
