import type { PageFrame } from './page-frame.js';
import type { Pdfium } from './pdfium.js';

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
}

interface RunStyle {
  fontSize: number;
  bold: boolean;
  italic: boolean;
  angle: number;
  pictorial?: boolean;
  monospaced?: boolean;
}

/** Reads the words of a page's text layer by PDFium: characters in its order, words where it or a gap ends them. */
export function readWords(pdfium: Pdfium, page: number, frame: PageFrame): TextLayer {
  const text = pdfium._FPDFText_LoadPage(page);
  const scratch = pdfium._malloc(64);
  try {
    return collect(pdfium, text, scratch, frame);
  } finally {
    pdfium._free(scratch);
    pdfium._FPDFText_ClosePage(text);
  }
}

function collect(pdfium: Pdfium, text: number, scratch: number, frame: PageFrame): TextLayer {
  const layer: TextLayer = { words: [], glyphs: 0, unmapped: 0, offPage: 0 };
  const styleOf = createStyleReader(pdfium, text, scratch, frame);
  const count = pdfium._FPDFText_CountChars(text);
  const { ax, bx, cx, ay, by, cy } = frame.toDisplay;
  let word: RawWord | undefined;
  let glyphsOfWord = 0;
  let glued = false;
  const finish = () => {
    if (word !== undefined) {
      word.text = cleanText(word.text);
      if (!isOnPage(word, frame)) layer.offPage += glyphsOfWord;
      else if (word.text !== '') layer.words.push(word);
    }
    word = undefined;
    glyphsOfWord = 0;
  };
  for (let index = 0; index < count; index++) {
    const code = pdfium._FPDFText_GetUnicode(text, index);
    if (isBreak(code)) {
      finish();
      glued = false;
      continue;
    }
    layer.glyphs++;
    if (isUnmapped(pdfium, text, index, code)) layer.unmapped++;
    if (code === 0 || code === 0xfffe || code === 0xffff) continue;
    const style = styleOf(index);
    pdfium._FPDFText_GetLooseCharBox(text, index, scratch);
    pdfium._FPDFText_GetCharOrigin(text, index, scratch + 16, scratch + 24);
    const box = scratch >> 2;
    const left = pdfium.HEAPF32[box] ?? 0;
    const top = pdfium.HEAPF32[box + 1] ?? 0;
    const right = pdfium.HEAPF32[box + 2] ?? 0;
    const bottom = pdfium.HEAPF32[box + 3] ?? 0;
    const origin = (scratch + 16) >> 3;
    const pdfX = pdfium.HEAPF64[origin] ?? 0;
    const pdfY = pdfium.HEAPF64[origin + 1] ?? 0;
    const glyph: Glyph = {
      x0: Math.min(ax * left + bx * top, ax * right + bx * bottom) + cx,
      x1: Math.max(ax * left + bx * top, ax * right + bx * bottom) + cx,
      y0: Math.min(ay * left + by * top, ay * right + by * bottom) + cy,
      y1: Math.max(ay * left + by * top, ay * right + by * bottom) + cy,
      originX: ax * pdfX + bx * pdfY + cx,
      originY: ay * pdfX + by * pdfY + cy,
    };
    if (word !== undefined) {
      const end = endOfWord(word, style, glyph);
      glued = end === 'raised';
      if (end !== undefined) finish();
    }
    glyphsOfWord++;
    const character = characterOf(code);
    if (word === undefined) {
      word = {
        text: character,
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
      if (style.pictorial) word.pictorial = true;
      if (style.monospaced) word.monospaced = true;
      if (glued) word.glued = true;
      glued = false;
    } else {
      word.text += character;
      if (glyph.x0 < word.x0) word.x0 = glyph.x0;
      if (glyph.y0 < word.y0) word.y0 = glyph.y0;
      if (glyph.x1 > word.x1) word.x1 = glyph.x1;
      if (glyph.y1 > word.y1) word.y1 = glyph.y1;
    }
    if (code === LINE_END_HYPHEN) finish();
  }
  finish();
  return layer;
}

type Glyph = Pick<RawWord, 'x0' | 'y0' | 'x1' | 'y1' | 'originX' | 'originY'>;

/** What PDFium writes where a hyphen ends a line. */
const LINE_END_HYPHEN = 2;

/** PDFium names the glyphs whose font maps them to nothing; replacement and private-use characters say the same. */
function isUnmapped(pdfium: Pdfium, text: number, index: number, code: number): boolean {
  if (code === 0 || code === 0xfffd || code === 0xfffe || code === 0xffff) return true;
  if (code < 32 && code !== LINE_END_HYPHEN) return true;
  if (code >= 0xf0000) return true;
  return pdfium._FPDFText_HasUnicodeMapError(text, index) === 1;
}

function isBreak(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9 || code === 0xa0 || code === 0x3000;
}

/** Lone surrogates are nothing. */
function characterOf(code: number): string {
  if (code === LINE_END_HYPHEN) return '-';
  if (code < 32 || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return '';
  return String.fromCodePoint(code);
}

/** Ligatures and presentation forms become the letters they stand for; marks without a shape go. */
function cleanText(text: string): string {
  if (!/[^ -\u02ff]/.test(text)) return text;
  return text
    .replace(/[\ufb00-\ufb06\ufb13-\ufdff\ufe70-\ufefc]+/g, (forms) => forms.normalize('NFKC'))
    .replace(/[\u200b\u2060\ufeff]/g, '');
}

function isOnPage(word: RawWord, frame: PageFrame): boolean {
  const x = (word.x0 + word.x1) / 2;
  const y = (word.y0 + word.y1) / 2;
  return x >= 0 && x <= frame.width && y >= 0 && y <= frame.height;
}

/** Signs that begin list items and nothing else: what follows is a word of its own, however close it stands. */
const BULLET = /^[\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u25c6\u27a2\u2713\ue000-\uf8ff]$/;

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

/** Also as TeX's fonts are named: CMBX10, NimbusRomNo9L-Medi, CMTI10. */
const BOLD_NAME = /bold|black|heavy|demi|-medi(?![a-z])|-medi(?=ital)|cmbx|cmssbx|sfbx/i;
const ITALIC_NAME = /ital|oblique|cmti|slanted/i;
const PICTORIAL_NAME = /dingbat|wingding|webding/i;
const MONOSPACED_NAME = /courier|mono(?!t)|consol|menlo|cmtt|typewriter/i;
const BOLD_FLAG = 1 << 18;
const ITALIC_FLAG = 1 << 6;
const FIXED_PITCH_FLAG = 1;

type FontStyle = Pick<RunStyle, 'bold' | 'italic' | 'pictorial' | 'monospaced'>;
const PLAIN: FontStyle = { bold: false, italic: false };

/** Size, weight and turn belong to a run of text, not to a glyph: read once per run. */
function createStyleReader(
  pdfium: Pdfium,
  text: number,
  scratch: number,
  frame: PageFrame,
): (index: number) => RunStyle {
  const byObject = new Map<number, RunStyle>();
  const fontStyles = new Map<number, FontStyle>();
  const readFont = (font: number) => {
    const known = fontStyles.get(font);
    if (known !== undefined) return known;
    const flags = pdfium._FPDFFont_GetFlags(font);
    const name = readFontName(pdfium, font);
    const weight = pdfium._FPDFFont_GetWeight(font);
    const style: FontStyle = {
      bold: BOLD_NAME.test(name) || (flags & BOLD_FLAG) !== 0 || (weight >= 600 && weight <= 950),
      italic: ITALIC_NAME.test(name) || (flags !== -1 && (flags & ITALIC_FLAG) !== 0),
    };
    if (PICTORIAL_NAME.test(name)) style.pictorial = true;
    if (MONOSPACED_NAME.test(name) || (flags !== -1 && (flags & FIXED_PITCH_FLAG) !== 0)) style.monospaced = true;
    fontStyles.set(font, style);
    return style;
  };
  let lastObject = -1;
  let lastStyle: RunStyle = { fontSize: 0, bold: false, italic: false, angle: 0 };
  return (index) => {
    const object = pdfium._FPDFText_GetTextObject(text, index);
    if (object === lastObject) return lastStyle;
    lastObject = object;
    const known = byObject.get(object);
    if (known !== undefined) {
      lastStyle = known;
      return known;
    }
    pdfium._FPDFText_GetMatrix(text, index, scratch + 32);
    const at = (scratch + 32) >> 2;
    const [a = 1, b = 0, c = 0, d = 1] = pdfium.HEAPF32.subarray(at, at + 4);
    const font = object === 0 ? PLAIN : readFont(pdfium._FPDFTextObj_GetFont(object));
    const nominal = pdfium._FPDFText_GetFontSize(text, index);
    lastStyle = {
      fontSize: Math.abs(nominal) * (Math.hypot(c, d) || 1),
      ...font,
      angle: quarterTurn(-Math.atan2(b, a) * (180 / Math.PI) + frame.rotation),
    };
    byObject.set(object, lastStyle);
    return lastStyle;
  };
}

function readFontName(pdfium: Pdfium, font: number): string {
  const size = 128;
  const buffer = pdfium._malloc(size);
  const length = pdfium._FPDFFont_GetBaseFontName(font, buffer, size);
  const name =
    length > 0 && length <= size
      ? Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + length - 1)).toString('latin1')
      : '';
  pdfium._free(buffer);
  return name;
}

function quarterTurn(degrees: number): number {
  return (((Math.round(degrees / 90) % 4) + 4) % 4) * 90;
}
