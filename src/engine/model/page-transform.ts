import { type Bend, shiftAt } from './bend.js';
import type { Box } from './document.js';
import type { Area } from './geometry.js';
import { distance, type Point, projectionOnto } from './projection.js';
import type { Sheet } from './sheet.js';

/** A page in its units; what is on it stands bent, and then turned about its middle by `skew`, in degrees clockwise; all of that on a sheet that is seen aslant, where there is one. */
interface PageFrame {
  width: number;
  height: number;
  skew?: number;
  bend?: Bend;
  sheet?: Sheet;
}

/** An area of a page in its units → its box, of 0-1. */
export function toBox(area: Area, page: PageFrame): Box {
  const { width, height, sheet } = page;
  const flat = putAslant(area, page);
  const { x0, y0, x1, y1 } = sheet === undefined ? flat : putOn(sheet, flat, page);
  return [shareOf(x0, width), shareOf(y0, height), shareOf(x1, width), shareOf(y1, height)];
}

/** Where an area stands that is bent and turned on its page, in the page's units. */
export function putAslant(area: Area, page: PageFrame): Area {
  const { skew = 0, bend } = page;
  const bent = bend === undefined ? area : shift(area, page, bend);
  return skew === 0 ? bent : turn(bent, page, skew);
}

/** As high as it is, to where its middle stands. */
function shift({ x0, y0, x1, y1 }: Area, { width, height }: PageFrame, bend: Bend): Area {
  const down = shiftAt(bend, (x0 + x1) / 2 / width, (y0 + y1) / 2 / height) * height;
  return { x0, y0: y0 + down, x1, y1: y1 + down };
}

/** As wide and high as its middle is seen, for boxes stand upright. */
function putOn(sheet: Sheet, area: Area, { width, height }: PageFrame): Area {
  const { drawn } = sheet;
  const project = projectionOnto(sheet);
  const seenAt = (x: number, y: number): Point => {
    const [u, v] = [x / width - drawn.x0, y / height - drawn.y0];
    const [seenX, seenY] = project(u / (drawn.x1 - drawn.x0), v / (drawn.y1 - drawn.y0));
    return [seenX * width, seenY * height];
  };
  const [middleX, middleY] = [(area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2];
  const [x, y] = seenAt(middleX, middleY);
  const across = distance(seenAt(area.x0, middleY), seenAt(area.x1, middleY)) / 2;
  const down = distance(seenAt(middleX, area.y0), seenAt(middleX, area.y1)) / 2;
  return { x0: x - across, x1: x + across, y0: y - down, y1: y + down };
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
