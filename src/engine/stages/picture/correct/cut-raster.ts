import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';

/** Cuts a part out of a picture, as far as it lies in it. */
export function cutRaster({ data, width, height }: Raster, { x0, y0, x1, y1 }: Area): Raster {
  const [left, top] = [Math.max(0, Math.floor(x0)), Math.max(0, Math.floor(y0))];
  const [right, bottom] = [Math.min(width, Math.ceil(x1)), Math.min(height, Math.ceil(y1))];
  const cut = new Uint8Array((right - left) * (bottom - top));
  for (let y = top; y < bottom; y++)
    cut.set(data.subarray(y * width + left, y * width + right), (y - top) * (right - left));
  return { data: cut, width: right - left, height: bottom - top };
}
