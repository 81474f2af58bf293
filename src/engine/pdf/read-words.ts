import { accent, markOf } from './accents.js';
import {
  characterOf,
  cleanText,
  isBreak,
  isLineBreak,
  isMeaningless,
  isNothing,
  LINE_END_HYPHEN,
} from './characters.js';
import { type Cluster, createClusterReader, isClustered } from './clusters.js';
import type { PageFrame } from './page-frame.js';
import type { Pdfium } from './pdfium.js';
import { adjoins, isMark, isRightToLeft, orderLigature, ownsMarks } from './right-to-left-letters.js';
import { createStyleReader, type RunStyle } from './run-style.js';

/** A word of the text layer, in points from the top left of the page as it is displayed. */
export interface RawWord {
  text: string;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** Where its first glyph stands on the base line. */
  originX: number;
  originY: number;
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
  offPage: number;
  /** Characters that stand on the page itself, where annotations show text too. */
  own?: number;
}

/** Reads the words of a page's text layer by PDFium: characters in its order, words where it or a gap ends them. */
export function readWords(pdfium: Pdfium, page: number, frame: PageFrame): TextLayer {
  const text = pdfium._FPDFText_LoadPage(page);
  const scratch = pdfium._malloc(64);
  try {
    return collect(pdfium, page, text, scratch, frame);
  } finally {
    pdfium._free(scratch);
    pdfium._FPDFText_ClosePage(text);
  }
}

function collect(pdfium: Pdfium, page: number, text: number, scratch: number, frame: PageFrame): TextLayer {
  const layer: TextLayer = { words: [], glyphs: 0, unmapped: 0, offPage: 0 };
  const styleOf = createStyleReader(pdfium, text, scratch, frame);
  const readGlyph = createGlyphReader(pdfium, text, scratch, frame);
  const clusterOf = createClusterReader(pdfium, page, frame);
  const count = pdfium._FPDFText_CountChars(text);
  let cluster: Cluster | undefined;
  let word: RawWord | undefined;
  let glyphsOfWord = 0;
  /** Which way the glyphs of the word go: -1 to the left, 1 to the right, 0 while that is not known. */
  let heading = 0;
  let glued = false;
  let broken = false;
  let lastX = Number.NaN;
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
  const isOverNext = (index: number, middle: number, mark: string): boolean => {
    if (index + 1 >= count || accent(characterOf(pdfium._FPDFText_GetUnicode(text, index + 1)), mark) === undefined)
      return false;
    const next = readGlyph(index + 1);
    return middle > next.x0 && middle < next.x1;
  };
  for (let index = 0; index < count; index++) {
    const code = pdfium._FPDFText_GetUnicode(text, index);
    if (isBreak(code)) {
      // After a cluster the next glyph tells.
      if (cluster !== undefined && code === 32) continue;
      cluster = undefined;
      addMarks();
      finish();
      glued = false;
      broken = isLineBreak(code);
      continue;
    }
    layer.glyphs++;
    // PDFium names the glyphs whose font maps them to nothing.
    if (isMeaningless(code) || pdfium._FPDFText_HasUnicodeMapError(text, index) === 1) layer.unmapped++;
    if (isNothing(code)) continue;
    const style = styleOf(index);
    let glyph = readGlyph(index);
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
      if (isOverNext(index, middle, mark)) {
        accentOfNext = mark;
        continue;
      }
    }
    const ownMarks = marks !== '' && ownsMarks(glyph, lastX, word === undefined);
    if (ownMarks && word === undefined && adjoins(layer.words.at(-1), style, glyph)) word = layer.words.pop();
    if (!ownMarks) addMarks();
    if (word !== undefined) {
      const side = sideOf(word, glyph);
      const turned = side !== 0 && (side === -heading || (side === -1 && !standsAtSign(word, glyph, code)));
      const end = turned ? 'apart' : endOfWord(word, style, glyph);
      glued = end === 'raised';
      if (end !== undefined) finish();
      else heading ||= side;
    }
    glyphsOfWord++;
    const character = (accentOfNext === '' ? undefined : accent(characterOf(code), accentOfNext)) ?? characterOf(code);
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
    lastStyle = style;
    if (code === LINE_END_HYPHEN) finish();
  }
  addMarks();
  finish();
  return layer;
}

export type Glyph = Pick<RawWord, 'x0' | 'y0' | 'x1' | 'y1' | 'originX' | 'originY'>;

/** Gives the same object each time: one for each of a book's glyphs would cost as much as reading them does. */
function createGlyphReader(
  pdfium: Pdfium,
  text: number,
  scratch: number,
  { toDisplay: { ax, bx, cx, ay, by, cy } }: PageFrame,
): (index: number) => Readonly<Glyph> {
  const glyph: Glyph = { x0: 0.5, y0: 0.5, x1: 0.5, y1: 0.5, originX: 0.5, originY: 0.5 };
  const box = scratch >> 2;
  const origin = (scratch + 16) >> 3;
  return (index) => {
    pdfium._FPDFText_GetLooseCharBox(text, index, scratch);
    pdfium._FPDFText_GetCharOrigin(text, index, scratch + 16, scratch + 24);
    const { HEAPF32: floats, HEAPF64: doubles } = pdfium;
    const [left, top, right, bottom] = [floats[box], floats[box + 1], floats[box + 2], floats[box + 3]] as Corners;
    const [pdfX, pdfY] = [doubles[origin], doubles[origin + 1]] as [number, number];
    const [fromX, toX] = [ax * left + bx * top + cx, ax * right + bx * bottom + cx];
    const [fromY, toY] = [ay * left + by * top + cy, ay * right + by * bottom + cy];
    glyph.x0 = Math.min(fromX, toX);
    glyph.x1 = Math.max(fromX, toX);
    glyph.y0 = Math.min(fromY, toY);
    glyph.y1 = Math.max(fromY, toY);
    glyph.originX = ax * pdfX + bx * pdfY + cx;
    glyph.originY = ay * pdfX + by * pdfY + cy;
    return glyph;
  };
}

type Corners = [left: number, top: number, right: number, bottom: number];

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

/** In ems; the narrowest spaces are wider. */
const MOST_GAP_BY_CLUSTER = 0.12;

/** Does a glyph stand where a word ends, with no space between them? */
function follows(word: RawWord, style: RunStyle, glyph: Readonly<Glyph>): boolean {
  const gap = glyph.x0 - word.x1;
  return gap < style.fontSize * MOST_GAP_BY_CLUSTER && gap > -style.fontSize;
}

/** In ems: kerning moves letters by less, and spaces are wider. */
const MOST_KERNING = 0.08;

/** Does a glyph after a break of lines touch the last word, on its own base line? */
function continues(word: RawWord | undefined, style: RunStyle, glyph: Readonly<Glyph>): boolean {
  if (word === undefined || word.angle !== style.angle || style.angle !== 0) return false;
  const most = style.fontSize * MOST_KERNING;
  return Math.abs(glyph.x0 - word.x1) < most && Math.abs(glyph.originY - word.originY) < most;
}

/** Does a glyph stand left of the word (-1), right of it (1) or at neither side? PDFium puts signs about Hebrew and Arabic out of their order. */
function sideOf(word: RawWord, { x0, x1 }: Readonly<Glyph>): number {
  if (word.angle !== 0) return 0;
  const slack = word.fontSize * 0.05;
  if (x1 < word.x0 + slack) return -1;
  return x0 > word.x1 - slack ? 1 : 0;
}

const isSigns = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);

/** Is a glyph at the left of a word that is no sign alone, or another sign right beside it? Letters there are a word of their own. */
const standsAtSign = (word: RawWord, glyph: Readonly<Glyph>, code: number): boolean =>
  !isSigns(word.text) || (!isRightToLeft(code) && word.x0 - glyph.x1 < word.fontSize * MOST_GAP_BY_CLUSTER);

/** Signs that begin list items and nothing else: what follows is a word of its own, however close it stands. */
const BULLET = /^[\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u25c6\u2610-\u2612\u27a2\u2713\ue000-\uf8ff]$/;

/** A jump that PDFium gave no break: another base line, another direction, or too far along the line; or a raised figure. */
function endOfWord(word: RawWord, style: RunStyle, glyph: Glyph): 'apart' | 'raised' | undefined {
  if (word.angle !== style.angle) return 'apart';
  const upright = style.angle % 180 === 0;
  const size = Math.max(word.fontSize, style.fontSize, 1);
  const shift = Math.abs(upright ? glyph.originY - word.originY : glyph.originX - word.originX);
  if (shift > size * 0.6) return 'apart';
  const gap = upright
    ? Math.max(glyph.x0 - word.x1, word.x0 - glyph.x1)
    : Math.max(glyph.y0 - word.y1, word.y0 - glyph.y1);
  if (gap > size * 0.6) return 'apart';
  if (shift > size * 0.15 && Math.min(word.fontSize, style.fontSize) < size * 0.85) {
    return gap > size * 0.25 ? 'apart' : 'raised';
  }
  return word.text.length === 1 && BULLET.test(word.text) ? 'apart' : undefined;
}
