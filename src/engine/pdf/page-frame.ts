import type { Pdfium } from './pdfium.js';

/** Where a page lies in PDF's own coordinates, and how large it is when displayed, in points. */
export interface PageFrame {
  width: number;
  height: number;
  /** A point of PDF's coordinates → points from the top left of the page as it is displayed. */
  toDisplay(x: number, y: number): [number, number];
  /** Degrees, clockwise, by which the page is turned for display. */
  rotation: number;
}

export function readPageFrame(pdfium: Pdfium, page: number): PageFrame {
  const rect = pdfium._malloc(16);
  pdfium._FPDF_GetPageBoundingBox(page, rect);
  const at = rect >> 2;
  const left = pdfium.HEAPF32[at] ?? 0;
  const top = pdfium.HEAPF32[at + 1] ?? 0;
  const right = pdfium.HEAPF32[at + 2] ?? 0;
  const bottom = pdfium.HEAPF32[at + 3] ?? 0;
  pdfium._free(rect);
  const quarter = pdfium._FPDFPage_GetRotation(page) & 3;
  const toDisplay = (x: number, y: number): [number, number] => {
    if (quarter === 1) return [y - bottom, x - left];
    if (quarter === 2) return [right - x, y - bottom];
    if (quarter === 3) return [top - y, right - x];
    return [x - left, top - y];
  };
  return {
    width: pdfium._FPDF_GetPageWidthF(page),
    height: pdfium._FPDF_GetPageHeightF(page),
    toDisplay,
    rotation: quarter * 90,
  };
}
