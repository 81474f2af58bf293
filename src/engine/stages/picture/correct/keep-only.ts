import { type Area, grow } from '../../../model/geometry.js';
import { findPaper } from '../find/paper.js';
import type { Raster } from '../raster.js';

/** Returns the picture with only paper outside of the boxes and `margin` pixels around them. */
export function keepOnly(raster: Raster, boxes: readonly Area[], margin: number): Raster {
  const kept = new Uint8Array(raster.data.length).fill(findPaper(raster));
  for (const box of boxes)
    eachRow(raster, grow(box, margin), (from, to) => kept.set(raster.data.subarray(from, to), from));
  return { ...raster, data: kept };
}

/** Returns the picture with paper in the boxes. */
export function eraseAreas(raster: Raster, boxes: readonly Area[]): Raster {
  const data = new Uint8Array(raster.data);
  const paper = findPaper(raster);
  for (const box of boxes) eachRow(raster, box, (from, to) => data.fill(paper, from, to));
  return { ...raster, data };
}

/** Calls `onRow` with the indices of each row of pixels in a box. */
function eachRow({ width, height }: Raster, box: Area, onRow: (from: number, to: number) => void): void {
  const [from, to] = [Math.max(0, Math.floor(box.x0)), Math.min(width, Math.ceil(box.x1))];
  const last = Math.min(height, Math.ceil(box.y1));
  for (let y = Math.max(0, Math.floor(box.y0)); y < last; y++) onRow(y * width + from, y * width + to);
}
