import type { PageInk } from '../text-layer-verdict.js';
import { type PageFrame, readPageFrame } from './page-frame.js';
import { guard, type PdfDocument, type Pdfium } from './pdfium.js';
import { readWords, type TextLayer } from './read-words.js';

export interface PdfPage {
  width: number;
  height: number;
  layer: TextLayer;
  ink: PageInk;
}

/** The text layer of a page (index from 0) and what else is drawn on it; undefined when the page cannot be loaded. */
export function readPdfPage(pdf: PdfDocument, index: number): PdfPage | undefined {
  return guard(() => {
    const { pdfium } = pdf;
    const page = pdfium._FPDF_LoadPage(pdf.handle, index);
    if (page === 0) return undefined;
    try {
      const frame = readPageFrame(pdfium, page);
      const layer = readWords(pdfium, page, frame);
      return { width: frame.width, height: frame.height, layer, ink: measureInk(pdfium, page, frame) };
    } finally {
      pdfium._FPDF_ClosePage(page);
    }
  });
}

const PATH = 2;
const IMAGE = 3;
const SHADING = 4;
const FORM = 5;
const MOST_OBJECTS = 20_000;
const MOST_DEPTH = 4;

/** Share of the page under images, and the number of drawn shapes, also inside of forms. */
function measureInk(pdfium: Pdfium, page: number, frame: PageFrame): PageInk {
  const scratch = pdfium._malloc(16);
  const ink: PageInk = { imageCoverage: 0, paths: 0 };
  let seen = 0;
  const boundsShare = (object: number): number => {
    if (pdfium._FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return 0;
    const at = scratch >> 2;
    const [left = 0, bottom = 0, right = 0, top = 0] = pdfium.HEAPF32.subarray(at, at + 4);
    return Math.abs((right - left) * (top - bottom)) / Math.max(1, frame.width * frame.height);
  };
  const visit = (object: number, depth: number): void => {
    if (object === 0 || ++seen > MOST_OBJECTS) return;
    const type = pdfium._FPDFPageObj_GetType(object);
    if (type === IMAGE || type === SHADING) ink.imageCoverage += boundsShare(object);
    else if (type === PATH) ink.paths++;
    else if (type === FORM && depth < MOST_DEPTH) {
      const count = pdfium._FPDFFormObj_CountObjects(object);
      for (let i = 0; i < count && seen <= MOST_OBJECTS; i++) {
        const inner = pdfium._FPDFFormObj_GetObject(object, i);
        // Bounds inside of a form are in its own space; an image there counts as the form does.
        if (pdfium._FPDFPageObj_GetType(inner) === IMAGE) ink.imageCoverage += boundsShare(object);
        else visit(inner, depth + 1);
      }
    }
  };
  const count = pdfium._FPDFPage_CountObjects(page);
  for (let i = 0; i < count && seen <= MOST_OBJECTS; i++) visit(pdfium._FPDFPage_GetObject(page, i), 0);
  pdfium._free(scratch);
  ink.imageCoverage = Math.min(1, ink.imageCoverage);
  return ink;
}
