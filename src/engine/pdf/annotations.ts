import { readBounds } from './page-frame.js';
import type { PdfDocument, Pdfium } from './pdfium.js';

/** PDFium's names for kinds of annotations, and of FPDFPage_Flatten for what is seen on paper, and for its success. */
const FREE_TEXT = 3;
const WIDGET = 20;
const FOR_PRINT = 1;
const FLATTENED = 1;

/** Is there text among what annotations show: values of form fields, notes that were typed onto the page? */
export function haveText(pdfium: Pdfium, page: number): boolean {
  const count = pdfium._FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index);
    const subtype = pdfium._FPDFAnnot_GetSubtype(annotation);
    pdfium._FPDFPage_CloseAnnot(annotation);
    if (subtype === WIDGET || subtype === FREE_TEXT) return true;
  }
  return false;
}

/**
 * Makes what annotations show a part of a page (index from 0), as on paper, so without buttons. What this returns stands
 * for `page`, which it closed; 0 if the page cannot be loaded again. Its links are gone then, and are to be read before.
 */
export function drawAnnotations({ pdfium, handle }: PdfDocument, page: number, index: number): number {
  // PDFium forgets boxes that the page has from the whole document, and makes it a sheet of letter paper.
  const { left, top, right, bottom } = readBounds(pdfium, page);
  pdfium._FPDFPage_SetMediaBox(page, left, bottom, right, top);
  pdfium._FPDFPage_SetCropBox(page, left, bottom, right, top);
  if (pdfium._FPDFPage_Flatten(page, FOR_PRINT) !== FLATTENED) return page;
  pdfium._FPDF_ClosePage(page);
  return pdfium._FPDF_LoadPage(handle, index);
}
