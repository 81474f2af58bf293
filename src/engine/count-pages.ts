import { DocumentError } from './model/document-error.js';
import { PDF_TYPE } from './sniff.js';

export interface CountPagesOptions {
  password?: string;
  /** Images of more pixels are refused by their header. */
  maxPixels: number;
}

/**
 * Opens a document just far enough to count its pages.
 * @throws DocumentError encrypted, wrong-password, damaged, no-pages, too-large
 */
export async function countPages(path: string, mimeType: string, options: CountPagesOptions): Promise<number> {
  if (mimeType === PDF_TYPE) {
    const { openPdf } = await import('./pdf-files/pdfium/pdfium.js');
    const pdf = await openPdf(path, options.password);
    pdf.close();
    return pdf.pageCount;
  }
  const { readImageHeader } = await import('./stages/picture/decode/image-header.js');
  const header = await readImageHeader(path, mimeType, options.maxPixels);
  if (header.pageCount < 1) throw new DocumentError('no-pages', 'the image has no pages');
  return header.pageCount;
}
