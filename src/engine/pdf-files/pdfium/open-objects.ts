import { type PdfObjects, readPdfObjects } from '../objects/pdf-objects.js';
import { copyPdf } from './copy-pdf.js';
import type { PdfDocument } from './pdfium.js';

/**
 * Reads the objects of an open document from the copy that PDFium writes: there the strings and streams of an
 * encrypted file and all of a damaged one are readable.
 */
export function readOpenObjects(pdf: PdfDocument): PdfObjects {
  const objects = readPdfObjects(pdf.bytes());
  if (objects.catalog.size > 0 && !objects.trailer.has('Encrypt')) return objects;
  const copy = copyPdf(pdf);
  return copy === undefined ? objects : readPdfObjects(copy);
}
