import { boxOfCell, type Cells, eachPixel, NO_GROUND } from '../find/ground-cells.js';
import { findThreshold, hasShades } from '../find/paper.js';
import { onlyRegions, takeRegions } from '../find/regions.js';
import type { Raster } from '../raster.js';

/** Cells along the long side; a cell is larger than a letter. */
const CELLS = 48;
/** Step from one examined pixel of a cell to the next, each way. */
const STEP = 2;
/** Darkest shade of a ground with dark print; a darker one has light print. */
const MIN_SHADE = 150;
/** Difference of shades of one ground in a cell, and from cell to cell. */
const SAME_SHADE = 12;
/** Share of a cell that has the shade of its ground: the rest is print. Photographs have less. */
const MIN_PLAIN_SHARE = 0.35;
/** Area of a ground as a share of the picture. Smaller ones are boxes of drawings, or bars, which fields.ts finds by their sides. */
const MIN_AREA_SHARE = 0.04;
const WHITE = 245;

/**
 * Makes grounds as light as paper that a recogniser would take for ink, with all that is printed on them. It parts ink from
 * paper by one shade for the whole picture; if much of a page is a little darker than the rest, as a card on a sheet or a bar
 * beside a text, that shade lies between the two papers. Undefined if there are none, as on most pages.
 */
export function liftGrounds(raster: Raster): Raster | undefined {
  const threshold = findThreshold(raster);
  // A quick check: on most pages few pixels are lighter than ink and darker than that shade.
  if (!hasShades(raster, MIN_SHADE, threshold, MIN_AREA_SHARE)) return undefined;
  const cells = findCells(raster, threshold);
  const regions = takeRegions(cells, SAME_SHADE, Math.ceil(cells.shades.length * MIN_AREA_SHARE));
  if (regions.length === 0) return undefined;
  const { shades: grounds } = onlyRegions(cells, regions);
  const data = new Uint8Array(raster.data);
  for (let cell = 0; cell < grounds.length; cell++) {
    const ground = groundNear(grounds, cells.columns, cell);
    if (ground === NO_GROUND) continue;
    eachPixel(raster, boxOfCell(cells, cell), (at) => {
      const shade = raster.data[at] ?? 0;
      if (shade <= threshold) data[at] = Math.min(WHITE, (shade * WHITE) / ground);
    });
  }
  return { ...raster, data };
}

/** Finds the cells with a ground that is no lighter than `threshold`. */
function findCells(raster: Raster, threshold: number): Cells {
  const { width, height } = raster;
  const size = Math.ceil(Math.max(width, height) / CELLS);
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)];
  const cells = { size, columns, rows, shades: new Int16Array(columns * rows) };
  cells.shades.forEach((_, cell) => {
    cells.shades[cell] = groundOf(raster, cells, cell, threshold);
  });
  return cells;
}

/** Returns the shade of much of a cell, if it is that of a ground. */
function groundOf({ data, width, height }: Raster, cells: Cells, cell: number, threshold: number): number {
  const { x0, y0, x1, y1 } = boxOfCell(cells, cell);
  const counts = new Uint32Array(256);
  let all = 0;
  for (let y = y0; y < Math.min(height, y1); y += STEP) {
    for (let x = x0; x < Math.min(width, x1); x += STEP, all++) {
      const shade = data[y * width + x] ?? 0;
      counts[shade] = (counts[shade] ?? 0) + 1;
    }
  }
  const usual = counts.subarray(MIN_SHADE, threshold + 1);
  const shade = MIN_SHADE + usual.indexOf(Math.max(...usual));
  const alike = counts.subarray(shade - SAME_SHADE, shade + SAME_SHADE + 1).reduce((sum, count) => sum + count, 0);
  return alike >= all * MIN_PLAIN_SHARE ? shade : NO_GROUND;
}

/** Returns the ground of a cell, or of one beside it: large letters, and the edge of the ground, leave too little of it in their own. */
function groundNear(grounds: Int16Array, columns: number, cell: number): number {
  const column = cell % columns;
  for (const row of [0, -columns, columns]) {
    for (const step of [0, -1, 1]) {
      const ground = column + step < 0 || column + step >= columns ? NO_GROUND : grounds[cell + row + step];
      if (ground !== undefined && ground !== NO_GROUND) return ground;
    }
  }
  return NO_GROUND;
}
