import { DocumentError } from '../../../model/document-error.js';
import type { Area } from '../../../model/geometry.js';
import { drawAnnotations, haveText } from '../../../pdf-files/pdfium/annotations.js';
import { guard, type PdfDocument } from '../../../pdf-files/pdfium/pdfium.js';
import { type Raster, RECOGNITION_LONG_SIDE } from '../raster.js';
import { recognitionScale } from '../recognition-scale.js';

export interface RenderedPage {
  raster: Raster;
  /** Size of the displayed page, in points. */
  width: number;
  height: number;
}

const FORMAT_BGRX = 3;
const WITH_ANNOTATIONS = 1;
const WHITE = 0xffffffff;
/** Resolution of scans, 300 pixels an inch, in pixels a point. */
const MAX_PIXELS_PER_POINT = 300 / 72;

/**
 * Draws a page (index from 0) in grey, scaled to `longSide` pixels: a page that claims a huge size costs no more.
 * `asPages` as in Scale. Throws DocumentError `damaged`.
 */
export function renderPage(
  pdf: PdfDocument,
  index: number,
  longSide = RECOGNITION_LONG_SIDE,
  asPages = false,
): RenderedPage {
  const scaleOf = (page: PageSize) =>
    asPages ? recognitionScale(page, longSide, MAX_PIXELS_PER_POINT) : longSide / Math.max(page.width, page.height, 1);
  const { pixels, size, page } = draw(pdf, index, scaleOf, toGrey);
  return { raster: { data: pixels, ...size }, ...page };
}

/** Draws a part of a page (index from 0) in grey, with `scale` pixels a point. `part`: in points of the displayed page. Throws DocumentError `damaged`. */
export function renderPart(pdf: PdfDocument, index: number, part: Area, scale: number): Raster {
  const { pixels, size } = draw(pdf, index, () => scale, toGrey, part);
  return { data: pixels, ...size };
}

export interface ColourPicture {
  /** Red, green, blue of each pixel. */
  data: Uint8Array;
  width: number;
  height: number;
}

/** Draws a page (index from 0) in colour, as large as fits into a box of pixels. Throws DocumentError `damaged`. */
export function renderColourPage(pdf: PdfDocument, index: number, box: PageSize): ColourPicture {
  const scaleOf = ({ width, height }: PageSize) => Math.min(box.width / width, box.height / height);
  const { pixels, size } = draw(pdf, index, scaleOf, toColour);
  return { data: pixels, ...size };
}

interface PageSize {
  width: number;
  height: number;
}

/** Draws a page, or a part of it, and converts its pixels while they are in PDFium's memory. */
function draw(
  pdf: PdfDocument,
  index: number,
  scaleOf: (page: PageSize) => number,
  convert: (pixels: Int32Array) => Uint8Array,
  part?: Area,
): { pixels: Uint8Array; size: PageSize; page: PageSize } {
  return guard(() => {
    const { pdfium } = pdf;
    let page = pdfium._FPDF_LoadPage(pdf.handle, index);
    if (haveText(pdfium, page)) page = drawAnnotations(pdf, page, index);
    if (page === 0) throw new DocumentError('damaged', `page ${index + 1} is damaged`);
    try {
      const pageWidth = pdfium._FPDF_GetPageWidthF(page);
      const pageHeight = pdfium._FPDF_GetPageHeightF(page);
      const scale = scaleOf({ width: pageWidth, height: pageHeight });
      const toPixels = (points: number) => Math.max(1, Math.round(points * scale));
      const { x0, y0, x1, y1 } = part ?? { x0: 0, y0: 0, x1: pageWidth, y1: pageHeight };
      const [width, height] = [toPixels(x1 - x0), toPixels(y1 - y0)];
      const [left, top] = [Math.round(x0 * scale), Math.round(y0 * scale)];
      const stride = width * 4;
      const buffer = pdfium._malloc(stride * height);
      if (buffer === 0) throw new DocumentError('too-large', `page ${index + 1} does not fit into memory`);
      const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, FORMAT_BGRX, buffer, stride);
      pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      const whole = [toPixels(pageWidth), toPixels(pageHeight)] as const;
      pdfium._FPDF_RenderPageBitmap(bitmap, page, -left, -top, ...whole, 0, WITH_ANNOTATIONS);
      pdfium._FPDFBitmap_Destroy(bitmap);
      const pixels = convert(pdfium.HEAP32.subarray(buffer >> 2, (buffer >> 2) + width * height));
      pdfium._free(buffer);
      return { pixels, size: { width, height }, page: { width: pageWidth, height: pageHeight } };
    } finally {
      pdfium._FPDF_ClosePage(page);
    }
  });
}

/** Converts pixels to their Rec. 601 luma; a pixel's bytes from the lowest are blue, green, red, unused. */
function toGrey(pixels: Int32Array): Uint8Array {
  const grey = new Uint8Array(pixels.length);
  for (let i = 0; i < grey.length; i++) {
    const pixel = pixels[i] ?? 0;
    grey[i] = ((pixel & 255) * 29 + ((pixel >> 8) & 255) * 150 + ((pixel >> 16) & 255) * 77) >> 8;
  }
  return grey;
}

/** Converts pixels to red, green and blue. */
function toColour(pixels: Int32Array): Uint8Array {
  const colour = new Uint8Array(pixels.length * 3);
  for (let i = 0; i < pixels.length; i++) {
    const pixel = pixels[i] ?? 0;
    colour[i * 3] = pixel >> 16;
    colour[i * 3 + 1] = pixel >> 8;
    colour[i * 3 + 2] = pixel;
  }
  return colour;
}
