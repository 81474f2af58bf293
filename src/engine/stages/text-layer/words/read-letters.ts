import {
  characterOf,
  isBreak,
  isDoubtful,
  isMeaningless,
  isNothing,
  REPLACEMENT,
  SOFT_HYPHEN,
  UNKNOWN_SIGN,
} from '../fonts/characters.js';
import type { OrderedGlyphReader } from '../fonts/glyph-order.js';
import type { NamedGlyphReader } from '../fonts/named-glyphs.js';
import { FIRST_SYMBOL, symbolSign } from '../fonts/symbol-signs.js';
import type { AccentedLetters } from './accents-apart.js';
import type { PageText } from './page-text.js';
import type { TextLayer } from './raw-word.js';
import type { Glyph } from './read-glyph.js';

/** Sources of the characters of glyphs that PDFium has none for, or wrong ones. */
export interface CodeSources {
  byName: NamedGlyphReader;
  byOrder: OrderedGlyphReader;
}

export interface LetterSources extends CodeSources {
  accented: AccentedLetters;
}

type Origin = Pick<Glyph, 'originX' | 'originY'>;

/** Reads the character of each glyph of a page's text. */
export class CodeReader {
  /** The last character: its code, and its characters by its name or its font's order. */
  code = 0;
  named: string | undefined;
  isUnmapped = false;

  constructor(
    private readonly text: PageText,
    private readonly sources: CodeSources,
  ) {}

  /** The code of a character, which may be a break; 0 where it has none. */
  codeAt(index: number): number {
    let code = this.text.codeAt(index);
    // PDFium names the glyphs whose font maps them to nothing, and gives their codes in the font, which may be those of breaks.
    this.isUnmapped = this.text.isUnmapped(index);
    this.named = this.isUnmapped || isDoubtful(code) ? this.nameOf(index, code) : undefined;
    if (code >= FIRST_SYMBOL) this.named ??= this.signOf(index, code);
    if (this.named !== undefined) code = this.named.codePointAt(0) ?? 0;
    else if (code === 32) this.isUnmapped = false;
    else if (this.isUnmapped && code < 32) code = 0;
    this.code = code;
    return code;
  }

  private signOf(index: number, code: number): string | undefined {
    const sign = symbolSign(code);
    return sign !== undefined && this.text.styleAt(index).symbolic ? sign : undefined;
  }

  private nameOf(index: number, code: number): string | undefined {
    const { byName, byOrder } = this.sources;
    const object = this.text.objectAt(index);
    const width = () => {
      const { fontSize, angle } = this.text.styleAt(index);
      const { x0, y0, x1, y1 } = this.text.glyphAt(index);
      return (angle % 180 === 0 ? x1 - x0 : y1 - y0) / fontSize;
    };
    // PDFium takes the glyph 0 for none, which is a space in some orders.
    if (code === 0 && byOrder(object, code) === ' ') return ' ';
    if (!this.isUnmapped)
      return byName.correct(object, code, width) ?? (code === 0 ? this.firstOf(object, width) : undefined);
    return byName.read(object, code, width) ?? byOrder(object, code);
  }

  /** The letter of the code 0, for fonts that count from it: PDFium does not call it unmapped. */
  private firstOf(object: number, width: () => number): string | undefined {
    const text = this.sources.byName.read(object, 0, width);
    return text !== undefined && /^\p{L}/u.test(text) ? text : undefined;
  }
}

/** Glyphs without characters in a row that were words: signs in formulas stand alone or a few together. */
const MIN_LOST_RUN = 8;

/** Reads the text of each character of a page, and counts in its layer the characters that no source knows. */
export class LetterReader {
  private readonly codes: CodeReader;
  /** Glyphs without characters in a row, up to the last one. */
  private run = 0;

  constructor(
    private readonly text: PageText,
    private readonly sources: LetterSources,
    private readonly layer: TextLayer,
  ) {
    this.codes = new CodeReader(text, sources);
  }

  codeAt(index: number): number {
    return this.codes.codeAt(index);
  }

  /** The letters of the glyph of the last code; undefined where it shows nothing of its own. */
  lettersAt(index: number, beginsLine: boolean, last: Origin): string | undefined {
    const { code, named, isUnmapped } = this.codes;
    this.layer.glyphs++;
    if (named === undefined ? isUnmapped || isMeaningless(code) : code === REPLACEMENT) this.countUnmapped(code);
    else this.run = 0;
    const isSign = isUnmapped && isNothing(code) && beginsLine && this.beginsItem(index);
    if (isNothing(code) && !isSign) return undefined;
    if (code === SOFT_HYPHEN && this.isOfNeighbour(index, last)) return undefined;
    const { accented } = this.sources;
    const accentedLetter = accented.size > 0 ? accented.get(index) : undefined;
    if (accentedLetter === '') return undefined;
    return isSign ? UNKNOWN_SIGN : (accentedLetter ?? named ?? characterOf(code));
  }

  private countUnmapped(code: number): void {
    const { layer } = this;
    layer.unmapped++;
    this.run++;
    if (this.run >= MIN_LOST_RUN) layer.lost += this.run === MIN_LOST_RUN ? MIN_LOST_RUN : 1;
    if (code >= 128) return;
    layer.byCode ??= Array.from({ length: 128 }, () => 0);
    layer.byCode[code] = (layer.byCode[code] ?? 0) + 1;
  }

  /** True when a letter stands behind it, apart: such a sign at the beginning of a line is mostly a bullet. */
  private beginsItem(index: number): boolean {
    const { text } = this;
    return (
      index + 2 < text.count &&
      text.codeAt(index + 1) === 32 &&
      /[\p{L}\p{N}]/u.test(characterOf(text.codeAt(index + 2)))
    );
  }

  /** True for a soft hyphen that belongs to the text of the glyph before it or after it, as some programs write it. */
  private isOfNeighbour(index: number, last: Origin): boolean {
    const { text } = this;
    const { originX, originY } = text.glyphAt(index);
    if (originX === last.originX && originY === last.originY) return true;
    if (index + 1 >= text.count || isBreak(text.codeAt(index + 1))) return false;
    const next = text.glyphAt(index + 1);
    return next.originX === originX && next.originY === originY;
  }
}
