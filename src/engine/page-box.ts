import type { Box } from './model.js';

/** An area of a page in its units → its box, of 0-1. */
export function toBox(area: Record<'x0' | 'y0' | 'x1' | 'y1', number>, page: { width: number; height: number }): Box {
  const { width, height } = page;
  return [shareOf(area.x0, width), shareOf(area.y0, height), shareOf(area.x1, width), shareOf(area.y1, height)];
}

/** Rounded to hundredths of a thousandth: finer than a pixel of any page that is read. Of nothing, nothing. */
export function shareOf(value: number, whole: number): number {
  return Math.round(Math.min(1, Math.max(0, value / whole || 0)) * 1e5) / 1e5;
}

/** The box around all; without any, an impossible one. */
export function unite(boxes: readonly Box[]): Box {
  let [x0, y0, x1, y1] = [1, 1, 0, 0];
  for (const box of boxes) {
    if (box[0] < x0) x0 = box[0];
    if (box[1] < y0) y0 = box[1];
    if (box[2] > x1) x1 = box[2];
    if (box[3] > y1) y1 = box[3];
  }
  return [x0, y0, x1, y1];
}
