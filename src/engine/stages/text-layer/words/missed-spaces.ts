import { isBreak } from '../fonts/characters.js';
import type { RunStyle } from '../fonts/run-style.js';
import type { PageText } from './page-text.js';
import type { RawWord } from './raw-word.js';
import type { Glyph } from './read-glyph.js';

/** Gaps in ems: between letters that are set close; of a jump; and of a jump beyond the gaps before it, which kerning does not reach. */
const MAX_CLOSE_GAP_EM = 0.05;
const MIN_JUMP_EM = 0.115;
const MIN_JUMP_RISE_EM = 0.1;
/** Gap before a text object at a figure, which hardly any typeface kerns apart, and its rise over those beside it, in ems. */
const MIN_MOVE_EM = 0.11;
const MIN_MOVE_RISE_EM = 0.05;
/** Letters set close, in a row: so many show that a run is not spaced out. */
const MIN_CLOSE_LETTERS = 2;
/** Glyphs after a jump, of which one has to be set close again: a word of one letter may stand between two jumps. */
const MAX_GLYPHS_AHEAD = 2;

const SPACE = 0x20;

/** Tells whether a glyph, with its index and characters, stands over a space from the word before it. */
export interface JumpFinder {
  /** True for a jump among letters that are set close. */
  isJump(word: RawWord, style: RunStyle, glyph: Readonly<Glyph>, index: number, characters: string): boolean;
  /** True for a jump before the first glyph of a text object, to or from a figure: the PDF moves on to a number. */
  isMove(word: RawWord, style: RunStyle, glyph: Readonly<Glyph>, index: number, characters: string): boolean;
}

/**
 * Finds jumps to the next word among letters that are set close, and moves to numbers: PDFium measures a jump by the
 * letters beside it, and takes jumps that are all alike ("of a c") for spaced letters.
 */
export function createJumpFinder(text: PageText): JumpFinder {
  let close = 0;
  /** Sum of the gaps between letters that are set close, in ems. */
  let sum = 0;
  let run: RunStyle | undefined;
  /** A ligature's letters stand at one place, and their boxes do not show its end. So do the spaces that PDFium adds. */
  const isAfterLigature = (index: number): boolean =>
    text.glyphAt(index - 1).originX === text.glyphAt(index - 2).originX && text.codeAt(index - 2) !== SPACE;
  const continuesClosely = (index: number, fontSize: number): boolean => {
    let end = text.glyphAt(index).x1;
    for (let next = index + 1; next <= index + MAX_GLYPHS_AHEAD && next < text.count; next++) {
      if (isBreak(text.codeAt(next))) return next === index + 1;
      const { x0, x1 } = text.glyphAt(next);
      if (x0 - end < fontSize * MAX_CLOSE_GAP_EM) return true;
      end = x1;
    }
    return false;
  };
  const isJump: JumpFinder['isJump'] = (word, style, glyph, index, characters) => {
    if (style !== run) {
      if (style.face !== run?.face || style.fontSize !== run?.fontSize) close = sum = 0;
      run = style;
    }
    const gap = glyph.x0 - word.x1;
    if (gap < style.fontSize * MAX_CLOSE_GAP_EM) {
      close++;
      sum += gap / style.fontSize;
      return false;
    }
    if (gap / style.fontSize - sum / close < MIN_JUMP_RISE_EM) return false;
    const isWide =
      close >= MIN_CLOSE_LETTERS &&
      gap > style.fontSize * MIN_JUMP_EM &&
      style.angle === 0 &&
      Math.abs(glyph.originY - word.originY) < style.fontSize * MAX_CLOSE_GAP_EM &&
      /\p{L}$/u.test(word.text) &&
      /^\p{L}/u.test(characters);
    const jumps = isWide && !isAfterLigature(index) && continuesClosely(index, style.fontSize);
    // All glyphs share one object.
    if (isWide) text.glyphAt(index);
    if (!jumps) close = sum = 0;
    return jumps;
  };
  const gapBefore = (index: number): number => {
    const { x1 } = text.glyphAt(index - 1);
    return text.glyphAt(index).x0 - x1;
  };
  /** True when both glyphs are of one text object, and set closer than the gap. */
  const isCloser = (gap: number, index: number, { fontSize }: RunStyle): boolean =>
    text.styleAt(index - 1) === text.styleAt(index) && gapBefore(index) < gap - fontSize * MIN_MOVE_RISE_EM;
  /** True when the gap rises over those beside it: figures that are spaced out, or level in columns, are drawn one by one. */
  const rises = (gap: number, index: number, style: RunStyle, isLone: boolean): boolean => {
    const isLast = index + 1 >= text.count || isBreak(text.codeAt(index + 1));
    if (isLone && isLast) return false;
    if (!isLone && (isAfterLigature(index) || !isCloser(gap, index - 1, style))) return false;
    return isLast || isCloser(gap, index + 1, style);
  };
  const isMove: JumpFinder['isMove'] = (word, style, glyph, index, characters) => {
    const gap = glyph.x0 - word.x1;
    if (!(gap > style.fontSize * MIN_MOVE_EM) || isBreak(text.codeAt(index - 1))) return false;
    if (!meetsFigure(word, style, characters)) return false;
    const isLevel = Math.abs(glyph.originY - word.originY) < style.fontSize * MAX_CLOSE_GAP_EM;
    if (!isLevel || style.angle !== 0 || style.fontSize !== word.fontSize) return false;
    const moves = rises(gap, index, style, [...word.text].length === 1);
    // All glyphs share one object.
    text.glyphAt(index);
    return moves;
  };
  return { isJump, isMove };
}

/** True where the end of a word and these characters are both figures, or one is and the other a letter or a currency of its face. */
function meetsFigure({ text, face }: RawWord, style: RunStyle, characters: string): boolean {
  const [isFromFigure, isToFigure] = [/\p{Nd}$/u.test(text), /^\p{Nd}/u.test(characters)];
  if (isFromFigure && isToFigure) return true;
  if (face !== style.face || isFromFigure === isToFigure) return false;
  return isFromFigure ? /^[\p{L}\p{Sc}]/u.test(characters) : /[\p{L}\p{Sc}%]$/u.test(text);
}
