import { DocumentError } from './document-error.js';
import { PDF_TYPE } from './sniff.js';

export interface InspectOptions {
  password?: string;
  /** Images of more pixels are refused by their header. */
  maxPixels: number;
}

/**
 * Opens a document just far enough to count its pages.
 * Throws DocumentError: encrypted, wrong-password, damaged, no-pages, too-large.
 */
export async function inspectDocument(
  path: string,
  mimeType: string,
  options: InspectOptions,
): Promise<{ pageCount: number }> {
  if (mimeType === PDF_TYPE) {
    const { openPdf } = await import('./pdf/pdfium.js');
    const pdf = await openPdf(path, options.password);
    pdf.close();
    return { pageCount: pdf.pageCount };
  }
  const { readImageHeader } = await import('./raster/image-header.js');
  const header = await readImageHeader(path, mimeType, options.maxPixels);
  if (header.pageCount < 1) throw new DocumentError('no-pages', 'the image has no pages');
  return { pageCount: header.pageCount };
}
