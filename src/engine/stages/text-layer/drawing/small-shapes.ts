import type { Area } from '../../../model/geometry.js';
import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import { type Point, spanOf } from './points.js';

/** A small path, or a closed part of one. */
export interface SmallShape extends Area {
  /** The outline of a square or of a disc; a mark is anything else, as a tick is. */
  form: 'square' | 'disc' | 'mark';
  fill: Paint;
  stroke: Paint;
}

/** White paper hides what is light. */
type Paint = 'none' | 'light' | 'dark';

/** Largest and least size, in points. */
const MAX_SIZE = 30;
const MIN_SIZE = 1.5;
/** Points of a circle that is drawn of short lines. */
const MAX_POINTS = 200;
/** A page with more small paths is a drawing. */
export const MAX_SHAPES = 4000;
/** Share of its bounds that the outline of a disc encloses. */
const MIN_DISC_SHARE = 0.7;
/** Distance of a square's points from the corners of its bounds, as a share of its size; its corners may be round. */
const MAX_CORNER_SHARE = 0.12;

interface PaintedPath {
  frame: PageFrame;
  filled: boolean;
  stroked: boolean;
  /** True when the filling, or the stroke, is darker than white paper. */
  isFillTinted: () => boolean;
  isStrokeTinted: () => boolean;
}

/** Collects the parts of one path. */
export function createShapes(shapes: SmallShape[], path: PaintedPath) {
  const { frame, filled, stroked } = path;
  let paints: { fill: Paint; stroke: Paint } | undefined;
  let last: SmallShape | undefined;
  return {
    add(points: readonly Point[]): void {
      if (points.length < 2 || points.length > MAX_POINTS || shapes.length >= MAX_SHAPES) return;
      const { x0, x1, y0, y1 } = spanOf(points);
      const size = Math.max(x1 - x0, y1 - y0);
      if (size > MAX_SIZE || size < MIN_SIZE) return;
      paints ??= {
        fill: filled ? (path.isFillTinted() ? 'dark' : 'light') : 'none',
        stroke: stroked ? (path.isStrokeTinted() ? 'dark' : 'light') : 'none',
      };
      const form = formOf(points, { x0, x1, y0, y1 }, filled);
      const shape: SmallShape = { ...frame.place(x0, y0, x1, y1), form, ...paints };
      // One outline in another of the same path is a hole: what is painted is a ring, as by a stroke.
      if (filled && last !== undefined && form !== 'mark' && last.form !== 'mark') {
        const isHole = isWithin(shape, last);
        if (isHole || isWithin(last, shape)) {
          const ring = isHole ? last : shape;
          shapes.splice(-1, 1, { ...ring, fill: 'none', stroke: ring.fill === 'none' ? ring.stroke : ring.fill });
          return;
        }
      }
      shapes.push(shape);
      last = shape;
    },
  };
}

const isWithin = (inner: Area, outer: Area): boolean =>
  inner.x0 > outer.x0 && inner.y0 > outer.y0 && inner.x1 < outer.x1 && inner.y1 < outer.y1;

function formOf(points: readonly Point[], { x0, x1, y0, y1 }: Area, filled: boolean): SmallShape['form'] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 4) return 'mark';
  const reach = Math.max(x1 - x0, y1 - y0) * MAX_CORNER_SHARE;
  if (!filled && Math.hypot(first.x - last.x, first.y - last.y) > reach) return 'mark';
  let doubled = 0;
  let before = last;
  for (const point of points) {
    doubled += before.x * point.y - point.x * before.y;
    before = point;
  }
  if (Math.abs(doubled) / 2 < (x1 - x0) * (y1 - y0) * MIN_DISC_SHARE) return 'mark';
  const hasCorner = (x: number, y: number) =>
    points.some((point) => Math.abs(point.x - x) <= reach && Math.abs(point.y - y) <= reach);
  return hasCorner(x0, y0) && hasCorner(x0, y1) && hasCorner(x1, y0) && hasCorner(x1, y1) ? 'square' : 'disc';
}
