import type { Area } from './geometry.js';
import type { Corners, Point, SeenSheet } from './projection.js';

/** A sheet that was photographed, and drawn anew flat and seen from above. All numbers are shares of the pictures. */
export interface Sheet extends SeenSheet {
  /** Its place in the drawn picture. */
  drawn: Area;
}

/** The sheet on its page when both are turned clockwise by 90, 180 or 270 degrees. */
export function turnSheet(sheet: Sheet, degrees: number): Sheet {
  if (degrees === 0) return sheet;
  const {
    corners,
    bows: [left, top, right, foot],
    drawn,
  } = sheet;
  const [topLeft, topRight, footRight, footLeft] = corners.map(([x, y]): Point => [1 - y, x]) as unknown as Corners;
  const turned: Sheet = {
    corners: [footLeft, topLeft, topRight, footRight],
    bows: [-foot, left, -top, right],
    drawn: { x0: 1 - drawn.y1, x1: 1 - drawn.y0, y0: drawn.x0, y1: drawn.x1 },
  };
  return turnSheet(turned, degrees - 90);
}
