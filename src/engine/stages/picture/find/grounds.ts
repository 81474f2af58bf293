import type { Raster } from '../raster.js';

/** A picture without its print: the lightest shade in each of its cells, in rows from the top left. */
export interface Grounds {
  shades: Uint8Array;
  columns: number;
  rows: number;
}

/** Thickness of letters and lines: thinner print disappears, whole pictures do not. */
const MAX_PRINT_CELLS = 2;
/** Step from one examined pixel to the next, each way. */
const STEP = 2;

/** Returns the grounds in cells of `size` pixels; a remainder at the right and at the foot is left out. */
export function findGrounds(raster: Raster, size: number): Grounds {
  const [columns, rows] = [Math.floor(raster.width / size), Math.floor(raster.height / size)];
  const shades = Uint8Array.from({ length: columns * rows }, (_, at) =>
    lightestIn(raster, (at % columns) * size, Math.floor(at / columns) * size, size),
  );
  const lighter = spread({ shades, columns, rows }, Math.max);
  return spread(lighter, Math.min);
}

/** Returns the lightest shade in a square of the picture. */
export function lightestIn({ data, width }: Raster, x0: number, y0: number, size: number): number {
  let lightest = 0;
  for (let y = y0; y < y0 + size; y += STEP) {
    for (let at = y * width + x0; at < y * width + x0 + size; at += STEP) {
      const shade = data[at] ?? 0;
      if (shade > lightest) lightest = shade;
    }
  }
  return lightest;
}

export function transposeGrounds({ shades, columns, rows }: Grounds): Grounds {
  const transposed = shades.map((_, at) => shades[(at % rows) * columns + Math.floor(at / rows)] ?? 0);
  return { shades: transposed, columns: rows, rows: columns };
}

/** Replaces every cell by the one around it that `pick` chooses: the lightest, and then the darkest, removes the print. */
function spread(grounds: Grounds, pick: (a: number, b: number) => number): Grounds {
  const along = transposeGrounds(spreadAlong(grounds, pick));
  return transposeGrounds(spreadAlong(along, pick));
}

function spreadAlong({ shades, columns, rows }: Grounds, pick: (a: number, b: number) => number): Grounds {
  const spread = shades.map((shade, at) => {
    const column = at % columns;
    let picked = shade;
    for (let step = -Math.min(MAX_PRINT_CELLS, column); step <= Math.min(MAX_PRINT_CELLS, columns - 1 - column); step++)
      picked = pick(picked, shades[at + step] ?? picked);
    return picked;
  });
  return { shades: spread, columns, rows };
}
