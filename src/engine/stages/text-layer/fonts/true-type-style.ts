import { findTable, readTrueType } from './true-type.js';

/** Offset of the style in the table `head`, and its bit for bold type. Source: OpenType 1.9, `head`. */
const STYLE_OFFSET = 44;
const BOLD = 1;

/** True when a TrueType font says that it is bold; false for fonts of other kinds, which do not say so. */
export const isBoldFont = (font: Uint8Array): boolean => readTrueType(font, hasBoldStyle) === true;

function hasBoldStyle(font: DataView): boolean {
  const head = findTable(font, 'head');
  return head !== undefined && (font.getUint16(head + STYLE_OFFSET) & BOLD) !== 0;
}
