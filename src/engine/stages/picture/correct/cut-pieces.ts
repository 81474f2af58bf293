import { type Raster, RECOGNITION_LONG_SIDE } from '../raster.js';

/** A part of a picture that goes from edge to edge of its short side. */
export interface Piece {
  raster: Raster;
  /** Its place, in pixels of the whole picture. */
  x0: number;
  y0: number;
}

/** A piece is at most so many pixels long, and at least so many, but for the last one. */
const MOST_LENGTH = RECOGNITION_LONG_SIDE;
const LEAST_LENGTH = MOST_LENGTH / 2;
/** Neighbours that differ by more are the edge of a letter, and not the grain of paper. */
const LEAST_EDGE = 24;

/**
 * Cuts a picture that is much longer than a page to pieces with the shape of one, each where least stands at the cut: in the
 * widest gap between lines, or between the words of one long line. A picture that has the size of a page is one piece.
 */
export function cutPieces(raster: Raster): Piece[] {
  const { width, height } = raster;
  const isTall = height > width;
  const length = Math.max(width, height);
  const pieces: Piece[] = [];
  let edges: Uint32Array | undefined;
  for (let from = 0; from < length; ) {
    let to = length;
    if (length - from > MOST_LENGTH) {
      edges ??= countEdges(raster, isTall);
      to = from + LEAST_LENGTH + findGap(edges.subarray(from + LEAST_LENGTH, from + MOST_LENGTH));
    }
    pieces.push(isTall ? cut(raster, 0, from, width, to) : cut(raster, from, 0, to, height));
    from = to;
  }
  return pieces;
}

/** Of each row of a tall picture, or column of a wide one: the edges in it. */
function countEdges({ data, width, height }: Raster, isTall: boolean): Uint32Array {
  const counts = new Uint32Array(isTall ? height : width);
  const toNext = isTall ? 1 : width;
  for (let y = 0; y < height - (isTall ? 0 : 1); y++) {
    for (let x = 0; x < width - (isTall ? 1 : 0); x++) {
      const at = y * width + x;
      if (Math.abs((data[at] ?? 0) - (data[at + toNext] ?? 0)) < LEAST_EDGE) continue;
      const row = isTall ? y : x;
      counts[row] = (counts[row] ?? 0) + 1;
    }
  }
  return counts;
}

/** The middle of the most rows one after the other that have the fewest edges; of several, of the last. */
function findGap(edges: Uint32Array): number {
  const fewest = edges.reduce((a, b) => Math.min(a, b));
  let [begin, widest, middle] = [0, 0, 0];
  for (let row = 0; row <= edges.length; row++) {
    if (edges[row] === fewest) continue;
    if (row - begin >= Math.max(1, widest)) [widest, middle] = [row - begin, (begin + row) >> 1];
    begin = row + 1;
  }
  return middle;
}

function cut({ data, width }: Raster, x0: number, y0: number, x1: number, y1: number): Piece {
  const raster = { data: new Uint8Array((x1 - x0) * (y1 - y0)), width: x1 - x0, height: y1 - y0 };
  for (let y = y0; y < y1; y++) raster.data.set(data.subarray(y * width + x0, y * width + x1), (y - y0) * raster.width);
  return { raster, x0, y0 };
}
