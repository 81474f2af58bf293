import type { Area } from '../../model/geometry.js';
import type { PageFrame } from '../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../pdf-files/pdfium/pdfium.js';
import type { ColorReader } from '../../pdf-files/pdfium/pdfium-exports.js';
import { createShapes, type Point, type SmallShape, spanOf } from './small-shapes.js';
import type { PageInk } from './text-layer-verdict.js';

/** The drawing of a page besides its text. */
export interface PageDrawing {
  ink: PageInk;
  /** Straight lines along the page's sides, and bars as thin as lines; a line's own width is left out. */
  rules: Area[];
  images: DrawnImage[];
  /** Rectangles filled with another colour than white: the ground of heads, rows and cells of tables. */
  shades: Area[];
  /** Rectangles with round corners, and those filled white: the boxes of cards. */
  boxes: Area[];
  /** Small shapes, as wide as they are high, that may be the bullets of a list. */
  dots: Area[];
  /** Small paths in the order in which they are painted: boxes to check and the ticks in them. */
  shapes: SmallShape[];
}

/** An image or a shading. */
interface DrawnImage extends Area {
  /** Number of its pixels; 0 for a shading. */
  pixels: number;
}

type Matrix = readonly [number, number, number, number, number, number];

const PATH = 2;
const IMAGE = 3;
const SHADING = 4;
const FORM = 5;
const MAX_OBJECTS = 20_000;
const MAX_FORM_DEPTH = 4;
/** Paths of more segments are drawings, not tables. */
const MAX_SEGMENTS = 2000;
const MAX_RULES = 6000;
/** The fill rule that leaves out areas inside of an even number of outlines. */
const EVEN_ODD = 1;
const SEGMENT_LINE = 0;
const SEGMENT_MOVE = 2;
/** Thickness of a filled bar that is a rule, in points. */
const MAX_RULE_WIDTH = 3;
/** Thinner bars, in points, are left by rounding where a box has no side. */
const MIN_RULE_WIDTH = 0.05;
/** Width and height of bullets, in points; the largest are drawn around numbers. */
const MIN_DOT_SIZE = 1.5;
const MAX_DOT_SIZE = 30;
const MAX_DOTS = 500;
const MAX_DOT_POINTS = 100;
/** Shades are as high and wide as a letter at least, in points, and smaller than this share of the page. */
const MIN_SHADE_SIZE = 5;
const MAX_SHADE_SHARE = 0.8;
const MAX_SHADES = 3000;
/** A clip of more points is a picture's outline. */
const MAX_CLIP_POINTS = 40;
/** Least share of a side that is straight between rounded corners, and the distance of its line from the side, in points. */
const MIN_STRAIGHT_SHARE = 0.5;
const MAX_OFF_SIDE = 0.5;
/** Values of 255 that are lighter count as white. */
const MAX_TINTED_VALUE = 250;

/** Walks the objects of a page, also inside of forms. */
export function readDrawing(pdfium: Pdfium, page: number, frame: PageFrame): PageDrawing {
  const scratch = pdfium._malloc(32);
  const reader: Reader = { pdfium, frame, scratch };
  const lists = { rules: [], images: [], shades: [], boxes: [], dots: [], shapes: [] };
  const drawing: PageDrawing = { ink: { imageCoverage: 0, paths: 0 }, ...lists };
  let seen = 0;
  const addImage = (object: number, outer: Matrix | undefined, pixels: number) => {
    const area = readBounds(reader, object, outer);
    if (area === undefined) return;
    addDot(area, frame, drawing.dots);
    const share = ((area.x1 - area.x0) * (area.y1 - area.y0)) / Math.max(1, frame.width * frame.height);
    drawing.ink.imageCoverage += share;
    drawing.images.push({ ...area, pixels });
  };
  const visit = (object: number, depth: number, outer: Matrix | undefined): void => {
    if (object === 0 || ++seen > MAX_OBJECTS) return;
    const type = pdfium._FPDFPageObj_GetType(object);
    if (type === IMAGE) addImage(object, outer, countPixels(reader, object));
    else if (type === SHADING) addImage(object, outer, 0);
    else if (type === PATH) {
      drawing.ink.paths++;
      if (drawing.rules.length < MAX_RULES) addRules(reader, object, outer, drawing);
    } else if (type === FORM && depth < MAX_FORM_DEPTH) {
      const matrix = compose(readMatrix(pdfium, object, scratch), outer);
      const count = pdfium._FPDFFormObj_CountObjects(object);
      for (let i = 0; i < count && seen <= MAX_OBJECTS; i++) {
        visit(pdfium._FPDFFormObj_GetObject(object, i), depth + 1, matrix);
      }
    }
  };
  const count = pdfium._FPDFPage_CountObjects(page);
  for (let i = 0; i < count && seen <= MAX_OBJECTS; i++) visit(pdfium._FPDFPage_GetObject(page, i), 0, undefined);
  pdfium._free(scratch);
  drawing.ink.imageCoverage = Math.min(1, drawing.ink.imageCoverage);
  return drawing;
}

/** Returns a function that maps a point by the matrix. */
function mapBy([a, b, c, d, e, f]: Matrix): (x: number, y: number) => { x: number; y: number } {
  return (x, y) => ({ x: a * x + c * y + e, y: b * x + d * y + f });
}

/** The bounds of an image or a shading. PDFium gives the bounds of objects in a form in the space of the form. */
function readBounds({ pdfium, frame, scratch }: Reader, object: number, outer: Matrix | undefined): Area | undefined {
  if (pdfium._FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return undefined;
  const at = scratch >> 2;
  const [left = 0, bottom = 0, right = 0, top = 0] = pdfium.HEAPF32.subarray(at, at + 4);
  if (outer === undefined) return frame.place(left, top, right, bottom);
  const corner = mapBy(outer);
  return boundsOf([corner(left, bottom), corner(right, bottom), corner(right, top), corner(left, top)], frame);
}

function countPixels({ pdfium, scratch }: Reader, image: number): number {
  if (pdfium._FPDFImageObj_GetImagePixelSize(image, scratch, scratch + 4) === 0) return 0;
  const [width = 0, height = 0] = pdfium.HEAP32.subarray(scratch >> 2, (scratch >> 2) + 2);
  return width * height;
}

/** The width of a path's stroke, in the space of its points. */
function readStrokeWidth({ pdfium, scratch }: Reader, path: number): number {
  return pdfium._FPDFPageObj_GetStrokeWidth(path, scratch) === 0 ? 0 : (pdfium.HEAPF32[scratch >> 2] ?? 0);
}

function readMatrix(pdfium: Pdfium, object: number, scratch: number): Matrix {
  if (pdfium._FPDFPageObj_GetMatrix(object, scratch) === 0) return [1, 0, 0, 1, 0, 0];
  const at = scratch >> 2;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = pdfium.HEAPF32.subarray(at, at + 6);
  return [a, b, c, d, e, f];
}

/** Composes two matrices: first `inner`, then `outer`. */
function compose(inner: Matrix, outer: Matrix | undefined): Matrix {
  if (outer === undefined) return inner;
  const [a, b, c, d, e, f] = inner;
  const [A, B, C, D, E, F] = outer;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

interface Reader {
  pdfium: Pdfium;
  frame: PageFrame;
  /** Scratch memory of PDFium's for the results of its calls. */
  scratch: number;
}

/** Adds the straight sides of a stroked path, or the thin bars of a filled one. */
function addRules(reader: Reader, path: number, outer: Matrix | undefined, drawing: PageDrawing): void {
  const { rules, shades, boxes, dots } = drawing;
  const { pdfium, frame, scratch } = reader;
  const count = pdfium._FPDFPath_CountSegments(path);
  if (count < 2 || count > MAX_SEGMENTS) return;
  if (pdfium._FPDFPath_GetDrawMode(path, scratch, scratch + 4) === 0) return;
  const fill = pdfium.HEAP32[scratch >> 2] ?? 0;
  const filled = fill !== 0;
  const stroked = (pdfium.HEAP32[(scratch >> 2) + 1] ?? 0) !== 0;
  if (!filled && !stroked) return;
  const matrix = compose(readMatrix(pdfium, path, scratch), outer);
  const map = mapBy(matrix);
  const at = scratch >> 2;
  let points: Point[] = [];
  let lines: [Point, Point][] = [];
  let straight = true;
  const shadesBefore = shades.length;
  const isFillTinted = () => isTinted(pdfium._FPDFPageObj_GetFillColor, pdfium, path, scratch);
  const isStrokeTinted = () => isTinted(pdfium._FPDFPageObj_GetStrokeColor, pdfium, path, scratch);
  const shapes = createShapes(drawing.shapes, { frame, filled, stroked, isFillTinted, isStrokeTinted });
  const finish = () => {
    if (filled && !stroked && straight && coversPage(points, frame)) points = cutByClip(points, path, outer, reader);
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

/**
 * Takes one rectangle in another, with only the area between them filled: the sides of a box, or one of them, without
 * a ground inside. A small one is a box to check.
 */
function takeRing(shades: Area[], rules: Area[]): void {
  const [a, b] = shades.slice(-2);
  if (a === undefined || b === undefined) return;
  const [outer, inner] = b.x1 - b.x0 > a.x1 - a.x0 || b.y1 - b.y0 > a.y1 - a.y0 ? [b, a] : [a, b];
  if (inner.x0 < outer.x0 || inner.y0 < outer.y0 || inner.x1 > outer.x1 || inner.y1 > outer.y1) return;
  if (Math.max(outer.x1 - outer.x0, outer.y1 - outer.y0) < MAX_DOT_SIZE) return;
  shades.length -= 2;
  const bars = [
    { ...outer, y1: inner.y0 },
    { ...outer, y0: inner.y1 },
    { ...outer, x1: inner.x0 },
    { ...outer, x0: inner.x1 },
  ];
  for (const bar of bars) {
    const width = Math.min(bar.x1 - bar.x0, bar.y1 - bar.y0);
    if (width > MAX_RULE_WIDTH) shades.push(bar);
    else if (width > MIN_RULE_WIDTH) addRule(bar, MAX_RULE_WIDTH, rules);
  }
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

/** True when it fills the page, or more. */
function coversPage(points: readonly Point[], frame: PageFrame): boolean {
  if (points.length < 4 || points.length > 6) return false;
  const { x0, x1, y0, y1 } = boundsOf(points, frame);
  return (x1 - x0) * (y1 - y0) > frame.width * frame.height * MAX_SHADE_SHARE;
}

/** The visible corners of a rectangle: some programs fill a page for each ground and clip it to the wanted area. */
function cutByClip(points: Point[], path: number, outer: Matrix | undefined, { pdfium, scratch }: Reader): Point[] {
  const clip = pdfium._FPDFPageObj_GetClipPath(path);
  if (clip === 0) return points;
  const map = mapBy(outer ?? [1, 0, 0, 1, 0, 0]);
  const count = pdfium._FPDFClipPath_CountPaths(clip);
  let seen = spanOf(points);
  for (let part = 0; part < count; part++) {
    const segments = pdfium._FPDFClipPath_CountPathSegments(clip, part);
    if (segments < 3 || segments > MAX_CLIP_POINTS) return points;
    const corners = Array.from({ length: segments }, (_, index) => {
      const segment = pdfium._FPDFClipPath_GetPathSegment(clip, part, index);
      pdfium._FPDFPathSegment_GetPoint(segment, scratch, scratch + 4);
      return map(pdfium.HEAPF32[scratch >> 2] ?? 0, pdfium.HEAPF32[(scratch >> 2) + 1] ?? 0);
    });
    const { x0, x1, y0, y1 } = spanOf(corners);
    seen = {
      ...{ x0: Math.max(seen.x0, x0), x1: Math.min(seen.x1, x1) },
      ...{ y0: Math.max(seen.y0, y0), y1: Math.min(seen.y1, y1) },
    };
  }
  const { x0, x1, y0, y1 } = seen;
  if (x1 <= x0 || y1 <= y0) return [];
  return [
    [x0, y0],
    [x1, y0],
    [x1, y1],
    [x0, y1],
    [x0, y0],
  ].map(([x = 0, y = 0]) => ({ x, y }));
}

function addSides(points: readonly Point[], frame: PageFrame, rules: Area[]): void {
  for (let index = 1; index < points.length; index++) {
    const [from, to] = [points[index - 1], points[index]];
    if (from === undefined || to === undefined) continue;
    addRule(frame.place(from.x, from.y, to.x, to.y), 0.6, rules);
  }
}

function addDot(dot: Area, { width, height }: PageFrame, dots: Area[]): void {
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
function addThickLine({ x0, y0, x1, y1 }: Area, thick: number, frame: PageFrame, dots: Area[]): void {
  const [wide, high] = [x1 - x0, y1 - y0];
  const half = Math.max(wide, high) / 2;
  if (Math.min(wide, high) > half * 0.2 || Math.abs(thick - 2 * half) > half * 0.4) return;
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  addDot({ x0: x - half, y0: y - half, x1: x + half, y1: y + half }, frame, dots);
}

function boundsOf(points: readonly Point[], frame: PageFrame): Area {
  const { x0, x1, y0, y1 } = spanOf(points);
  return frame.place(x0, y0, x1, y1);
}

function addBar(points: readonly Point[], frame: PageFrame, rules: Area[]): void {
  if (points.length > 6) return;
  addRule(boundsOf(points, frame), MAX_RULE_WIDTH, rules);
}

/** True when the colour of the filling, or of the stroke, differs from white paper. */
function isTinted(read: ColorReader, pdfium: Pdfium, path: number, scratch: number): boolean {
  if (read(path, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return false;
  const at = scratch >> 2;
  const [red = 255, green = 255, blue = 255, opacity = 0] = pdfium.HEAP32.subarray(at, at + 4);
  return opacity > 0 && Math.min(red, green, blue) < MAX_TINTED_VALUE;
}

function shadeOf(points: readonly Point[], frame: PageFrame): Area | undefined {
  if (points.length < 4 || points.length > 6) return undefined;
  const shade = boundsOf(points, frame);
  const [wide, high] = [shade.x1 - shade.x0, shade.y1 - shade.y0];
  const isShade = Math.min(wide, high) >= MIN_SHADE_SIZE && wide * high <= frame.width * frame.height * MAX_SHADE_SHARE;
  return isShade ? shade : undefined;
}

function addRule(area: Area, mostWidth: number, rules: Area[]): void {
  const wide = area.x1 - area.x0;
  const high = area.y1 - area.y0;
  if (Math.min(wide, high) > mostWidth || Math.max(wide, high) < 3) return;
  const x = (area.x0 + area.x1) / 2;
  const y = (area.y0 + area.y1) / 2;
  rules.push(wide >= high ? { x0: area.x0, x1: area.x1, y0: y, y1: y } : { x0: x, x1: x, y0: area.y0, y1: area.y1 });
}
