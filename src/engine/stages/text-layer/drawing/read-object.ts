import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import type { ColorReader } from '../../../pdf-files/pdfium/pdfium-exports.js';
import type { Matrix } from './matrices.js';

/** Values of 255 that are lighter count as white. */
const MAX_TINTED_VALUE = 250;

/** Means to read the objects of a page. */
export interface ObjectReader {
  pdfium: Pdfium;
  frame: PageFrame;
  /** Scratch memory of PDFium's for the results of its calls. */
  scratch: number;
}

export function readMatrix({ pdfium, scratch }: ObjectReader, object: number): Matrix {
  if (pdfium._FPDFPageObj_GetMatrix(object, scratch) === 0) return [1, 0, 0, 1, 0, 0];
  const at = scratch >> 2;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = pdfium.HEAPF32.subarray(at, at + 6);
  return [a, b, c, d, e, f];
}

export function countPixels({ pdfium, scratch }: ObjectReader, image: number): number {
  if (pdfium._FPDFImageObj_GetImagePixelSize(image, scratch, scratch + 4) === 0) return 0;
  const [width = 0, height = 0] = pdfium.HEAP32.subarray(scratch >> 2, (scratch >> 2) + 2);
  return width * height;
}

/** The width of a path's stroke, in the space of its points. */
export function readStrokeWidth({ pdfium, scratch }: ObjectReader, path: number): number {
  return pdfium._FPDFPageObj_GetStrokeWidth(path, scratch) === 0 ? 0 : (pdfium.HEAPF32[scratch >> 2] ?? 0);
}

/** True when the colour of the filling, or of the stroke, differs from white paper. */
export function isTinted({ pdfium, scratch }: ObjectReader, path: number, read: ColorReader): boolean {
  if (read(path, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return false;
  const at = scratch >> 2;
  const [red = 255, green = 255, blue = 255, opacity = 0] = pdfium.HEAP32.subarray(at, at + 4);
  return opacity > 0 && Math.min(red, green, blue) < MAX_TINTED_VALUE;
}
