import type { Glyph } from './read-glyph.js';

/** A word of the text layer, in points from the top left of the page as it is displayed; its origin is its first glyph's. */
export interface RawWord extends Glyph {
  text: string;
  fontSize: number;
  bold: boolean;
  italic: boolean;
  /** Clockwise turn of the glyphs on the displayed page, in whole degrees from 0 to 359; a small lean is left out. */
  angle: number;
  /** Number of its typeface on the page. */
  face?: number;
  /** True when no space stands before it: a raised figure after a word. */
  glued?: boolean;
  /** True where the PDF moves on to it without a space, though the page's words have spaces between them: it begins a cell. */
  placed?: boolean;
  /** True for a font of pictures (Wingdings and its like): its characters are not what is seen. */
  pictorial?: boolean;
  /** The target of a link. */
  link?: string;
  /** True for a font whose letters are all equally wide. */
  monospaced?: boolean;
  /** True where the PDF marks it as no content of the page. */
  artifact?: boolean;
}

export interface TextLayer {
  /** Words in the order of the content stream, those on the page only. */
  words: RawWord[];
  /** Counts for the verdict: all glyphs, those without a trustworthy character, those off the page. */
  glyphs: number;
  unmapped: number;
  /** Glyphs without a trustworthy character that stand in long runs: words are lost, not signs among words. */
  lost: number;
  /** Glyphs without a trustworthy character that have each of the codes below 128. */
  byCode?: number[];
  offPage: number;
  /** Characters on the page itself, where annotations show text too. */
  own?: number;
  /** Names of the fonts of invisible letters: the file does not contain them, and nothing is drawn in their place. */
  absentFonts?: string[];
}
