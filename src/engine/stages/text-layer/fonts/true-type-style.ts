import { findTable } from './true-type-glyphs.js';

/** Offset of the style in the table `head`, and its bit for bold type. Source: OpenType 1.9, `head`. */
const STYLE_OFFSET = 44;
const BOLD = 1;

/** True when a TrueType font says that it is bold; false for fonts of other kinds, which do not say so. */
export function isBoldFont(font: Uint8Array): boolean {
  try {
    const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
    const head = findTable(view, 'head');
    return head !== undefined && (view.getUint16(head + STYLE_OFFSET) & BOLD) !== 0;
  } catch (error) {
    // A damaged font points beyond its end.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
