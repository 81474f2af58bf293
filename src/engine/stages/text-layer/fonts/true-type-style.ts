import { findTable, readTrueType } from './true-type.js';

/** Offset of the style in the table `head`, and its bits. Source: OpenType 1.9, `head`. */
const STYLE_OFFSET = 44;
const BOLD = 1;
const ITALIC = 2;

interface TypeStyle {
  bold: boolean;
  italic: boolean;
}

/** Reads what a TrueType font says of its type; plain for fonts of other kinds, which say nothing. */
export const readTypeStyle = (font: Uint8Array): TypeStyle =>
  readTrueType(font, readHead) ?? { bold: false, italic: false };

function readHead(font: DataView): TypeStyle | undefined {
  const head = findTable(font, 'head');
  if (head === undefined) return undefined;
  const style = font.getUint16(head + STYLE_OFFSET);
  return { bold: (style & BOLD) !== 0, italic: (style & ITALIC) !== 0 };
}
