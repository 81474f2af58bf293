import type { Area } from '../../../model/geometry.js';
import { type Cells, NO_GROUND } from './ground-cells.js';

/** Connected cells. */
export interface Region {
  cells: number[];
  /** Shade of the ground in each of the cells. */
  shades: number[];
  /** Bounding box, in cells. */
  box: Area;
}

/** Finds connected ground of at least `minCells` cells whose shades change by at most `maxStep` from neighbour to neighbour. */
export function takeRegions({ columns, shades }: Cells, maxStep: number, minCells: number): Region[] {
  const open = new Uint8Array(shades.length);
  // Uint8Array.from would take ten milliseconds for the cells of a page.
  for (let cell = 0; cell < open.length; cell++) if (shades[cell] !== NO_GROUND) open[cell] = 1;
  const isNext = (from: number, to: number) => Math.abs((shades[from] ?? 0) - (shades[to] ?? 0)) <= maxStep;
  const regions: Region[] = [];
  for (let start = 0; start < open.length; start++) {
    if (open[start] === 0) continue;
    const cells = flood(open, columns, start, isNext);
    if (cells.length < minCells) continue;
    regions.push({ cells, shades: cells.map((cell) => shades[cell] ?? 0), box: boxOf(cells, columns) });
  }
  return regions;
}

/** Returns the cells with the ground of these regions alone. */
export function onlyRegions(cells: Cells, regions: readonly Region[]): Cells {
  const shades = new Int16Array(cells.shades.length).fill(NO_GROUND);
  for (const region of regions)
    for (const [index, cell] of region.cells.entries()) shades[cell] = region.shades[index] ?? NO_GROUND;
  return { ...cells, shades };
}

/** Width of a bay as a share of the picture's: that of a word. A word that touches the edge of its ground is surrounded on two sides only. */
const MAX_BAY_SHARE = 1 / 10;
/** Mark of an open cell in a bay. */
const BAY = 2;

/** Finds the holes that a region surrounds; their shades are those of the ground to the left. */
export function findHoles({ columns }: Cells, { cells, shades, box }: Region): Region[] {
  // The rim connects all cells outside of the region.
  const [left, top] = [box.x0 - 1, box.y0 - 1];
  const [width, height] = [box.x1 - left + 1, box.y1 - top + 1];
  const open = new Uint8Array(width * height).fill(1);
  const under = new Int16Array(width * height).fill(NO_GROUND);
  for (const [index, cell] of cells.entries()) {
    const at = (Math.floor(cell / columns) - top) * width + (cell % columns) - left;
    open[at] = 0;
    under[at] = shades[index] ?? 0;
  }
  for (let at = 1; at < under.length; at++) if (under[at] === NO_GROUND) under[at] = under[at - 1] ?? 0;
  closeBays(open, width, columns * MAX_BAY_SHARE);
  flood(open, width, 0);
  for (let at = 0; at < open.length; at++) if (open[at] === BAY) open[at] = 1;
  const holes: Region[] = [];
  for (let start = 0; start < open.length; start++) {
    if (open[start] === 0) continue;
    const hole = flood(open, width, start);
    const own = hole.map((at) => (Math.floor(at / width) + top) * columns + (at % width) + left);
    holes.push({ cells: own, shades: hole.map((at) => under[at] ?? 0), box: boxOf(own, columns) });
  }
  return holes;
}

/** Marks the bays: cells between two parts of a region in one row. */
function closeBays(open: Uint8Array, width: number, maxWidth: number): void {
  let last = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < open.length; at++) {
    if (at % width === 0) last = Number.NEGATIVE_INFINITY;
    if (open[at] !== 0) continue;
    if (at - last <= maxWidth) open.fill(BAY, last + 1, at);
    last = at;
  }
}

/** Returns the open cells (1) that are connected with `start`, and closes them. */
function flood(
  open: Uint8Array,
  columns: number,
  start: number,
  isNext?: (from: number, to: number) => boolean,
): number[] {
  const cells = [start];
  open[start] = 0;
  const visit = (cell: number, next: number) => {
    if (open[next] !== 1 || (isNext !== undefined && !isNext(cell, next))) return;
    open[next] = 0;
    cells.push(next);
  };
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index] as number;
    const column = cell % columns;
    if (column > 0) visit(cell, cell - 1);
    if (column + 1 < columns) visit(cell, cell + 1);
    visit(cell, cell - columns);
    visit(cell, cell + columns);
  }
  return cells;
}

function boxOf(cells: readonly number[], columns: number): Area {
  const box = { x0: Number.POSITIVE_INFINITY, y0: Number.POSITIVE_INFINITY, x1: 0, y1: 0 };
  for (const cell of cells) {
    const [x, y] = [cell % columns, Math.floor(cell / columns)];
    if (x < box.x0) box.x0 = x;
    if (x >= box.x1) box.x1 = x + 1;
    if (y < box.y0) box.y0 = y;
    if (y >= box.y1) box.y1 = y + 1;
  }
  return box;
}
