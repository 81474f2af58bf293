import { type Raster, reduceRaster } from '../raster.js';

/** Long side of the reduced picture that is measured, in pixels. */
export const MEASURED_SIDE = 750;
/** Difference of two pixels, one above the other, that is an edge of ink. */
const MIN_EDGE = 24;

/** The input of measuring lines: the reduced picture and its edges. */
export interface Outline {
  reduced: Raster;
  edges: Edges;
}

export interface Edges {
  /** Column, from the middle of the picture. */
  x: Int16Array;
  y: Int16Array;
}

export function outlineOf(raster: Raster): Outline {
  const reduced = reduceRaster(raster, Math.max(1, Math.floor(Math.max(raster.width, raster.height) / MEASURED_SIDE)));
  return { reduced, edges: findEdges(reduced) };
}

/** Swaps rows and columns of an outline. */
export function transposeOutline({ reduced }: Outline): Outline {
  const transposed = transpose(reduced);
  return { reduced: transposed, edges: findEdges(transposed) };
}

/** Returns a regular sample of at most `maxCount` edges. */
export function thinEdges({ x, y }: Edges, maxCount: number): Edges {
  const step = Math.ceil(x.length / maxCount);
  const isKept = (_: number, index: number) => index % step === 0;
  return step < 2 ? { x, y } : { x: x.filter(isKept), y: y.filter(isKept) };
}

/** Measures how sharply lines and the white between them separate, from the number of edges on each line. */
export function sumOfSquares(counts: Uint16Array | Uint32Array): number {
  let sum = 0;
  for (const count of counts) sum += count * count;
  return sum;
}

/** Finds the pixels with a lighter one below: the feet of letters. */
function findEdges({ data, width, height }: Raster): Edges {
  const x = new Int16Array(data.length);
  const y = new Int16Array(data.length);
  let count = 0;
  for (let row = 0; row + 1 < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      if ((data[at + width] ?? 0) - (data[at] ?? 0) < MIN_EDGE) continue;
      x[count] = column - (width >> 1);
      y[count] = row;
      count++;
    }
  }
  return { x: x.slice(0, count), y: y.slice(0, count) };
}

function transpose({ data, width, height }: Raster): Raster {
  const turned = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) turned[x * height + y] = data[y * width + x] ?? 0;
  }
  return { data: turned, width: height, height: width };
}
