import { accent, markOf } from './accents.js';
import { type AccentApart, type AccentedLetters, findAccented } from './accents-apart.js';
import {
  characterOf,
  cleanText,
  isBreak,
  isDoubtful,
  isLineBreak,
  isMeaningless,
  isNothing,
  LINE_END_HYPHEN,
  REPLACEMENT,
  SOFT_HYPHEN,
  UNKNOWN_SIGN,
} from './characters.js';
import { type Cluster, createClusterReader, isClustered } from './clusters.js';
import { dropRepeated, MOST_SHIFT } from './drop-repeated.js';
import { createOrderedGlyphReader } from './glyph-order.js';
import { createJumpFinder } from './missed-spaces.js';
import type { NamedGlyphReader } from './named-glyphs.js';
import type { PageFrame } from './page-frame.js';
import type { Pdfium } from './pdfium.js';
import { createGlyphReader, type Glyph, standOnLine } from './read-glyph.js';
import { adjoins, isMark, isRightToLeft, orderLigature, ownsMarks } from './right-to-left-letters.js';
import { createStyleReader, type RunStyle } from './run-style.js';
import {
  continues,
  endOfWord,
  endsWithLeader,
  follows,
  isDot,
  isSigns,
  LEAST_LEADER,
  mayGoOn,
  sideOf,
  standsAtSign,
} from './word-ends.js';

/** A word of the text layer, in points from the top left of the page as it is displayed; its origin is its first glyph's. */
export interface RawWord extends Glyph {
  text: string;
  fontSize: number;
  bold: boolean;
  italic: boolean;
  /** Clockwise turn of the glyphs on the displayed page: 0, 90, 180 or 270. */
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
}

/** In ems: what is moved on by less is no space. */
const LEAST_SPACE = 0.05;
/** In ems: letters with less between them touch. */
const LEAST_GAP = 0.02;

const NONE: AccentedLetters = new Map();

/** Reads the words of a page's text layer by PDFium: characters in its order, words where it or a gap ends them. */
export function readWords(pdfium: Pdfium, page: number, frame: PageFrame, byName: NamedGlyphReader): TextLayer {
  const text = pdfium._FPDFText_LoadPage(page);
  const scratch = pdfium._malloc(64);
  try {
    const apart: AccentApart[] = [];
    const layer = collect(pdfium, page, text, scratch, frame, byName, apart);
    const accented =
      apart.length > 0 ? findAccented(pdfium, text, createGlyphReader(pdfium, text, scratch, frame), apart) : NONE;
    return accented.size > 0 ? collect(pdfium, page, text, scratch, frame, byName, [], accented) : layer;
  } finally {
    pdfium._free(scratch);
    pdfium._FPDFText_ClosePage(text);
  }
}

function collect(
  pdfium: Pdfium,
  page: number,
  text: number,
  scratch: number,
  frame: PageFrame,
  byName: NamedGlyphReader,
  /** To which accents are added that stand over no letter beside them in PDFium's order. */
  apart: AccentApart[],
  accentedAt: AccentedLetters = NONE,
): TextLayer {
  const layer: TextLayer = { words: [], glyphs: 0, unmapped: 0, offPage: 0 };
  const styleOf = createStyleReader(pdfium, text, scratch, frame);
  const readGlyph = createGlyphReader(pdfium, text, scratch, frame);
  const byOrder = createOrderedGlyphReader(pdfium, text);
  const clusterOf = createClusterReader(pdfium, page, frame);
  const isJump = createJumpFinder(pdfium, text, readGlyph);
  const count = pdfium._FPDFText_CountChars(text);
  let cluster: Cluster | undefined;
  let word: RawWord | undefined;
  let glyphsOfWord = 0;
  /** Which way the glyphs of the word go: -1 to the left, 1 to the right, 0 while that is not known. */
  let heading = 0;
  let glued = false;
  let broken = false;
  /** Its index, while the next glyph may be drawn over it. */
  let space: number | undefined;
  let lastX = Number.NaN;
  let lastY = Number.NaN;
  let lastCode = 0;
  let lastIndex = 0;
  let lastStyle: RunStyle | undefined;
  let ligature = '';
  let marks = '';
  /** Of an accent that is drawn over the next letter. */
  let accentOfNext = '';
  const addMarks = () => {
    if (word === undefined) return;
    word.text += marks;
    marks = '';
  };
  const finish = () => {
    if (word !== undefined) {
      word.text = cleanText(word.text);
      // Signs alone are given from the left, whichever way they went.
      if (heading === -1 && isSigns(word.text)) word.text = [...word.text].reverse().join('');
      if (!isOnPage(word, frame)) layer.offPage += glyphsOfWord;
      else if (word.text !== '') layer.words.push(word);
    }
    word = undefined;
    glyphsOfWord = 0;
    heading = 0;
  };
  const endWord = () => {
    addMarks();
    finish();
    glued = false;
  };
  /** Over the last glyph, as old programs print bold type; the letters of a ligature stand so too, in one object without spaces. */
  const isPrintedAgain = (index: number, { originX, originY }: Readonly<Glyph>, { fontSize }: RunStyle): boolean =>
    Math.abs(originX - lastX) < fontSize * MOST_SHIFT &&
    Math.abs(originY - lastY) < fontSize * MOST_SHIFT &&
    (space !== undefined ||
      pdfium._FPDFText_GetTextObject(text, index) !== pdfium._FPDFText_GetTextObject(text, lastIndex));
  /**
   * Is a space none to the eye? Programs that set type leave some after ligatures and where a line might have ended, and the
   * map of a font may add one to a letter.
   */
  const isDrawnOver = (spaceIndex: number, end: number, index: number, fontSize: number): boolean => {
    const { originX: spaceX, x0: spaceStart, x1: spaceEnd } = readGlyph(spaceIndex);
    const isAfterLigature = readGlyph(lastIndex - 1).originX === lastX;
    // Read last, as there is one object for all.
    const { originX, x0 } = readGlyph(index);
    // Those that PDFium adds itself have no width, and stand anywhere before letters that it puts into the line afterwards.
    if (spaceStart === spaceEnd) return spaceX < lastX && x0 - end < fontSize * LEAST_GAP;
    return isAfterLigature || Math.min(originX - spaceX, spaceX - lastX) < fontSize * LEAST_SPACE;
  };
  /** Also where it has no width, and begins before the letter by a little: the slash that TeX negates signs with. */
  const isOverNext = (index: number, middle: number, mark: string, { fontSize }: RunStyle): boolean => {
    if (index + 1 >= count || accent(characterOf(pdfium._FPDFText_GetUnicode(text, index + 1)), mark) === undefined)
      return false;
    const next = readGlyph(index + 1);
    return middle > next.x0 - fontSize * LEAST_SPACE && middle < next.x1;
  };
  /** Does a letter stand behind it, apart? A sign at the beginning of a line is a bullet mostly. */
  const beginsItem = (index: number): boolean =>
    index + 2 < count &&
    pdfium._FPDFText_GetUnicode(text, index + 1) === 32 &&
    /[\p{L}\p{N}]/u.test(characterOf(pdfium._FPDFText_GetUnicode(text, index + 2)));
  /** Where a word may be parted is in the text that some programs give the glyph before it or after it. */
  const isOfNeighbour = (index: number): boolean => {
    const { originX, originY } = readGlyph(index);
    if (originX === lastX && originY === lastY) return true;
    if (index + 1 >= count || isBreak(pdfium._FPDFText_GetUnicode(text, index + 1))) return false;
    const next = readGlyph(index + 1);
    return next.originX === originX && next.originY === originY;
  };
  /** Begins or ends a row of dots that leads to a number here? It is a word of its own, so that its ends are known. */
  const meetsLeader = (before: string, letters: string, index: number): boolean => {
    if (!isDot(letters)) return endsWithLeader(before);
    if (isDot(before.slice(-1)) || index + LEAST_LEADER > count) return false;
    for (let at = index + 1; at < index + LEAST_LEADER; at++)
      if (pdfium._FPDFText_GetUnicode(text, at) !== letters.codePointAt(0)) return false;
    return true;
  };
  const nameOf = (index: number, code: number, isUnmapped: boolean): string | undefined => {
    const object = pdfium._FPDFText_GetTextObject(text, index);
    const width = () => {
      const { fontSize, angle } = styleOf(index);
      const { x0, y0, x1, y1 } = readGlyph(index);
      return (angle % 180 === 0 ? x1 - x0 : y1 - y0) / fontSize;
    };
    if (!isUnmapped) return byName.correct(object, code, width);
    return byName.read(object, code, width) ?? byOrder(object, code);
  };
  const countUnmapped = (code: number) => {
    layer.unmapped++;
    if (code >= 128) return;
    layer.byCode ??= Array.from({ length: 128 }, () => 0);
    layer.byCode[code] = (layer.byCode[code] ?? 0) + 1;
  };
  for (let index = 0; index < count; index++) {
    let code = pdfium._FPDFText_GetUnicode(text, index);
    // PDFium names the glyphs whose font maps them to nothing, and gives their codes in the font, which may be those of breaks.
    const isUnmapped = code !== 32 && pdfium._FPDFText_HasUnicodeMapError(text, index) === 1;
    const named = isUnmapped || isDoubtful(code) ? nameOf(index, code, isUnmapped) : undefined;
    if (named !== undefined) code = named.codePointAt(0) ?? 0;
    else if (isUnmapped && code < 32) code = 0;
    if (isBreak(code)) {
      // After a cluster the next glyph tells.
      if (cluster !== undefined && code === 32) continue;
      cluster = undefined;
      broken = isLineBreak(code);
      if (broken || word === undefined) endWord();
      else space = index;
      continue;
    }
    layer.glyphs++;
    if (named === undefined ? isUnmapped || isMeaningless(code) : code === REPLACEMENT) countUnmapped(code);
    const isSign = isUnmapped && isNothing(code) && broken && beginsItem(index);
    if (isNothing(code) && !isSign) continue;
    if (code === SOFT_HYPHEN && isOfNeighbour(index)) continue;
    const accentedLetter = accentedAt.size > 0 ? accentedAt.get(index) : undefined;
    if (accentedLetter === '') continue;
    const letters = isSign ? UNKNOWN_SIGN : (accentedLetter ?? named ?? characterOf(code));
    const style = styleOf(index);
    let glyph = readGlyph(index);
    if (style.ownUnit) glyph = standOnLine(glyph, style.fontSize);
    if (code === lastCode && isPrintedAgain(index, glyph, style)) continue;
    if (space !== undefined && word !== undefined) {
      const goesOn = mayGoOn(word, style, glyph, letters) && isDrawnOver(space, word.x1, index, style.fontSize);
      if (!goesOn) endWord();
    }
    space = undefined;
    lastCode = code;
    lastIndex = index;
    // Kerned letters may be drawn each by itself, which PDFium takes for the beginnings of lines.
    if (broken && word === undefined && continues(layer.words.at(-1), style, glyph)) word = layer.words.pop();
    broken = false;
    const object = isClustered(code) && style.angle === 0 ? pdfium._FPDFText_GetTextObject(text, index) : 0;
    const ofCluster = object === 0 ? undefined : clusterOf(object);
    if (ofCluster !== undefined) {
      ofCluster.object ??= object;
      glyph = { ...glyph, x0: Math.min(glyph.x0, ofCluster.x0), x1: ofCluster.x1 };
    }
    const again = ofCluster !== undefined && ofCluster.object !== object;
    if (!again && word !== undefined && cluster !== ofCluster && !follows(word, style, glyph)) finish();
    cluster = ofCluster;
    if (again) continue;
    if (isMark(code)) {
      marks += characterOf(code);
      lastX = glyph.originX;
      lastStyle = undefined;
      continue;
    }
    const mark = style.angle === 0 ? markOf(code) : undefined;
    if (mark !== undefined) {
      const middle = (glyph.x0 + glyph.x1) / 2;
      const accented =
        word !== undefined && middle > lastX && middle < word.x1 ? accent(word.text.slice(-1), mark) : undefined;
      if (word !== undefined && accented !== undefined) {
        word.text = word.text.slice(0, -1) + accented;
        continue;
      }
      if (isOverNext(index, middle, mark, style)) {
        accentOfNext = mark;
        continue;
      }
      apart.push({ index, mark, middle, originY: glyph.originY, size: style.fontSize });
    }
    const ownMarks = marks !== '' && ownsMarks(glyph, lastX, word === undefined);
    if (ownMarks && word === undefined && adjoins(layer.words.at(-1), style, glyph)) word = layer.words.pop();
    if (!ownMarks) addMarks();
    if (word !== undefined) {
      const side = sideOf(word, glyph);
      const turned = side !== 0 && (side === -heading || (side === -1 && !standsAtSign(word, glyph, code)));
      let end = turned ? 'apart' : endOfWord(word, style, glyph);
      if (end === undefined && isJump(word, style, glyph, index, letters)) end = 'apart';
      if (end === undefined && meetsLeader(word.text, letters, index)) end = 'glued';
      glued = end === 'glued';
      if (end !== undefined) finish();
      else heading ||= side;
    }
    glyphsOfWord++;
    const character = (accentOfNext === '' ? undefined : accent(letters, accentOfNext)) ?? letters;
    accentOfNext = '';
    if (word === undefined) {
      ligature = character;
      word = beginWord(ligature, style, glyph);
      if (glued) word.glued = true;
      glued = false;
    } else {
      const ofOneGlyph = isRightToLeft(code) && glyph.originX === lastX && style === lastStyle;
      const before = ofOneGlyph ? ligature : '';
      ligature = before + character;
      word.text = before === '' ? word.text + ligature : word.text.slice(0, -before.length) + orderLigature(ligature);
      if (glyph.x0 < word.x0) word.x0 = glyph.x0;
      if (glyph.y0 < word.y0) word.y0 = glyph.y0;
      if (glyph.x1 > word.x1) word.x1 = glyph.x1;
      if (glyph.y1 > word.y1) word.y1 = glyph.y1;
    }
    if (marks !== '') {
      // What stood before its letter had been turned about with the line.
      if (ownMarks) marks = [...marks].reverse().join('');
      addMarks();
    }
    lastX = glyph.originX;
    lastY = glyph.originY;
    lastStyle = style;
    if (code === LINE_END_HYPHEN) finish();
  }
  addMarks();
  finish();
  layer.words = dropRepeated(layer.words);
  return layer;
}

function beginWord(text: string, style: RunStyle, glyph: Glyph): RawWord {
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
  return word;
}

function isOnPage(word: RawWord, frame: PageFrame): boolean {
  const x = (word.x0 + word.x1) / 2;
  const y = (word.y0 + word.y1) / 2;
  return x >= 0 && x <= frame.width && y >= 0 && y <= frame.height;
}
