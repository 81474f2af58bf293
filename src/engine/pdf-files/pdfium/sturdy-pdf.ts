import { DocumentError } from '../../model/document-error.js';
import { openPdf, type PdfDocument } from './pdfium.js';

/** Opening the document anew takes some 100 ms: a file made to trap on every page is given up after so many. */
const MAX_TRAPS = 20;

/** A PDF that is opened anew after a trap of PDFium, so that a bad page costs no more than itself. */
export interface SturdyPdf {
  pageCount: number;
  /**
   * Returns the result of `work`; undefined where damage kept it from giving any. Throws errors that are not damage,
   * and DocumentError after too many traps.
   */
  use<T>(work: (pdf: PdfDocument) => T | Promise<T>): Promise<T | undefined>;
  close(): void;
}

/** Throws DocumentError as openPdf does. */
export async function openSturdyPdf(path: string, password: string | undefined): Promise<SturdyPdf> {
  let pdf: PdfDocument | undefined = await openPdf(path, password);
  const { pageCount } = pdf;
  let traps = 0;
  return {
    pageCount,
    use: async (work) => {
      pdf ??= await openPdf(path, password);
      try {
        return await work(pdf);
      } catch (error) {
        if (!(error instanceof DocumentError) || error.reason !== 'damaged' || ++traps > MAX_TRAPS) throw error;
        // An instance that trapped must not be called again, not even to close the document.
        pdf = undefined;
        return undefined;
      }
    },
    close: () => pdf?.close(),
  };
}
