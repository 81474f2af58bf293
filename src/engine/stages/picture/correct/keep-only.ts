import type { Area } from '../../../model/geometry.js';
import { findPaper } from '../find/paper.js';
import type { Raster } from '../raster.js';

/** Returns the picture with only paper outside of the boxes and `margin` pixels around them. */
export function keepOnly(raster: Raster, boxes: readonly Area[], margin: number): Raster {
  const { data, width, height } = raster;
  const kept = new Uint8Array(data.length).fill(findPaper(raster));
  for (const box of boxes) {
    const [from, to] = [Math.max(0, Math.floor(box.x0) - margin), Math.min(width, Math.ceil(box.x1) + margin)];
    const last = Math.min(height, Math.ceil(box.y1) + margin);
    for (let y = Math.max(0, Math.floor(box.y0) - margin); y < last; y++)
      kept.set(data.subarray(y * width + from, y * width + to), y * width + from);
  }
  return { data: kept, width, height };
}

/** Returns the picture with paper in the boxes. */
export function eraseAreas(raster: Raster, boxes: readonly Area[]): Raster {
  const { width } = raster;
  const data = new Uint8Array(raster.data);
  const paper = findPaper(raster);
  for (const { x0, y0, x1, y1 } of boxes)
    for (let y = Math.floor(y0); y < y1; y++) data.fill(paper, y * width + Math.floor(x0), y * width + Math.ceil(x1));
  return { ...raster, data };
}
