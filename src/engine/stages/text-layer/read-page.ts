import { drawAnnotations, haveText } from '../../pdf-files/pdfium/annotations.js';
import { readPageFrame } from '../../pdf-files/pdfium/page-frame.js';
import { guard, type PdfDocument, type Pdfium } from '../../pdf-files/pdfium/pdfium.js';
import { type PageDrawing, readDrawing } from './drawing/read-drawing.js';
import { createNamedGlyphReader } from './fonts/named-glyphs.js';
import { type LinkArea, readLinks } from './read-links.js';
import { markFixedPitch } from './words/fixed-pitch.js';
import type { TextLayer } from './words/raw-word.js';
import { readWords } from './words/read-words.js';

export interface PdfPage {
  width: number;
  height: number;
  /** Degrees, clockwise, by which it is turned for display. */
  rotation: number;
  layer: TextLayer;
  drawing: PageDrawing;
  links: LinkArea[];
}

/** Reads the text layer of a page (index from 0) and its drawing; undefined when the page cannot be loaded, or its boxes leave no area. */
export function readPdfPage(pdf: PdfDocument, index: number): PdfPage | undefined {
  return guard(() => {
    const { pdfium } = pdf;
    let page = pdfium._FPDF_LoadPage(pdf.handle, index);
    if (page === 0) return undefined;
    try {
      const frame = readPageFrame(pdfium, page);
      if (!(frame.width > 0 && frame.height > 0)) return undefined;
      const links = readLinks(pdf, page, frame);
      let own: number | undefined;
      if (haveText(pdfium, page)) {
        own = countCharacters(pdfium, page);
        page = drawAnnotations(pdf, page, index);
        if (page === 0) return undefined;
      }
      const layer = readWords(pdfium, page, frame, createNamedGlyphReader(pdf, index));
      if (own !== undefined) layer.own = own;
      markFixedPitch(layer.words);
      const drawing = readDrawing(pdfium, page, frame);
      const { width, height, rotation } = frame;
      return { width, height, rotation, layer, drawing, links };
    } finally {
      if (page !== 0) pdfium._FPDF_ClosePage(page);
    }
  });
}

function countCharacters(pdfium: Pdfium, page: number): number {
  const text = pdfium._FPDFText_LoadPage(page);
  const count = pdfium._FPDFText_CountChars(text);
  pdfium._FPDFText_ClosePage(text);
  return count;
}
