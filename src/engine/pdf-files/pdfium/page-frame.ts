import { guard, type PdfDocument, type Pdfium } from './pdfium.js';

/** The place of a page in PDF's own coordinates, and its displayed size in points. */
export interface PageFrame {
  width: number;
  height: number;
  /** PDF's coordinates → points from the top left of the displayed page: x = ax·x + bx·y + cx, y = ay·x + by·y + cy. */
  toDisplay: Readonly<Record<'ax' | 'bx' | 'cx' | 'ay' | 'by' | 'cy', number>>;
  /** Degrees, clockwise, by which the page is turned for display. */
  rotation: number;
  /** A rectangle between two corners in PDF's coordinates → the same rectangle on the displayed page. */
  place(x: number, y: number, otherX: number, otherY: number): { x0: number; y0: number; x1: number; y1: number };
}

/** The frame of a page by its number, from 1; undefined when it cannot be loaded. */
export function openPageFrame({ pdfium, handle }: PdfDocument, number: number): PageFrame | undefined {
  return guard(() => {
    const page = pdfium._FPDF_LoadPage(handle, number - 1);
    if (page === 0) return undefined;
    try {
      return readPageFrame(pdfium, page);
    } finally {
      pdfium._FPDF_ClosePage(page);
    }
  });
}

/** The displayed part of a page in PDF's coordinates: by its own boxes, or by those of the whole document. */
export function readBounds(pdfium: Pdfium, page: number): Record<'left' | 'top' | 'right' | 'bottom', number> {
  const rect = pdfium._malloc(16);
  pdfium._FPDF_GetPageBoundingBox(page, rect);
  const [left = 0, top = 0, right = 0, bottom = 0] = pdfium.HEAPF32.subarray(rect >> 2, (rect >> 2) + 4);
  pdfium._free(rect);
  return { left, top, right, bottom };
}

export function readPageFrame(pdfium: Pdfium, page: number): PageFrame {
  const { left, top, right, bottom } = readBounds(pdfium, page);
  const quarter = pdfium._FPDFPage_GetRotation(page) & 3;
  const toDisplay = [
    { ax: 1, bx: 0, cx: -left, ay: 0, by: -1, cy: top },
    { ax: 0, bx: 1, cx: -bottom, ay: 1, by: 0, cy: -left },
    { ax: -1, bx: 0, cx: right, ay: 0, by: 1, cy: -bottom },
    { ax: 0, bx: -1, cx: top, ay: -1, by: 0, cy: right },
  ][quarter] as PageFrame['toDisplay'];
  const { ax, bx, cx, ay, by, cy } = toDisplay;
  return {
    width: pdfium._FPDF_GetPageWidthF(page),
    height: pdfium._FPDF_GetPageHeightF(page),
    toDisplay,
    rotation: quarter * 90,
    place: (x, y, otherX, otherY) => {
      const [x0, x1] = [ax * x + bx * y + cx, ax * otherX + bx * otherY + cx];
      const [y0, y1] = [ay * x + by * y + cy, ay * otherX + by * otherY + cy];
      return { x0: Math.min(x0, x1), y0: Math.min(y0, y1), x1: Math.max(x0, x1), y1: Math.max(y0, y1) };
    },
  };
}
