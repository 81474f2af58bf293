import type { Glyph } from './read-glyph.js';

/** A word of the text layer, in points from the top left of the page as it is displayed; its origin is its first glyph's. */
export interface RawWord extends Glyph {
  text: string;
  fontSize: number;
  bold: boolean;
  italic: boolean;
  /** Clockwise turn of the glyphs on the displayed page, in whole degrees from 0 to 359: of what leans a little, that of what it leans from. */
  angle: number;
  /** Which of the page's typefaces. */
  face?: number;
  /** No space stands before it: a raised figure after a word. */
  glued?: boolean;
  /** Set in a font of pictures (Wingdings and its like): its characters are not what is seen. */
  pictorial?: boolean;
  /** Where it leads to. */
  link?: string;
  /** Set in a font whose letters are all equally wide. */
  monospaced?: boolean;
}

export interface TextLayer {
  /** In the order of the content stream, those on the page only. */
  words: RawWord[];
  /** What the verdict needs: glyphs seen, without a trustworthy character, and off the page. */
  glyphs: number;
  unmapped: number;
  /** Glyphs without a trustworthy character that have each of the codes below 128. */
  byCode?: number[];
  offPage: number;
  /** Characters that stand on the page itself, where annotations show text too. */
  own?: number;
  /** Names of the fonts of letters that nobody sees: the file has them not, and nothing is drawn in their place. */
  absentFonts?: string[];
}
