import { readBounds } from './page-frame.js';
import type { PdfDocument, Pdfium } from './pdfium.js';

/** Kinds of annotations that show text of their own, by PDFium's numbers: free text, stamp, widget, watermark. */
const KINDS_WITH_TEXT: readonly number[] = [3, 13, 20, 24];
/** PDFium's values of FPDFPage_Flatten for the printed look, and for success. */
const FOR_PRINT = 1;
const FLATTENED = 1;
/** Size of an FPDF_FORMFILLINFO (fpdf_formfill.h) of its first version, with room to spare: it has no callbacks. */
const FORM_INFO_BYTES = 256;
const FORM_INFO_VERSION = 1;

/** True when annotations show text: values of form fields, notes and stamps on the page, footers added later. */
export function haveText(pdfium: Pdfium, page: number): boolean {
  const count = pdfium._FPDFPage_GetAnnotCount(page);
  for (let index = 0; index < count; index++) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index);
    const subtype = pdfium._FPDFAnnot_GetSubtype(annotation);
    pdfium._FPDFPage_CloseAnnot(annotation);
    if (KINDS_WITH_TEXT.includes(subtype)) return true;
  }
  return false;
}

/**
 * Makes the annotations a part of a page (index from 0), with their printed look, so without buttons. Returns the page
 * that replaces `page`, which is closed; 0 if the page cannot be loaded again. Links are gone then: they have to be
 * read before.
 */
export function drawAnnotations(pdf: PdfDocument, page: number, index: number): number {
  const { pdfium, handle } = pdf;
  showValues(pdf, page);
  // PDFium forgets boxes that the page has from the whole document, and makes it a sheet of letter paper.
  const { left, top, right, bottom } = readBounds(pdfium, page);
  pdfium._FPDFPage_SetMediaBox(page, left, bottom, right, top);
  pdfium._FPDFPage_SetCropBox(page, left, bottom, right, top);
  if (pdfium._FPDFPage_Flatten(page, FOR_PRINT) !== FLATTENED) return page;
  pdfium._FPDF_ClosePage(page);
  return pdfium._FPDF_LoadPage(handle, index);
}

/** Draws the values of fields, as viewers do, where the program that filled them in did not. */
function showValues({ pdfium, handle }: PdfDocument, page: number): void {
  if (pdfium._FPDF_GetFormType(handle) === 0) return;
  const info = pdfium._malloc(FORM_INFO_BYTES);
  pdfium.HEAPU8.fill(0, info, info + FORM_INFO_BYTES);
  pdfium.HEAP32[info >> 2] = FORM_INFO_VERSION;
  const form = pdfium._FPDFDOC_InitFormFillEnvironment(handle, info);
  pdfium._FORM_OnAfterLoadPage(page, form);
  pdfium._FORM_OnBeforeClosePage(page, form);
  pdfium._FPDFDOC_ExitFormFillEnvironment(form);
  pdfium._free(info);
}
