import type { PdfDocument, Pdfium } from '../../pdf-files/pdfium/pdfium.js';
import { readWideString } from './wide-string.js';

const MAX_ITEMS = 5000;
const MAX_OUTLINE_DEPTH = 16;

/** A bookmark. */
export interface OutlineItem {
  title: string;
  /** Level, from 1. */
  level: number;
  /** Target page, from 1; null when the target is not a page of the document. */
  page: number | null;
}

/** Reads the outline (bookmarks) in the order in which it is shown. */
export function readOutline({ pdfium, handle, pageCount }: PdfDocument): OutlineItem[] {
  const items: OutlineItem[] = [];
  // A bookmark may claim to be its own child.
  const seen = new Set<number>();
  const visit = (parent: number, level: number): void => {
    let bookmark = pdfium._FPDFBookmark_GetFirstChild(handle, parent);
    while (bookmark !== 0 && !seen.has(bookmark) && items.length < MAX_ITEMS) {
      seen.add(bookmark);
      items.push({ title: readTitle(pdfium, bookmark), level, page: readPage(pdfium, handle, bookmark, pageCount) });
      if (level < MAX_OUTLINE_DEPTH) visit(bookmark, level + 1);
      bookmark = pdfium._FPDFBookmark_GetNextSibling(handle, bookmark);
    }
  };
  visit(0, 1);
  return items;
}

function readTitle(pdfium: Pdfium, bookmark: number): string {
  return readWideString(pdfium, (buffer, size) => pdfium._FPDFBookmark_GetTitle(bookmark, buffer, size))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function readPage(pdfium: Pdfium, document: number, bookmark: number, pageCount: number): number | null {
  const own = pdfium._FPDFBookmark_GetDest(document, bookmark);
  const action = own === 0 ? pdfium._FPDFBookmark_GetAction(bookmark) : 0;
  const destination = action === 0 ? own : pdfium._FPDFAction_GetDest(document, action);
  if (destination === 0) return null;
  const index = pdfium._FPDFDest_GetDestPageIndex(document, destination);
  return index >= 0 && index < pageCount ? index + 1 : null;
}
