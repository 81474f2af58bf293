import type { Area } from '../../../model/geometry.js';
import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import { coversPage, cutByClip } from './clips.js';
import { addDot, addThickLine, MAX_DOT_SIZE } from './dots.js';
import { compose, type Matrix, mapBy } from './matrices.js';
import { boundsOf, isRectangle, type Point, spanOf } from './points.js';
import { isTinted, type ObjectReader, readMatrix, readStrokeWidth } from './read-object.js';
import { addBar, addDash, addSides, takeRing } from './rules.js';
import { createShapes, type SmallShape } from './small-shapes.js';

/** The fill rule that leaves out areas inside of an even number of outlines. */
const EVEN_ODD = 1;
/** Paths of more segments are drawings, not tables. */
const MAX_SEGMENTS = 2000;
const SEGMENT_LINE = 0;
const SEGMENT_MOVE = 2;
const MAX_DOT_POINTS = 100;
/** Shades are as high and wide as a letter at least, in points. */
const MIN_SHADE_SIZE = 5;
const MAX_SHADES = 3000;
/** Least share of a side that is straight between rounded corners, and the distance of its line from the side, in points. */
const MIN_STRAIGHT_SHARE = 0.5;
const MAX_OFF_SIDE = 0.5;

/** Lines, grounds and shapes that paths draw, in points of the page. */
export interface PathDrawing {
  /** Straight lines along the page's sides, and bars as thin as lines; a line's own width is left out. */
  rules: Area[];
  /** Level lines that are too short for rules: underscores within names are drawn so. */
  dashes: Area[];
  /** Rectangles filled with another colour than white: the ground of heads, rows and cells of tables. */
  shades: Area[];
  /** Rectangles with round corners, and those filled white: the boxes of cards. */
  boxes: Area[];
  /** Small shapes, as wide as they are high, that may be the bullets of a list. */
  dots: Area[];
  /** Small paths in the order in which they are painted: boxes to check and the ticks in them. */
  shapes: SmallShape[];
}

/** Adds the straight sides of a stroked path, or the thin bars of a filled one. */
export function addPath(reader: ObjectReader, path: number, outer: Matrix | undefined, drawing: PathDrawing): void {
  const { rules, dashes, shades, boxes, dots } = drawing;
  const { pdfium, frame, scratch } = reader;
  const count = pdfium._FPDFPath_CountSegments(path);
  if (count < 2 || count > MAX_SEGMENTS) return;
  if (pdfium._FPDFPath_GetDrawMode(path, scratch, scratch + 4) === 0) return;
  const fill = pdfium.HEAP32[scratch >> 2] ?? 0;
  const filled = fill !== 0;
  const stroked = (pdfium.HEAP32[(scratch >> 2) + 1] ?? 0) !== 0;
  if (!filled && !stroked) return;
  const matrix = compose(readMatrix(reader, path), outer);
  const map = mapBy(matrix);
  const at = scratch >> 2;
  let points: Point[] = [];
  let lines: [Point, Point][] = [];
  let straight = true;
  const shadesBefore = shades.length;
  const isFillTinted = () => isTinted(reader, path, pdfium._FPDFPageObj_GetFillColor);
  const isStrokeTinted = () => isTinted(reader, path, pdfium._FPDFPageObj_GetStrokeColor);
  const shapes = createShapes(drawing.shapes, { frame, filled, stroked, isFillTinted, isStrokeTinted });
  const finish = () => {
    if (filled && !stroked && straight && isRectangle(points) && coversPage(boundsOf(points, frame), frame))
      points = cutByClip(points, path, outer, reader);
    shapes.add(points);
    if ((!straight || filled) && points.length > 3 && points.length <= MAX_DOT_POINTS)
      addDot(boundsOf(points, frame), frame, dots);
    else if (stroked && count === 2 && points.length === 2) {
      const [a, b, c, d] = matrix;
      const thick = readStrokeWidth(reader, path) * Math.sqrt(Math.abs(a * d - b * c));
      addThickLine(boundsOf(points, frame), thick, frame, dots);
    }
    if (!straight && boxes.length < MAX_SHADES && isRounded(points, lines)) boxes.push(boundsOf(points, frame));
    if (points.length > 1 && straight) {
      if (stroked) addSides(points, frame, rules);
      else addBar(points, frame, rules);
      addDash(points, frame, dashes);
      const shade = filled && shades.length < MAX_SHADES ? shadeOf(points, frame) : undefined;
      if (shade !== undefined) (isFillTinted() ? shades : boxes).push(shade);
    }
    points = [];
    lines = [];
    straight = true;
  };
  for (let index = 0; index < count; index++) {
    const segment = pdfium._FPDFPath_GetPathSegment(path, index);
    const type = pdfium._FPDFPathSegment_GetType(segment);
    if (type === SEGMENT_MOVE) finish();
    else if (type !== SEGMENT_LINE) straight = false;
    pdfium._FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
    const x = pdfium.HEAPF32[at] ?? 0;
    const y = pdfium.HEAPF32[at + 1] ?? 0;
    const [point, before, first] = [map(x, y), points.at(-1), points[0]];
    points.push(point);
    if (type === SEGMENT_LINE && before !== undefined) lines.push([before, point]);
    if (first === undefined || pdfium._FPDFPathSegment_GetClose(segment) === 0) continue;
    points.push(first);
    lines.push([point, first]);
  }
  finish();
  if (fill === EVEN_ODD && !stroked && shades.length === shadesBefore + 2) takeRing(shades, rules);
}

/** True for a large rectangle with rounded corners: lines are drawn along most of each of its sides. */
function isRounded(points: readonly Point[], lines: readonly [Point, Point][]): boolean {
  const { x0, x1, y0, y1 } = spanOf(points);
  if (Math.min(x1 - x0, y1 - y0) < MAX_DOT_SIZE) return false;
  const lengthAlong = (axis: 'x' | 'y', place: number) => {
    const across = axis === 'x' ? 'y' : 'x';
    const isNear = (point: Point) => Math.abs(point[across] - place) < MAX_OFF_SIDE;
    const own = lines.filter((line) => line.every(isNear));
    return own.reduce((sum, [a, b]) => sum + Math.abs(a[axis] - b[axis]), 0);
  };
  return (
    [y0, y1].every((y) => lengthAlong('x', y) > (x1 - x0) * MIN_STRAIGHT_SHARE) &&
    [x0, x1].every((x) => lengthAlong('y', x) > (y1 - y0) * MIN_STRAIGHT_SHARE)
  );
}

function shadeOf(points: readonly Point[], frame: PageFrame): Area | undefined {
  if (!isRectangle(points)) return undefined;
  const shade = boundsOf(points, frame);
  const isHigh = Math.min(shade.x1 - shade.x0, shade.y1 - shade.y0) >= MIN_SHADE_SIZE;
  return isHigh && !coversPage(shade, frame) ? shade : undefined;
}
