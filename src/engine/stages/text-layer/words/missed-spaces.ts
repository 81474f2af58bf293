import { isBreak } from '../fonts/characters.js';
import type { RunStyle } from '../fonts/run-style.js';
import type { PageText } from './page-text.js';
import type { RawWord } from './raw-word.js';
import type { Glyph } from './read-glyph.js';

/** Gaps in ems: between letters that are set close; of a jump; and of a jump beyond the gaps before it, which kerning does not reach. */
const MAX_CLOSE_GAP_EM = 0.05;
const MIN_JUMP_EM = 0.115;
const MIN_JUMP_RISE_EM = 0.1;
/** Letters set close, in a row: so many show that a run is not spaced out. */
const MIN_CLOSE_LETTERS = 2;
/** Glyphs after a jump, of which one has to be set close again: a word of one letter may stand between two jumps. */
const MAX_GLYPHS_AHEAD = 2;

const SPACE = 0x20;

/** True when a glyph, with its index and characters, stands over a space from the word before it. */
export type JumpFinder = (
  word: RawWord,
  style: RunStyle,
  glyph: Readonly<Glyph>,
  index: number,
  characters: string,
) => boolean;

/**
 * Finds jumps to the next word among letters that are set close: PDFium measures a jump by the letters beside it, and
 * takes jumps that are all alike ("of a c") for spaced letters.
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
  return (word, style, glyph, index, characters) => {
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
}
