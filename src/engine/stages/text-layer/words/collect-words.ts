import type { PageFrame } from '../../../pdf-files/pdfium/page-frame.js';
import { characterOf, cleanText, isBreak, isLineBreak, isSelector, LINE_END_HYPHEN } from '../fonts/characters.js';
import type { RunStyle } from '../fonts/run-style.js';
import { accent, markOf } from './accents.js';
import type { AccentApart } from './accents-apart.js';
import { type Cluster, type ClusterReader, isClustered } from './clusters.js';
import { isOverlaid, MAX_REPRINT_SHIFT_EM } from './drop-repeated.js';
import type { DroppedLetterReader } from './dropped-letters.js';
import { createJumpFinder, type JumpFinder } from './missed-spaces.js';
import type { PageText } from './page-text.js';
import { PlacedWords } from './placed-words.js';
import type { RawWord, TextLayer } from './raw-word.js';
import { type Glyph, standOnLine } from './read-glyph.js';
import { LetterReader, type LetterSources } from './read-letters.js';
import { adjoins, isMark, isRightToLeft, orderLigature, ownsMarks } from './right-to-left-letters.js';
import { isSpacedOut } from './spaced-letters.js';
import {
  continues,
  endOfWord,
  follows,
  isDot,
  isSigns,
  mayContinueWord,
  meetsLeader,
  sideOf,
  standsAtMark,
  standsAtSign,
} from './word-ends.js';

/** A smaller advance, in ems, is no space. */
const MIN_SPACE_EM = 0.05;
/** Spaces before a dash are wider, in ems, in all but the tightest lines. */
const MAX_GAP_BEFORE_HYPHEN_EM = 0.18;
const HYPHENS: ReadonlySet<number> = new Set([0x2d, 0x2010]);
/** Tolerance of steps from letter to letter, as a ratio, within which the letters are set at one pitch. */
const PITCH_TOLERANCE = 0.05;
/** Letters with a smaller gap, in ems, touch. */
const MIN_LETTER_GAP_EM = 0.02;

export interface CollectedWords {
  layer: TextLayer;
  /** Accents that stand over no letter beside them in PDFium's order. */
  apart: AccentApart[];
}

/** Collects the words of a page's text: glyphs in PDFium's order, until a space, a break or a gap ends the word. */
export const collectWords = (
  text: PageText,
  frame: PageFrame,
  sources: LetterSources,
  clusterOf: ClusterReader,
  isDropped: DroppedLetterReader,
): CollectedWords => new WordCollector(text, frame, sources, clusterOf, isDropped).collect();

class WordCollector {
  private readonly layer: TextLayer = { words: [], glyphs: 0, unmapped: 0, lost: 0, offPage: 0 };
  private readonly apart: AccentApart[] = [];
  private readonly letters: LetterReader;
  private readonly jumps: JumpFinder;
  private readonly placed: PlacedWords;

  private word: RawWord | undefined;
  private glyphsOfWord = 0;
  /** Direction of the word's glyphs: -1 to the left, 1 to the right, 0 while it is not known. */
  private heading = 0;
  private cluster: Cluster | undefined;
  /** True when the last glyph is of a cluster, whose box ends with its ink. */
  private endsInCluster = false;
  /** The letters that the word ends with: a look at its text at every letter would join that anew each time. */
  private lastLetters = '';
  /** Letters of one glyph that have been read so far. */
  private ligature = '';
  /** Marks of Hebrew or Arabic that wait for their letter. */
  private marks = '';
  /** An accent that is drawn over the next letter. */
  private accentOfNext = '';

  /** True when the next word begins without a space. */
  private isGlued = false;
  private isAfterLineBreak = false;
  /** Index of a space, while the next glyph may be drawn over it. */
  private space: number | undefined;
  /** Index of the space that the word begins behind in PDFium's order. */
  private spaceBefore: number | undefined;
  /** True when the PDF moves on to the next word, with no space in between. */
  private isPlaced = false;
  /** Place, code and index of the last glyph. */
  private readonly last = { originX: Number.NaN, originY: Number.NaN, x1: Number.NaN };
  private lastCode = 0;
  private lastIndex = 0;
  private lastStyle: RunStyle | undefined;

  constructor(
    private readonly text: PageText,
    private readonly frame: PageFrame,
    sources: LetterSources,
    private readonly clusterOf: ClusterReader,
    private readonly isDropped: DroppedLetterReader,
  ) {
    this.letters = new LetterReader(text, sources, this.layer);
    this.jumps = createJumpFinder(text);
    this.placed = new PlacedWords(text);
  }

  collect(): CollectedWords {
    for (let index = 0; index < this.text.count; index++) {
      const code = this.letters.codeAt(index);
      if (isBreak(code)) this.takeBreak(index, code);
      else this.takeGlyph(index, code);
    }
    this.addMarks();
    this.finishWord();
    this.placed.mark();
    return { layer: this.layer, apart: this.apart };
  }

  private takeBreak(index: number, code: number): void {
    // The glyph after a cluster shows whether a space is a real one.
    if (this.cluster !== undefined && code === 32) return;
    this.cluster = undefined;
    this.isAfterLineBreak = isLineBreak(code);
    if (this.isAfterLineBreak || this.word === undefined) this.endWord();
    else this.space = index;
  }

  private takeGlyph(index: number, code: number): void {
    const letters = this.letters.lettersAt(index, this.isAfterLineBreak, this.last);
    if (letters === undefined) return;
    if (isSelector(code)) {
      if (this.word !== undefined) this.word.text += letters;
      return;
    }
    const style = this.text.styleAt(index);
    if (style.absentFont !== undefined) this.noteAbsent(style.absentFont);
    let glyph = this.text.glyphAt(index);
    if (style.ownUnit) glyph = standOnLine(glyph, style.fontSize);
    if (code === this.lastCode && this.isPrintedAgain(index, glyph, style)) return;
    if (this.space !== undefined && this.word !== undefined && this.isDropped(this.lastIndex, this.space, index)) {
      this.word.text += this.lastLetters;
      this.word.x1 = Math.max(this.word.x1, glyph.x0);
      this.space = undefined;
    }
    if (this.space !== undefined && this.word !== undefined) {
      const hidesSpace =
        mayContinueWord(this.word, style, glyph, letters) && this.isDrawnOver(this.space, index, style.fontSize);
      const isOfWord =
        hidesSpace || isSpacedOut(this.text, this.space, index) || this.isLineEndHyphen(index, code, style, glyph);
      if (!isOfWord) this.endWord();
    }
    if (this.word === undefined) {
      const { space, lastStyle } = this;
      this.spaceBefore = space;
      this.isPlaced = space !== undefined && this.placed.isMovedTo(index, space, style, lastStyle);
    }
    this.space = undefined;
    this.lastCode = code;
    this.lastIndex = index;
    // Kerned letters may be drawn one by one, and PDFium takes each for the beginning of a line.
    const isApart = this.isAfterLineBreak && this.word === undefined;
    if (isApart && continues(this.layer.words.at(-1), style, glyph, this.endsInCluster))
      this.word = this.layer.words.pop();
    else if (isApart && standsAtMark(this.layer.words.at(-1), style, glyph, letters)) this.isGlued = true;
    this.isAfterLineBreak = false;
    const placed = this.placeInCluster(index, code, style, glyph);
    if (placed === undefined) return;
    if (isMark(code)) {
      this.marks += characterOf(code);
      this.last.originX = placed.originX;
      this.lastStyle = undefined;
    } else if (!this.takeAccent(index, code, style, placed)) this.addLetters(index, code, letters, style, placed);
  }

  private noteAbsent(font: string): void {
    this.layer.absentFonts ??= [];
    if (!this.layer.absentFonts.includes(font)) this.layer.absentFonts.push(font);
  }

  /** The glyph, as wide as the cluster that it begins; undefined where it continues one. */
  private placeInCluster(
    index: number,
    code: number,
    style: RunStyle,
    glyph: Readonly<Glyph>,
  ): Readonly<Glyph> | undefined {
    const isFromRight = isRightToLeft(code);
    const isOfCluster = isClustered(code) || isFromRight || this.sharesPlace(glyph);
    const object = isOfCluster && style.angle === 0 ? this.text.objectAt(index) : 0;
    const cluster = object === 0 ? undefined : this.clusterOf(object);
    this.endsInCluster = cluster !== undefined;
    let placed = glyph;
    if (cluster !== undefined) {
      cluster.object ??= object;
      placed = { ...glyph, x0: Math.min(glyph.x0, cluster.x0), x1: cluster.x1 };
    }
    // Letters of Arabic are spans too, but PDFium takes each for one: its width alone is wrong.
    if (isFromRight) {
      this.cluster = undefined;
      return placed;
    }
    const continuesCluster = cluster !== undefined && cluster.object !== object;
    if (!continuesCluster && this.word !== undefined && this.cluster !== cluster && !follows(this.word, style, placed))
      this.finishWord();
    this.cluster = cluster;
    return continuesCluster ? undefined : placed;
  }

  /**
   * True when it stands where the last glyph does, but for its width. Letters of a ligature have the box of its glyph;
   * others belong to a text that the PDF gives.
   */
  private sharesPlace({ originX, originY, x0, x1 }: Readonly<Glyph>): boolean {
    const { last } = this;
    return originX === last.originX && originY === last.originY && (x1 !== last.x1 || x1 === x0);
  }

  /**
   * Puts an accent that is drawn by itself over its letter, the last or the next; false where the glyph is no accent
   * or stands over neither.
   */
  private takeAccent(index: number, code: number, style: RunStyle, glyph: Readonly<Glyph>): boolean {
    const mark = style.angle === 0 ? markOf(code) : undefined;
    if (mark === undefined) return false;
    const { word } = this;
    const { originY } = glyph;
    const middle = (glyph.x0 + glyph.x1) / 2;
    const isOverLast = word !== undefined && middle > this.last.originX && middle < word.x1;
    const accented = isOverLast ? accent(word.text.slice(-1), mark) : undefined;
    if (word !== undefined && accented !== undefined) word.text = word.text.slice(0, -1) + accented;
    else if (this.isOverNext(index, middle, mark, style)) this.accentOfNext = mark;
    else {
      this.apart.push({ index, mark, middle, originY, size: style.fontSize });
      return false;
    }
    return true;
  }

  private addLetters(index: number, code: number, letters: string, style: RunStyle, glyph: Readonly<Glyph>): void {
    const ownMarks = this.marks !== '' && ownsMarks(glyph, this.last.originX, this.word === undefined);
    if (ownMarks && this.word === undefined && adjoins(this.layer.words.at(-1), style, glyph))
      this.word = this.layer.words.pop();
    if (!ownMarks) this.addMarks();
    if (this.word !== undefined) this.endAt(index, code, letters, style, glyph, this.word);
    this.glyphsOfWord++;
    const character = (this.accentOfNext === '' ? undefined : accent(letters, this.accentOfNext)) ?? letters;
    this.accentOfNext = '';
    this.lastLetters = character;
    if (this.word === undefined) {
      this.ligature = character;
      this.word = beginWord(character, style, glyph);
      if (this.isGlued) this.word.glued = true;
      else if (this.isPlaced) this.placed.add(this.word);
      this.isPlaced = false;
      this.isGlued = false;
    } else {
      // A bracket or a quotation mark before the word may be set in another type.
      if (style !== this.lastStyle && isSigns(this.word.text) && !isSigns(character)) {
        this.word.bold = style.bold;
        this.word.italic = style.italic;
      }
      const isOfOneGlyph = isRightToLeft(code) && glyph.originX === this.last.originX && style === this.lastStyle;
      this.extend(this.word, character, isOfOneGlyph, glyph);
    }
    if (this.marks !== '') {
      // Marks before their letter had been turned about with the line.
      if (ownMarks) this.marks = [...this.marks].reverse().join('');
      this.addMarks();
    }
    this.last.originX = glyph.originX;
    this.last.originY = glyph.originY;
    this.last.x1 = glyph.x1;
    this.lastStyle = style;
    if (code === LINE_END_HYPHEN) this.finishWord();
  }

  /** Ends the word where a glyph is no part of it. */
  private endAt(
    index: number,
    code: number,
    letters: string,
    style: RunStyle,
    glyph: Readonly<Glyph>,
    word: RawWord,
  ): void {
    const side = sideOf(word, glyph, code, this.heading);
    const turns = side !== 0 && (side === -this.heading || (side === -1 && !standsAtSign(word, glyph, code)));
    let end = turns ? 'apart' : endOfWord(word, style, glyph);
    if (end === undefined && this.jumps.isJump(word, style, glyph, index, letters)) end = 'apart';
    // Each text object has a style of its own.
    if (end === undefined && style !== this.lastStyle && this.jumps.isMove(word, style, glyph, index, letters)) {
      end = 'apart';
      this.isPlaced = true;
    }
    if (end === undefined && this.glyphsOfWord === 1 && isSigns(word.text) && this.isSpaceBetween(index, style, word))
      end = 'apart';
    const mayLead = isDot(letters) || isDot(this.lastLetters);
    if (end === undefined && mayLead && meetsLeader(word.text, letters, this.text, index)) end = 'glued';
    this.isGlued = end === 'glued';
    if (end !== undefined) this.finishWord();
    else this.heading ||= side;
  }

  /**
   * True when the space before a sign stands on paper between the sign and this glyph: PDFium turns signs and spaces behind
   * Hebrew and Arabic about with them.
   */
  private isSpaceBetween(index: number, { fontSize }: RunStyle, { x1 }: RawWord): boolean {
    const { text, spaceBefore } = this;
    if (spaceBefore === undefined) return false;
    const { x0: start, x1: end } = text.glyphAt(spaceBefore);
    // Read last, since all glyphs share one object.
    const { x0 } = text.glyphAt(index);
    const slack = fontSize * MIN_SPACE_EM;
    return start > x1 - slack && end < x0 + slack && end > start;
  }

  private extend(word: RawWord, character: string, isOfOneGlyph: boolean, glyph: Readonly<Glyph>): void {
    const before = isOfOneGlyph ? this.ligature : '';
    this.ligature = before + character;
    word.text =
      before === '' ? word.text + character : word.text.slice(0, -before.length) + orderLigature(this.ligature);
    if (glyph.x0 < word.x0) word.x0 = glyph.x0;
    if (glyph.y0 < word.y0) word.y0 = glyph.y0;
    if (glyph.x1 > word.x1) word.x1 = glyph.x1;
    if (glyph.y1 > word.y1) word.y1 = glyph.y1;
  }

  private addMarks(): void {
    if (this.word === undefined) return;
    this.word.text += this.marks;
    this.marks = '';
  }

  private endWord(): void {
    this.addMarks();
    this.finishWord();
    this.isGlued = false;
  }

  private finishWord(): void {
    const { word, layer } = this;
    if (word !== undefined) {
      word.text = cleanText(word.text);
      // Signs alone are given from the left, in either direction.
      if (this.heading === -1 && isSigns(word.text)) word.text = [...word.text].reverse().join('');
      if (!isOnPage(word, this.frame)) layer.offPage += this.glyphsOfWord;
      else if (word.text !== '') layer.words.push(word);
    }
    this.word = undefined;
    this.glyphsOfWord = 0;
    this.heading = 0;
  }

  /**
   * True for a glyph that is printed again over the last one, as old programs print bold type. The letters of a
   * ligature stand so too, in one object without spaces.
   */
  private isPrintedAgain(index: number, glyph: Readonly<Glyph>, { fontSize, angle }: RunStyle): boolean {
    const [dx, dy] = [glyph.originX - this.last.originX, Math.abs(glyph.originY - this.last.originY)];
    const reach = fontSize * MAX_REPRINT_SHIFT_EM;
    if (dy > reach || (this.space === undefined && this.text.objectAt(index) === this.text.objectAt(this.lastIndex)))
      return false;
    if (Math.abs(dx) < reach) return true;
    const isNarrower = this.last.x1 - this.last.originX < glyph.x1 - glyph.x0;
    // A ligature that begins with the same letter is wider.
    const narrower = isNarrower ? { x0: this.last.originX, x1: this.last.x1 } : glyph;
    return angle === 0 && isOverlaid(Math.abs(dx), narrower, fontSize) && !this.isSetAt(dx, index);
  }

  /** True when a neighbour of two equal letters stands as far from them as they do from each other: wide figures may be set close. */
  private isSetAt(step: number, index: number): boolean {
    const { text, lastIndex } = this;
    const originOf = (at: number) => (text.codeAt(at) === this.lastCode ? Number.NaN : text.glyphAt(at).originX);
    const before = lastIndex > 0 ? this.last.originX - originOf(lastIndex - 1) : Number.NaN;
    const next = index + 1 < text.count ? originOf(index + 1) : Number.NaN;
    // Read last, since all glyphs share one object.
    const after = next - text.glyphAt(index).originX;
    return [before, after].some((other) => Math.abs(other - step) < Math.abs(step) * PITCH_TOLERANCE);
  }

  /**
   * True for a space that is invisible. Programs that set type leave some after ligatures and where a line might have
   * ended, and the map of a font may add one to a letter.
   */
  private isDrawnOver(space: number, index: number, fontSize: number): boolean {
    const { text } = this;
    const end = this.word?.x1 ?? 0;
    const lastX = this.last.originX;
    const { originX: spaceX, x0: spaceStart, x1: spaceEnd } = text.glyphAt(space);
    const isAfterLigature = text.glyphAt(this.lastIndex - 1).originX === lastX;
    // Read last, since all glyphs share one object.
    const { originX, x0 } = text.glyphAt(index);
    // Spaces that PDFium adds itself have no width, and stand anywhere before letters that it puts into the line afterwards.
    if (spaceStart === spaceEnd) return spaceX < lastX && x0 - end < fontSize * MIN_LETTER_GAP_EM;
    return isAfterLigature || Math.min(originX - spaceX, spaceX - lastX) < fontSize * MIN_SPACE_EM;
  }

  /**
   * True for a hyphen that splits the word at the end of its line, though justified lines set it a little apart.
   * PDFium takes the gap for a space.
   */
  private isLineEndHyphen(index: number, code: number, { fontSize, angle }: RunStyle, { x0, originY }: Glyph): boolean {
    const { text, word } = this;
    if (!HYPHENS.has(code) || angle !== 0 || word === undefined || index + 1 >= text.count) return false;
    const isAtEnd = isLineBreak(text.codeAt(index + 1)) && Math.abs(originY - word.originY) < fontSize * MIN_SPACE_EM;
    return isAtEnd && x0 - word.x1 < fontSize * MAX_GAP_BEFORE_HYPHEN_EM && /\p{L}$/u.test(word.text);
  }

  /**
   * True for a mark over the next letter, also one without width that begins a little before the letter: the slash
   * that TeX negates signs with.
   */
  private isOverNext(index: number, middle: number, mark: string, { fontSize }: RunStyle): boolean {
    const { text } = this;
    if (index + 1 >= text.count || accent(characterOf(text.codeAt(index + 1)), mark) === undefined) return false;
    const next = text.glyphAt(index + 1);
    const isOver = middle > next.x0 - fontSize * MIN_SPACE_EM && middle < next.x1;
    // All glyphs share one object.
    text.glyphAt(index);
    return isOver;
  }
}

function beginWord(text: string, style: RunStyle, glyph: Readonly<Glyph>): RawWord {
  const word: RawWord = {
    text,
    x0: glyph.x0,
    y0: glyph.y0,
    x1: glyph.x1,
    y1: glyph.y1,
    originX: glyph.originX,
    originY: glyph.originY,
    fontSize: style.fontSize,
    bold: style.bold,
    italic: style.italic,
    angle: style.angle,
  };
  if (style.face !== undefined) word.face = style.face;
  if (style.pictorial) word.pictorial = true;
  if (style.monospaced) word.monospaced = true;
  if (style.artifact) word.artifact = true;
  return word;
}

function isOnPage(word: RawWord, frame: PageFrame): boolean {
  const x = (word.x0 + word.x1) / 2;
  const y = (word.y0 + word.y1) / 2;
  return x >= 0 && x <= frame.width && y >= 0 && y <= frame.height;
}
