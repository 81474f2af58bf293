import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import { type RunStyle, StyleReader } from '../fonts/run-style.js';
import { createGlyphReader, type Glyph } from './read-glyph.js';

/** The characters of a page, by their index in PDFium's order. */
export interface PageText {
  count: number;
  codeAt(index: number): number;
  /** True when its font has no character for its glyph; the code is the one in the font then. */
  isUnmapped(index: number): boolean;
  /** Handle of the text object that draws it. */
  objectAt(index: number): number;
  styleAt(index: number): RunStyle;
  /** Returns the same object each time. */
  glyphAt(index: number): Readonly<Glyph>;
}

/** Gives `work` the text of a page, which is closed afterwards. */
export function withPageText<T>(
  pdfium: Pdfium,
  page: number,
  frame: PageFrame,
  work: (text: PageText, handle: number) => T,
): T {
  const handle = pdfium._FPDFText_LoadPage(page);
  const scratch = pdfium._malloc(64);
  try {
    const styles = new StyleReader(pdfium, handle, scratch, frame);
    const text: PageText = {
      count: pdfium._FPDFText_CountChars(handle),
      codeAt: (index) => pdfium._FPDFText_GetUnicode(handle, index),
      isUnmapped: (index) => pdfium._FPDFText_HasUnicodeMapError(handle, index) === 1,
      objectAt: (index) => pdfium._FPDFText_GetTextObject(handle, index),
      styleAt: (index) => styles.styleAt(index),
      glyphAt: createGlyphReader(pdfium, handle, scratch, frame),
    };
    return work(text, handle);
  } finally {
    pdfium._free(scratch);
    pdfium._FPDFText_ClosePage(handle);
  }
}
