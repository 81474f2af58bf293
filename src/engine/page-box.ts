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
