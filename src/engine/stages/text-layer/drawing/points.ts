import type { Area } from '../../../model/geometry.js';
import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';

/** A point in the space of the page, in points. */
export interface Point {
  x: number;
  y: number;
}

/** The bounds of points, as many as there are. */
export function spanOf(points: readonly Point[]): Area {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  }
  return { x0, y0, x1, y1 };
}

/** The area of a page that points span. */
export function boundsOf(points: readonly Point[], frame: PageFrame): Area {
  const { x0, x1, y0, y1 } = spanOf(points);
  return frame.place(x0, y0, x1, y1);
}

/** True for the corners of a rectangle, which may be closed twice. */
export const isRectangle = (points: readonly Point[]): boolean => points.length >= 4 && points.length <= 6;
