import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';

/** The place of a glyph on the displayed page, in points: its box, and its origin on the base line. */
export interface Glyph {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  originX: number;
  originY: number;
}

/** Reach over the base line and under it, in ems. */
const ASCENT = 0.75;
const DESCENT = 0.25;

/** A glyph of upright text as high as its size says, for fonts whose boxes say nothing. */
export function standOnLine(glyph: Readonly<Glyph>, fontSize: number): Glyph {
  return { ...glyph, y0: glyph.originY - fontSize * ASCENT, y1: glyph.originY + fontSize * DESCENT };
}

/** Creates a reader that returns the same object each time: one for each of a book's glyphs would cost as much as reading them does. */
export function createGlyphReader(
  pdfium: Pdfium,
  text: number,
  scratch: number,
  { toDisplay: { ax, bx, cx, ay, by, cy } }: PageFrame,
): (index: number) => Readonly<Glyph> {
  const glyph: Glyph = { x0: 0.5, y0: 0.5, x1: 0.5, y1: 0.5, originX: 0.5, originY: 0.5 };
  const box = scratch >> 2;
  const origin = (scratch + 16) >> 3;
  return (index) => {
    pdfium._FPDFText_GetLooseCharBox(text, index, scratch);
    pdfium._FPDFText_GetCharOrigin(text, index, scratch + 16, scratch + 24);
    const { HEAPF32: floats, HEAPF64: doubles } = pdfium;
    // The numbers are read one by one: an array for each of a book's glyphs is a sixth of all that reading it allocates.
    const left = floats[box] ?? 0;
    const top = floats[box + 1] ?? 0;
    const right = floats[box + 2] ?? 0;
    const bottom = floats[box + 3] ?? 0;
    const pdfX = doubles[origin] ?? 0;
    const pdfY = doubles[origin + 1] ?? 0;
    const fromX = ax * left + bx * top + cx;
    const toX = ax * right + bx * bottom + cx;
    const fromY = ay * left + by * top + cy;
    const toY = ay * right + by * bottom + cy;
    glyph.x0 = Math.min(fromX, toX);
    glyph.x1 = Math.max(fromX, toX);
    glyph.y0 = Math.min(fromY, toY);
    glyph.y1 = Math.max(fromY, toY);
    glyph.originX = ax * pdfX + bx * pdfY + cx;
    glyph.originY = ay * pdfX + by * pdfY + cy;
    return glyph;
  };
}
