import { isBreak } from '../fonts/characters.js';
import type { RunStyle } from '../fonts/run-style.js';
import type { PageText } from './page-text.js';
import type { RawWord } from './raw-word.js';
import type { Glyph } from './read-glyph.js';

/** In ems: what lies between letters that are set close; what is more than they are kerned apart, and than lies between those before it. */
const CLOSE = 0.05;
const LEAST_JUMP = 0.115;
const LEAST_RISE = 0.1;
/** Letters set close, in a row: by so many a run shows that it is not spaced out. */
const LEAST_CLOSE = 2;
/** Glyphs after a jump, of which one has to be set close again: a word of one letter may stand between two jumps. */
const MOST_AHEAD = 2;

const SPACE = 0x20;

/** Is a glyph, with its index and characters, over a space from the word before it? */
export type JumpFinder = (
  word: RawWord,
  style: RunStyle,
  glyph: Readonly<Glyph>,
  index: number,
  characters: string,
) => boolean;

/**
 * Tells where letters that are set close jump to the next word: PDFium measures a jump by the letters beside it, and takes
 * jumps that are all alike ("of a c") for spaced letters.
 */
export function createJumpFinder(text: PageText): JumpFinder {
  let close = 0;
  /** Between the letters that are set close, in ems. */
  let sum = 0;
  let run: RunStyle | undefined;
  /** A ligature's letters stand at one place, and their boxes do not tell where it ends. So do the spaces that PDFium adds. */
  const isAfterLigature = (index: number): boolean =>
    text.glyphAt(index - 1).originX === text.glyphAt(index - 2).originX && text.codeAt(index - 2) !== SPACE;
  const goesOnClose = (index: number, fontSize: number): boolean => {
    let end = text.glyphAt(index).x1;
    for (let next = index + 1; next <= index + MOST_AHEAD && next < text.count; next++) {
      if (isBreak(text.codeAt(next))) return next === index + 1;
      const { x0, x1 } = text.glyphAt(next);
      if (x0 - end < fontSize * CLOSE) return true;
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
    if (gap < style.fontSize * CLOSE) {
      close++;
      sum += gap / style.fontSize;
      return false;
    }
    if (gap / style.fontSize - sum / close < LEAST_RISE) return false;
    const isWide =
      close >= LEAST_CLOSE &&
      gap > style.fontSize * LEAST_JUMP &&
      style.angle === 0 &&
      Math.abs(glyph.originY - word.originY) < style.fontSize * CLOSE &&
      /\p{L}$/u.test(word.text) &&
      /^\p{L}/u.test(characters);
    const jumps = isWide && !isAfterLigature(index) && goesOnClose(index, style.fontSize);
    // There is one object for all glyphs.
    if (isWide) text.glyphAt(index);
    if (!jumps) close = sum = 0;
    return jumps;
  };
}
