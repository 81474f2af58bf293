import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';

/** Share of the rows of an area that have ink in it. */
export function shareOfRows({ data, width, height }: Raster, { x0, x1, y0, y1 }: Area, dark: number): number {
  const [from, to] = [Math.max(0, x0), Math.min(width, x1)];
  let count = 0;
  for (let y = Math.max(0, y0); y < Math.min(height, y1); y++) {
    for (let x = from; x < to; x++) {
      if ((data[y * width + x] ?? 255) >= dark) continue;
      count++;
      break;
    }
  }
  return count / Math.max(1, y1 - y0);
}

/** Returns the share of an area that is ink. */
export function shareOfInk({ data, width }: Raster, { x0, x1, y0, y1 }: Area, dark: number): number {
  let count = 0;
  for (let y = y0; y < y1; y++) for (let x = x0; x < x1; x++) if ((data[y * width + x] ?? 255) < dark) count++;
  return count / Math.max(1, (x1 - x0) * (y1 - y0));
}

/** Returns the columns of an area that have ink in them. */
export function inkedColumns({ data, width, height }: Raster, { x0, x1, y0, y1 }: Area, dark: number): number[] {
  const columns: number[] = [];
  for (let x = Math.max(0, x0); x < Math.min(width, x1); x++) {
    let y = Math.max(0, y0);
    while (y < Math.min(height, y1) && (data[y * width + x] ?? 255) >= dark) y++;
    if (y < Math.min(height, y1)) columns.push(x);
  }
  return columns;
}
