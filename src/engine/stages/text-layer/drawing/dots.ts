import type { Area } from '../../../model/geometry.js';
import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';

/** Width and height of bullets, in points; the largest are drawn around numbers. */
const MIN_DOT_SIZE = 1.5;
export const MAX_DOT_SIZE = 30;
const MAX_DOTS = 500;

export function addDot(dot: Area, { width, height }: PageFrame, dots: Area[]): void {
  // Printers' marks stand off the page.
  if (dots.length >= MAX_DOTS || dot.x1 < 0 || dot.y1 < 0 || dot.x0 > width || dot.y0 > height) return;
  const [wide, high] = [dot.x1 - dot.x0, dot.y1 - dot.y0];
  if (
    Math.max(wide, high) <= MAX_DOT_SIZE &&
    Math.min(wide, high) >= MIN_DOT_SIZE &&
    Math.abs(wide - high) < wide * 0.2
  )
    dots.push(dot);
}

/** Adds a line that is as thick as it is long: TeX draws a small square so. */
export function addThickLine({ x0, y0, x1, y1 }: Area, thick: number, frame: PageFrame, dots: Area[]): void {
  const [wide, high] = [x1 - x0, y1 - y0];
  const half = Math.max(wide, high) / 2;
  if (Math.min(wide, high) > half * 0.2 || Math.abs(thick - 2 * half) > half * 0.4) return;
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  addDot({ x0: x - half, y0: y - half, x1: x + half, y1: y + half }, frame, dots);
}
