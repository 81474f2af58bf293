import { characterOf } from '../fonts/characters.js';
import type { PageText } from './page-text.js';

/** Least gap between letters that are spaced out, and largest difference from letter to letter, in ems. */
const MIN_LETTER_SPACE_EM = 0.05;
const SAME = 0.01;

const isLetter = (code: number): boolean => /\p{L}/u.test(characterOf(code));

/**
 * True when a space that PDFium added before a glyph is no more than the gap between the letters beside it. PDFium
 * takes the end of a text object for the end of a word where letters are spaced out.
 */
export function isSpacedOut(text: PageText, space: number, index: number): boolean {
  const isNone = isAsBeside(text, space, index);
  // All glyphs share one object.
  text.glyphAt(index);
  return isNone;
}

function isAsBeside(text: PageText, space: number, index: number): boolean {
  if (space !== index - 1 || space < 1 || !isAdded(text, space)) return false;
  const gap = gapBefore(text, space - 1, index);
  if (gap === undefined || gap < MIN_LETTER_SPACE_EM) return false;
  const isSame = (other: number | undefined): boolean => other !== undefined && Math.abs(other - gap) < SAME;
  return (
    (space > 1 && isSame(gapBefore(text, space - 2, space - 1))) ||
    (index + 1 < text.count && isSame(gapBefore(text, index, index + 1)))
  );
}

/** True for a space that PDFium added: it has no width. */
function isAdded(text: PageText, space: number): boolean {
  const { x0, x1 } = text.glyphAt(space);
  return x0 === x1;
}

/** The gap in ems; undefined where the two are not letters of one line and size. */
function gapBefore(text: PageText, left: number, right: number): number | undefined {
  const { fontSize, angle, face } = text.styleAt(right);
  const before = text.styleAt(left);
  if (angle !== 0 || before.angle !== 0 || before.face !== face || before.fontSize !== fontSize) return undefined;
  if (!isLetter(text.codeAt(left)) || !isLetter(text.codeAt(right))) return undefined;
  const { x1, originY } = text.glyphAt(left);
  const glyph = text.glyphAt(right);
  return glyph.originY === originY ? (glyph.x0 - x1) / fontSize : undefined;
}
