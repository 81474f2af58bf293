import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';

/** A picture in cells, in rows from the top left; the last cells may reach beyond it. */
export interface Cells {
  /** Side of a cell, in pixels. */
  size: number;
  columns: number;
  rows: number;
  /** Shade of the ground in each cell; NO_GROUND for a cell as light as paper, or with several shades. */
  shades: Int16Array;
}

export const NO_GROUND = -1;

/** Cells along the long side: a cell is smaller than the space between two lines of small type. */
const CELLS = 440;
const MIN_SIZE_PX = 3;
/** Step from one examined pixel to the next, each way. */
const STEP = 2;
/** Difference of shades in a cell that is noise. */
const MAX_NOISE = 44;
/** Lightest ground: print that is lighter still could not be told from it. */
const MAX_SHADE = 190;

/** Finds the cells of a picture with a plain ground. */
export function findGroundCells(raster: Raster): Cells {
  const { data, width, height } = raster;
  const size = Math.max(MIN_SIZE_PX, Math.ceil(Math.max(width, height) / CELLS));
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const cells = { size, columns, rows, shades: new Int16Array(columns * rows).fill(NO_GROUND) };
  for (let cell = 0; cell < cells.shades.length; cell++) {
    const at = Math.floor(cell / columns) * size * width + (cell % columns) * size;
    // One pixel suffices to recognise paper.
    if ((data[at] ?? 0) > MAX_SHADE) continue;
    const shade = plainShade(raster, cells, cell);
    if (shade <= MAX_SHADE) cells.shades[cell] = shade;
  }
  return cells;
}

/** Returns the shade of a cell, or NO_GROUND if it has several. */
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
    if (lightest - darkest > MAX_NOISE) return NO_GROUND;
  }
  return (lightest + darkest) >> 1;
}

/** Returns the box of a cell, in pixels. */
export function boxOfCell({ size, columns }: Cells, cell: number): Area {
  const [x0, y0] = [(cell % columns) * size, Math.floor(cell / columns) * size];
  return { x0, y0, x1: x0 + size, y1: y0 + size };
}

/** Returns the cell of a pixel. */
export const cellAt = ({ size, columns }: Cells, at: number, width: number): number =>
  Math.floor(Math.floor(at / width) / size) * columns + Math.floor((at % width) / size);

/** True when the cell and those on all sides of it are marked. */
export function isSurrounded({ columns }: Cells, cell: number, marks: Uint8Array): boolean {
  const areMarked = (middle: number) => marks[middle - 1] !== 0 && marks[middle] !== 0 && marks[middle + 1] !== 0;
  return areMarked(cell - columns) && areMarked(cell) && areMarked(cell + columns);
}

/** Calls `use` for each pixel of a box that is in the picture. */
export function eachPixel({ width, height }: Raster, { x0, y0, x1, y1 }: Area, use: (at: number) => void): void {
  const [left, right, bottom] = [Math.max(0, x0), Math.min(width, x1), Math.min(height, y1)];
  for (let y = Math.max(0, y0); y < bottom; y++) for (let at = y * width + left; at < y * width + right; at++) use(at);
}
