import { DocumentError } from '../../model/document-error.js';
import { openPdf, type PdfDocument } from './pdfium.js';

/** Opening the document anew takes some 100 ms: of one made to trap on every page no more is tried. */
const MOST_TRAPS = 20;

/** A PDF that is opened anew where PDFium trapped, so that a page costs no more than itself. */
export interface SturdyPdf {
  pageCount: number;
  /** What `work` gives; undefined where the document's damage kept it from giving anything. Throws errors that are not damage, and DocumentError after too many traps. */
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
        if (!(error instanceof DocumentError) || error.reason !== 'damaged' || ++traps > MOST_TRAPS) throw error;
        // Nothing is to be called of an instance that trapped, not even to close it.
        pdf = undefined;
        return undefined;
      }
    },
    close: () => pdf?.close(),
  };
}
