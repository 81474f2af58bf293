import { likenessToLanguage } from '../letter-frequency.js';
import type { Pdfium } from './pdfium.js';

/** The text of a glyph by its number in the font of a text object, which maps it to nothing; U+FFFD where the font's order is known and does not tell it, undefined where it is not. */
export type OrderedGlyphReader = (object: number, glyph: number) => string | undefined;

const ASCII = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 0x20 + index));
/** How TrueType fonts begin, mostly: space is the glyph 3. Source: OpenType, `post`, Macintosh glyph order, but without a second space. */
const MACINTOSH = `${ASCII}ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄¤‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\ue000ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇŁłŠšŽž¦ÐðÝýÞþ−×¹²³½¼¾₣ĞğİŞşĆćČčđ`;
/** Where space is the first glyph, or the second; Adobe's order is that of ASCII so far. */
const ORDERS: readonly (readonly [first: number, characters: string])[] = [
  [3, MACINTOSH],
  [1, ASCII],
  [2, ASCII],
];

/** What the number of a glyph beyond the order is not. */
const UNKNOWN = '\ufffd';
const LEAST_KNOWN = 0.95;
interface Evidence {
  /** As many there have to be. */
  letters: number;
  likeness: number;
}
const MUCH: Evidence = { letters: 60, likeness: 0.88 };
/** Enough of one font where the others of the page are such ones. */
const LITTLE: Evidence = { letters: 12, likeness: 0.65 };
/** Of the glyphs: what is set in capitals tells too little. */
const LEAST_SHARE = 0.55;
const FIRST_LETTER = 'a'.charCodeAt(0);

type Counts = Map<number, number>;
type Order = (typeof ORDERS)[number] | undefined;

/**
 * Reads glyphs of composite fonts without a map, whose codes are the numbers of glyphs: most fonts begin in one of a few
 * orders, and by the right one the page's letters come as often as they do in a language.
 */
export function createOrderedGlyphReader(pdfium: Pdfium, text: number): OrderedGlyphReader {
  let orders: Map<number, Order> | undefined;
  return (object, glyph) => {
    orders ??= findOrders(countGlyphs(pdfium, text));
    const order = object === 0 ? undefined : orders.get(pdfium._FPDFTextObj_GetFont(object));
    return order && (characterIn(order, glyph) ?? UNKNOWN);
  };
}

/** Of the glyphs without characters, by fonts. */
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

function findOrders(fonts: ReadonlyMap<number, Counts>): Map<number, Order> {
  const all: Counts = new Map();
  for (const counts of fonts.values()) {
    for (const [glyph, count] of counts) all.set(glyph, (all.get(glyph) ?? 0) + count);
  }
  const usual = findOrder(all, MUCH);
  const orders = new Map<number, Order>();
  for (const [font, counts] of fonts) orders.set(font, findOrder(counts, MUCH) ?? (usual && findOrder(counts, LITTLE)));
  return orders;
}

/** Undefined also where the numbers are characters as they are. */
function findOrder(counts: Counts, { letters, likeness }: Evidence): Order {
  let best: Order;
  let most = Math.max(likeness, likenessBy([0x20, ASCII], counts, letters));
  for (const order of ORDERS) {
    const found = likenessBy(order, counts, letters);
    if (found > most) [best, most] = [order, found];
  }
  return best;
}

/** 0 where there are too few letters, or too many glyphs beyond the order. */
function likenessBy(order: NonNullable<Order>, counts: Counts, leastLetters: number): number {
  const letters = Array.from({ length: 26 }, () => 0);
  let glyphs = 0;
  let unknown = 0;
  for (const [glyph, count] of counts) {
    const character = characterIn(order, glyph);
    if (character === ' ') continue;
    glyphs += count;
    if (character === undefined) unknown += count;
    const letter = (character?.charCodeAt(0) ?? 0) - FIRST_LETTER;
    if (letter >= 0 && letter < 26) letters[letter] = (letters[letter] ?? 0) + count;
  }
  const sum = letters.reduce((total, count) => total + count, 0);
  if (sum < leastLetters || sum < glyphs * LEAST_SHARE || unknown > glyphs * (1 - LEAST_KNOWN)) return 0;
  return likenessToLanguage(letters);
}

const characterIn = ([first, characters]: NonNullable<Order>, glyph: number): string | undefined =>
  characters[glyph - first];
