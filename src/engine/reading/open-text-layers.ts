import type { PdfDocument } from '../pdf-files/pdfium/pdfium.js';
import { openSturdyPdf } from '../pdf-files/pdfium/sturdy-pdf.js';
import { placeWords } from '../stages/text-layer/place-words.js';
import { readPdfPage } from '../stages/text-layer/read-page.js';
import { judgeTextLayer, mayHoldText } from '../stages/text-layer/text-layer-verdict.js';
import { findUnreadPictures, type UnreadPicture } from '../stages/text-layer/unread-pictures.js';
import type { TextLayerPage } from './packed-page.js';
import { findPrinted } from './printed-pictures.js';

/** The text layers of an open PDF. */
export interface TextLayerReader {
  pageCount: number;
  /** Reads a page by its number, from 1; undefined if it is damaged. Throws DocumentError when nothing more of the document can be read. */
  read(number: number): Promise<TextLayerPage | undefined>;
  close(): void;
}

/** Opens the text layers of a PDF. `findsPrint`: pictures with lines of print are looked for on pages that keep their text layer. Throws DocumentError as openPdf does. */
export async function openTextLayers(
  path: string,
  password: string | undefined,
  findsPrint: boolean,
): Promise<TextLayerReader> {
  const { pageCount, use, close } = await openSturdyPdf(path, password);
  const read = async (number: number): Promise<TextLayerPage | undefined> => {
    const found = await use((pdf) => readPage(pdf, number));
    if (found === undefined) return undefined;
    const { page, unread } = found;
    const place = { number, rotation: page.content.rotation };
    if (!findsPrint || unread.length === 0) return page;
    // A picture on which PDFium traps costs no more than its print.
    return { ...page, printed: (await use((pdf) => findPrinted(pdf, place, unread))) ?? [] };
  };
  return { pageCount, read, close };
}

function readPage(pdf: PdfDocument, number: number): { page: TextLayerPage; unread: UnreadPicture[] } | undefined {
  const read = readPdfPage(pdf, number - 1);
  if (read === undefined) return undefined;
  const { ink } = read.drawing;
  const textLayer = judgeTextLayer(read.layer, ink);
  const page: TextLayerPage = {
    ...{ number, content: placeWords(read), textLayer, holdsMore: mayHoldText(ink), printed: [] },
    absentFonts: read.layer.absentFonts ?? [],
  };
  return { page, unread: textLayer.verdict === 'trusted' ? findUnreadPictures(read) : [] };
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
