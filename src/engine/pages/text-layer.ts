import { DocumentError } from '../document-error.js';
import { placeWords } from '../layout/place-words.js';
import { openPdf, type PdfDocument } from '../pdf/pdfium.js';
import { readPdfPage } from '../pdf/read-page.js';
import { judgeTextLayer, mayHoldText } from '../text-layer-verdict.js';
import type { TextLayerPage } from './packed-page.js';

/** Opening the document anew takes some 100 ms: of one made to trap on every page no more is tried. */
const MOST_TRAPS = 20;

/** The text layers of an open PDF. */
export interface TextLayerReader {
  pageCount: number;
  /** A page by its number, from 1; undefined where it is damaged. Throws DocumentError when nothing more of the document can be read. */
  read(number: number): Promise<TextLayerPage | undefined>;
  close(): void;
}

/** Throws DocumentError as openPdf does. */
export async function openTextLayers(path: string, password: string | undefined): Promise<TextLayerReader> {
  let pdf: PdfDocument | undefined = await openPdf(path, password);
  const { pageCount } = pdf;
  let traps = 0;
  return {
    pageCount,
    read: async (number) => {
      pdf ??= await openPdf(path, password);
      try {
        return readPage(pdf, number);
      } catch (error) {
        if (!(error instanceof DocumentError) || ++traps > MOST_TRAPS) throw error;
        // PDFium trapped: the page is lost, and with it the instance, which nothing is to be called of any more.
        pdf = undefined;
        return undefined;
      }
    },
    close: () => pdf?.close(),
  };
}

function readPage(pdf: PdfDocument, number: number): TextLayerPage | undefined {
  const page = readPdfPage(pdf, number - 1);
  if (page === undefined) return undefined;
  const { ink } = page.drawing;
  return {
    number,
    content: placeWords(page),
    textLayer: judgeTextLayer(page.layer, ink),
    holdsMore: mayHoldText(ink),
  };
}

/** The chunks of `count` pages that the caller gets: several threads take theirs from one counter, each as it is free. */
export function* chunksOf(count: number, chunkSize: number, next: Int32Array): Generator<PageChunk> {
  for (;;) {
    const chunk = Atomics.add(next, 0, 1);
    const from = chunk * chunkSize;
    if (from >= count) return;
    yield { chunk, from, to: Math.min(count, from + chunkSize) };
  }
}

export interface PageChunk {
  chunk: number;
  /** Index of its first page, and of the first that is not in it any more. */
  from: number;
  to: number;
}
