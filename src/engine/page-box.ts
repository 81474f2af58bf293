import type { Box } from './model.js';
import type { Area } from './pdf/read-drawing.js';
import { type Bend, shiftAt } from './raster/bend.js';

/** A page in its units; what is on it stands bent, and then turned about its middle by `skew`, in degrees clockwise. */
interface PageFrame {
  width: number;
  height: number;
  skew?: number;
  bend?: Bend;
}

/** An area of a page in its units → its box, of 0-1. */
export function toBox(area: Area, page: PageFrame): Box {
  const { width, height, skew = 0, bend } = page;
  const bent = bend === undefined ? area : shift(area, page, bend);
  const { x0, y0, x1, y1 } = skew === 0 ? bent : turn(bent, page, skew);
  return [shareOf(x0, width), shareOf(y0, height), shareOf(x1, width), shareOf(y1, height)];
}

/** As high as it is, to where its middle stands. */
function shift({ x0, y0, x1, y1 }: Area, { width, height }: PageFrame, bend: Bend): Area {
  const down = shiftAt(bend, (x0 + x1) / 2 / width, (y0 + y1) / 2 / height) * height;
  return { x0, y0: y0 + down, x1, y1: y1 + down };
}

/** It keeps its size, and its middle goes to where it is: upright boxes around slanted words would overlap. */
export function turn({ x0, y0, x1, y1 }: Area, { width, height }: PageFrame, degrees: number): Area {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [x, y] = [(x0 + x1 - width) / 2, (y0 + y1 - height) / 2];
  const [dx, dy] = [x * cos - y * sin - x, y * cos + x * sin - y];
  return { x0: x0 + dx, y0: y0 + dy, x1: x1 + dx, y1: y1 + dy };
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
