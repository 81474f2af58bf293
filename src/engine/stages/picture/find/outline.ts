import type { Raster } from '../raster.js';

/** Long side of the picture that is measured. */
export const MEASURED_SIDE = 750;
/** Difference of two shades, one above the other, that is an edge of ink. */
const LEAST_EDGE = 24;

/** What lines are measured by: the picture reduced, and its edges. */
export interface Outline {
  reduced: Raster;
  edges: Edges;
}

export interface Edges {
  /** From the middle of the picture. */
  x: Int16Array;
  y: Int16Array;
}

export function outlineOf(raster: Raster): Outline {
  const reduced = reduce(raster, Math.max(1, Math.floor(Math.max(raster.width, raster.height) / MEASURED_SIDE)));
  return { reduced, edges: findEdges(reduced) };
}

/** The same seen from the side: columns are rows. */
export function transposeOutline({ reduced }: Outline): Outline {
  const transposed = transpose(reduced);
  return { reduced: transposed, edges: findEdges(transposed) };
}

/** Every second of the edges, or fewer, where they are more. */
export function thinEdges({ x, y }: Edges, most: number): Edges {
  const step = Math.ceil(x.length / most);
  const isKept = (_: number, index: number) => index % step === 0;
  return step < 2 ? { x, y } : { x: x.filter(isKept), y: y.filter(isKept) };
}

/** How sharply lines and the white between them part, of what stands on each line. */
export function sumOfSquares(counts: Uint16Array | Uint32Array): number {
  let sum = 0;
  for (const count of counts) sum += count * count;
  return sum;
}

/** Where it is lighter below than above: the feet of letters. */
function findEdges({ data, width, height }: Raster): Edges {
  const x = new Int16Array(data.length);
  const y = new Int16Array(data.length);
  let count = 0;
  for (let row = 0; row + 1 < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      if ((data[at + width] ?? 0) - (data[at] ?? 0) < LEAST_EDGE) continue;
      x[count] = column - (width >> 1);
      y[count] = row;
      count++;
    }
  }
  return { x: x.slice(0, count), y: y.slice(0, count) };
}

/** Mean of `factor` by `factor` pixels. */
function reduce({ data, width, height }: Raster, factor: number): Raster {
  const [columns, rows] = [Math.floor(width / factor), Math.floor(height / factor)];
  const reduced = new Uint8Array(columns * rows);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      let sum = 0;
      for (let j = 0; j < factor; j++) {
        const row = (y * factor + j) * width + x * factor;
        for (let i = 0; i < factor; i++) sum += data[row + i] ?? 0;
      }
      reduced[y * columns + x] = sum / factor ** 2;
    }
  }
  return { data: reduced, width: columns, height: rows };
}

function transpose({ data, width, height }: Raster): Raster {
  const turned = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) turned[x * height + y] = data[y * width + x] ?? 0;
  }
  return { data: turned, width: height, height: width };
}
