import type { Area } from '../../../model/geometry.js';
import { boundsOfObject } from '../../../pdf-files/pdfium/object-bounds.js';
import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import type { PageInk } from '../text-layer-verdict.js';
import { addDot } from './dots.js';
import { compose, type Matrix, mapBy } from './matrices.js';
import { boundsOf } from './points.js';
import { countPixels, type ObjectReader, readMatrix } from './read-object.js';
import { addPath, type PathDrawing } from './read-path.js';

/** The drawing of a page besides its text. */
export interface PageDrawing extends PathDrawing {
  ink: PageInk;
  images: DrawnImage[];
}

/** An image or a shading. */
interface DrawnImage extends Area {
  /** Number of its pixels; 0 for a shading. */
  pixels: number;
}

const PATH = 2;
const IMAGE = 3;
const SHADING = 4;
const FORM = 5;
const MAX_OBJECTS = 20_000;
const MAX_FORM_DEPTH = 4;
const MAX_RULES = 6000;

/** Walks the objects of a page, also inside of forms. */
export function readDrawing(pdfium: Pdfium, page: number, frame: PageFrame): PageDrawing {
  const scratch = pdfium._malloc(32);
  const reader: ObjectReader = { pdfium, frame, scratch };
  const lists = { rules: [], dashes: [], images: [], shades: [], boxes: [], dots: [], shapes: [] };
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
      if (drawing.rules.length < MAX_RULES) addPath(reader, object, outer, drawing);
    } else if (type === FORM && depth < MAX_FORM_DEPTH) {
      const matrix = compose(readMatrix(reader, object), outer);
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

/** The bounds of an image or a shading. PDFium gives the bounds of objects in a form in the space of the form. */
function readBounds({ pdfium, frame }: ObjectReader, object: number, outer: Matrix | undefined): Area | undefined {
  const bounds = boundsOfObject(pdfium, object);
  if (bounds === undefined) return undefined;
  const [left, top, right, bottom] = bounds;
  if (outer === undefined) return frame.place(left, top, right, bottom);
  const corner = mapBy(outer);
  return boundsOf([corner(left, bottom), corner(right, bottom), corner(right, top), corner(left, top)], frame);
}
