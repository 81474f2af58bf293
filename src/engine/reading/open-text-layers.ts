import type { PdfDocument } from '../pdf-files/pdfium/pdfium.js';
import { openSturdyPdf } from '../pdf-files/pdfium/sturdy-pdf.js';
import { placeWords } from '../stages/text-layer/place-words.js';
import { readPdfPage } from '../stages/text-layer/read-page.js';
import { judgeTextLayer, mayHoldText } from '../stages/text-layer/text-layer-verdict.js';
import type { TextLayerPage } from './packed-page.js';

/** The text layers of an open PDF. */
export interface TextLayerReader {
  pageCount: number;
  /** Reads a page by its number, from 1; undefined if it is damaged. Throws DocumentError when nothing more of the document can be read. */
  read(number: number): Promise<TextLayerPage | undefined>;
  close(): void;
}

/** Opens the text layers of a PDF. Throws DocumentError as openPdf does. */
export async function openTextLayers(path: string, password: string | undefined): Promise<TextLayerReader> {
  const { pageCount, use, close } = await openSturdyPdf(path, password);
  return { pageCount, read: (number) => use((pdf) => readPage(pdf, number)), close };
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
    absentFonts: page.layer.absentFonts ?? [],
  };
}

/** Yields the caller's chunks of `count` pages: several threads take theirs from the counter `next` as they become free. */
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
  /** Index of its first page, and of the page after its last. */
  from: number;
  to: number;
}
