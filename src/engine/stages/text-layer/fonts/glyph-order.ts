import type { Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import { likenessToLanguage } from '../letter-frequency.js';
import { readFontName } from './font-style.js';
import { GLYPH_ORDERS, type GlyphOrder, orderOfFamily, PLAIN_CODES } from './glyph-orders.js';

/**
 * Reads the text of a glyph by its number in the font of a text object that maps it to nothing; U+FFFD where the
 * font's order is known and lacks the number, undefined where the order is unknown.
 */
export type OrderedGlyphReader = (object: number, glyph: number) => string | undefined;

/** The text of a number beyond the order. */
const UNKNOWN = '\ufffd';
const MIN_KNOWN_SHARE = 0.95;
interface Evidence {
  /** Least number of letters. */
  letters: number;
  likeness: number;
}
const MUCH: Evidence = { letters: 25, likeness: 0.88 };
/** Evidence that is enough for one font where the others of the page are such fonts. */
const LITTLE: Evidence = { letters: 12, likeness: 0.65 };
/** Share of small letters among the glyphs that are no figures: text in capitals tells too little. */
const MIN_LETTER_SHARE = 0.55;
/** Share of letters in words of any kind. */
const MIN_WORD_SHARE = 0.8;
const FIRST_LETTER = 'a'.charCodeAt(0);

type Counts = Map<number, number>;
type Order = GlyphOrder | undefined;

/**
 * Reads glyphs of composite fonts without a map, whose codes are the numbers of glyphs. Most fonts begin in one of a
 * few orders; by the right one the letters of the page are as frequent as in a language.
 */
export function createOrderedGlyphReader(pdfium: Pdfium, text: number): OrderedGlyphReader {
  let orders: Map<number, Order> | undefined;
  return (object, glyph) => {
    orders ??= findOrders(pdfium, countGlyphs(pdfium, text));
    const order = object === 0 ? undefined : orders.get(pdfium._FPDFTextObj_GetFont(object));
    return order && (order.get(glyph) ?? UNKNOWN);
  };
}

/** Counts glyphs without characters by font. */
function countGlyphs(pdfium: Pdfium, text: number): Map<number, Counts> {
  const fonts = new Map<number, Counts>();
  const count = pdfium._FPDFText_CountChars(text);
  for (let index = 0; index < count; index++) {
    if (pdfium._FPDFText_HasUnicodeMapError(text, index) !== 1) continue;
    const object = pdfium._FPDFText_GetTextObject(text, index);
    const font = object === 0 ? 0 : pdfium._FPDFTextObj_GetFont(object);
    const counts: Counts = fonts.get(font) ?? new Map();
    fonts.set(font, counts);
    const code = pdfium._FPDFText_GetUnicode(text, index);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return fonts;
}

function findOrders(pdfium: Pdfium, fonts: ReadonlyMap<number, Counts>): Map<number, Order> {
  const all: Counts = new Map();
  for (const counts of fonts.values()) {
    for (const [glyph, count] of counts) all.set(glyph, (all.get(glyph) ?? 0) + count);
  }
  const usual = findOrder(all, MUCH);
  const orders = new Map<number, Order>();
  for (const [font, counts] of fonts) {
    const family = font === 0 ? undefined : orderOfFamily(readFontName(pdfium, font));
    // A font that is not in the file is found, whole, where the page is shown.
    const isWhole = family !== undefined && pdfium._FPDFFont_GetIsEmbedded(font) === 0;
    const told = () =>
      findOrder(counts, MUCH, family) ?? (usual && (findOrder(counts, LITTLE, family) ?? orderOfWords(counts, usual)));
    orders.set(font, isWhole ? family : told());
  }
  return orders;
}

/**
 * Finds the order of a font's glyphs; undefined also where the numbers are the characters themselves. The order of its
 * family comes before others that fit as well.
 */
function findOrder(counts: Counts, { letters, likeness }: Evidence, family?: GlyphOrder): Order {
  let best: Order;
  let most = Math.max(likeness, likenessBy(PLAIN_CODES, counts, letters));
  for (const order of family === undefined ? GLYPH_ORDERS : [family, ...GLYPH_ORDERS]) {
    const found = likenessBy(order, counts, letters);
    if (found > most) [best, most] = [order, found];
  }
  return best;
}

/** Returns the order of the page's other fonts where it makes words of text too short, or of capitals. */
function orderOfWords(counts: Counts, usual: GlyphOrder): Order {
  const letters = countText(usual, counts, LETTER_OR_FIGURE);
  const isWords =
    letters > countText(usual, counts, /\S/) * MIN_WORD_SHARE &&
    letters > countText(PLAIN_CODES, counts, LETTER_OR_FIGURE);
  return isWords ? usual : undefined;
}

const LETTER_OR_FIGURE = /[\p{L}\p{N}]/u;

const countText = (order: GlyphOrder, counts: Counts, text: RegExp): number =>
  [...counts].reduce((sum, [glyph, count]) => (text.test(order.get(glyph) ?? UNKNOWN) ? sum + count : sum), 0);

/** Likeness of the text to a language by this order; 0 where there are too few letters, or too many glyphs beyond the order. */
function likenessBy(order: GlyphOrder, counts: Counts, leastLetters: number): number {
  const letters = Array.from({ length: 26 }, () => 0);
  let glyphs = 0;
  let unknown = 0;
  for (const [glyph, count] of counts) {
    const character = order.get(glyph);
    if (character !== undefined && /[\s\d]/.test(character)) continue;
    glyphs += count;
    if (character === undefined) unknown += count;
    const letter = (character?.charCodeAt(0) ?? 0) - FIRST_LETTER;
    if (letter >= 0 && letter < 26) letters[letter] = (letters[letter] ?? 0) + count;
  }
  const sum = letters.reduce((total, count) => total + count, 0);
  if (sum < leastLetters || sum < glyphs * MIN_LETTER_SHARE || unknown > glyphs * (1 - MIN_KNOWN_SHARE)) return 0;
  return likenessToLanguage(letters);
}
