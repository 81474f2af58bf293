import { type Raster, RECOGNITION_LONG_SIDE } from '../raster.js';
import { cutRaster } from './cut-raster.js';

/** A part of a picture, from edge to edge of its short side. */
export interface Piece {
  raster: Raster;
  /** Position in the whole picture, in pixels. */
  x0: number;
  y0: number;
}

/** Length of a piece, in pixels; the last one may be shorter. */
const MAX_LENGTH_PX = RECOGNITION_LONG_SIDE;
const MIN_LENGTH_PX = MAX_LENGTH_PX / 2;
/** Difference of two neighbours that is the edge of a letter and not the grain of paper. */
const MIN_EDGE_CONTRAST = 24;

/**
 * Cuts a picture that is much longer than a page into pieces with the shape of a page. Each cut goes through the widest gap
 * between lines, or between the words of one long line. A picture of the size of a page is one piece.
 */
export function cutPieces(raster: Raster): Piece[] {
  const { width, height } = raster;
  const isTall = height > width;
  const length = Math.max(width, height);
  const pieces: Piece[] = [];
  let edges: Uint32Array | undefined;
  for (let from = 0; from < length; ) {
    let to = length;
    if (length - from > MAX_LENGTH_PX) {
      edges ??= countEdges(raster, isTall);
      to = from + MIN_LENGTH_PX + findGap(edges.subarray(from + MIN_LENGTH_PX, from + MAX_LENGTH_PX));
    }
    const [x0, y0] = isTall ? [0, from] : [from, 0];
    const area = isTall ? { x0, y0, x1: width, y1: to } : { x0, y0, x1: to, y1: height };
    pieces.push({ raster: cutRaster(raster, area), x0, y0 });
    from = to;
  }
  return pieces;
}

/** Counts the edges in each row of a tall picture, or in each column of a wide one. */
function countEdges({ data, width, height }: Raster, isTall: boolean): Uint32Array {
  const counts = new Uint32Array(isTall ? height : width);
  const toNext = isTall ? 1 : width;
  for (let y = 0; y < height - (isTall ? 0 : 1); y++) {
    for (let x = 0; x < width - (isTall ? 1 : 0); x++) {
      const at = y * width + x;
      if (Math.abs((data[at] ?? 0) - (data[at + toNext] ?? 0)) < MIN_EDGE_CONTRAST) continue;
      const row = isTall ? y : x;
      counts[row] = (counts[row] ?? 0) + 1;
    }
  }
  return counts;
}

/** Returns the middle of the longest run of rows with the fewest edges; of several runs, of the last. */
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
