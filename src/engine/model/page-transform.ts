import { shiftAt } from './bend.js';
import type { Box } from './document.js';
import type { Area } from './geometry.js';
import type { PageDistortion } from './page.js';
import { distance, type Point, projectionOnto } from './projection.js';
import type { Sheet } from './sheet.js';

/** The two ways between a frame in which text stands upright and the page that it is on. */
export interface PageTransform {
  toPage(area: Area): Area;
  fromPage(area: Area): Area;
}

export interface PageSize {
  width: number;
  height: number;
}

/** True when text of this direction runs neither along the page's edges nor across: a watermark, the names of a chart's bars. */
export const isOblique = (angle: number): boolean => angle % 90 !== 0;

/** Undoes a clockwise turn of `degrees` about the origin, on a page whose y goes down. */
export function turnBack(x: number, y: number, degrees: number): [x: number, y: number] {
  const turn = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return [x * cos + y * sin, y * cos - x * sin];
}

/** Undoes a clockwise turn of `angle` degrees about a page. */
export function turnPointBack(x: number, y: number, angle: number, { width, height }: PageSize): [number, number] {
  if (angle === 90) return [y, width - x];
  if (angle === 180) return [width - x, height - y];
  if (angle === 270) return [height - y, x];
  if (angle === 0) return [x, y];
  const [fromX, fromY] = turnBack(x - width / 2, y - height / 2, angle);
  return [fromX + width / 2, fromY + height / 2];
}

/** Text that is turned clockwise by `angle` degrees on a page of this size ↔ the frame in which it stands upright. Oblique text is turned about the middle of the page. */
export function createTurn(angle: number, page: PageSize): PageTransform {
  const upright = angle % 180 === 90 ? { width: page.height, height: page.width } : page;
  const back = (360 - angle) % 360;
  return {
    toPage: (area) => turnAreaBack(area, back, upright),
    fromPage: (area) => turnAreaBack(area, angle, page),
  };
}

function turnAreaBack({ x0, y0, x1, y1 }: Area, angle: number, page: PageSize): Area {
  const corners = [
    [x0, y0],
    [x1, y1],
    ...(isOblique(angle)
      ? [
          [x0, y1],
          [x1, y0],
        ]
      : []),
  ];
  const points = corners.map(([x = 0, y = 0]) => turnPointBack(x, y, angle, page));
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}

/** Returns what puts an area of the level page where it stands in the picture: bent, then skewed, then on its sheet. Composed once for a page. */
export function createDistortion({ skew = 0, bend, sheet }: PageDistortion, page: PageSize): (area: Area) => Area {
  const steps: ((area: Area) => Area)[] = [];
  if (bend !== undefined) {
    const { width, height } = page;
    steps.push((area) => {
      const middle = [(area.x0 + area.x1) / 2 / width, (area.y0 + area.y1) / 2 / height] as const;
      // It keeps its height and moves to where its middle stands.
      const down = shiftAt(bend, ...middle) * height;
      return { x0: area.x0, y0: area.y0 + down, x1: area.x1, y1: area.y1 + down };
    });
  }
  if (skew !== 0) steps.push((area) => skewArea(area, skew, page));
  if (sheet !== undefined) steps.push(createSheetProjection(sheet, page));
  return (area) => steps.reduce((moved, step) => step(moved), area);
}

/** The area keeps its size, as wide and high as its middle is seen: boxes stand upright. */
function createSheetProjection(sheet: Sheet, { width, height }: PageSize): (area: Area) => Area {
  const { drawn } = sheet;
  const project = projectionOnto(sheet);
  const seenAt = (x: number, y: number): Point => {
    const [u, v] = [x / width - drawn.x0, y / height - drawn.y0];
    const [seenX, seenY] = project(u / (drawn.x1 - drawn.x0), v / (drawn.y1 - drawn.y0));
    return [seenX * width, seenY * height];
  };
  return (area) => {
    const [middleX, middleY] = [(area.x0 + area.x1) / 2, (area.y0 + area.y1) / 2];
    const [x, y] = seenAt(middleX, middleY);
    const across = distance(seenAt(area.x0, middleY), seenAt(area.x1, middleY)) / 2;
    const down = distance(seenAt(middleX, area.y0), seenAt(middleX, area.y1)) / 2;
    return { x0: x - across, x1: x + across, y0: y - down, y1: y + down };
  };
}

/** Turns an area clockwise about the middle of its page. It keeps its size: upright boxes around slanted words would overlap. */
export function skewArea({ x0, y0, x1, y1 }: Area, degrees: number, { width, height }: PageSize): Area {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const [x, y] = [(x0 + x1 - width) / 2, (y0 + y1 - height) / 2];
  const [dx, dy] = [x * cos - y * sin - x, y * cos + x * sin - y];
  return { x0: x0 + dx, y0: y0 + dy, x1: x1 + dx, y1: y1 + dy };
}

/** An area in the page's units → its box, each side a share of the page. */
export const toBox = ({ x0, y0, x1, y1 }: Area, { width, height }: PageSize): Box => [
  shareOf(x0, width),
  shareOf(y0, height),
  shareOf(x1, width),
  shareOf(y1, height),
];

/** The share, from 0 to 1, rounded to hundredths of a thousandth: finer than a pixel of any page that is read. 0 where the whole is 0. */
export function shareOf(value: number, whole: number): number {
  return Math.round(Math.min(1, Math.max(0, value / whole || 0)) * 1e5) / 1e5;
}

/** The box around all boxes; without any, an impossible one. */
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
