import { findTable, readTrueType } from './true-type.js';

/** The facts of a TrueType font on its own glyphs. */
export interface TrueTypeGlyphs {
  /** Characters by numbers of glyphs. */
  characters: ReadonlyMap<number, string>;
  /** Numbers of glyphs by the codes of a font of signs, or of Macintosh's Latin. */
  byCode: ReadonlyMap<number, number>;
}

type CodeMap = Map<number, number>;

const MAX_SUBTABLES = 16;
const MAX_CODES = 0x20000;
const [UNICODE, MACINTOSH, WINDOWS] = [0, 1, 3];
const [SIGNS, BASIC, FULL] = [0, 1, 10];
/** First code of fonts of signs. */
const PRIVATE = 0xf000;
/** True for radicals, which look like ideographs and have their glyphs. */
const isRadical = (code: number): boolean => code >= 0x2e80 && code < 0x2fe0;

/** Reads a font's `cmap`; undefined where it has none, or is no TrueType font. Source: OpenType 1.9, `cmap`. */
export const readTrueTypeGlyphs = (font: Uint8Array): TrueTypeGlyphs | undefined => readTrueType(font, readCmap);

function readCmap(font: DataView): TrueTypeGlyphs | undefined {
  const cmap = findTable(font, 'cmap');
  if (cmap === undefined) return undefined;
  const characters = new Map<number, string>();
  const byCode = new Map<number, number>();
  const count = Math.min(font.getUint16(cmap + 2), MAX_SUBTABLES);
  for (let index = 0; index < count; index++) {
    const entry = cmap + 4 + index * 8;
    const [platform, encoding] = [font.getUint16(entry), font.getUint16(entry + 2)];
    const codes = readCodes(font, cmap + font.getUint32(entry + 4));
    if (platform === UNICODE || (platform === WINDOWS && (encoding === BASIC || encoding === FULL)))
      addCharacters(codes, characters);
    else if (platform === MACINTOSH || (platform === WINDOWS && encoding === SIGNS))
      for (const [code, glyph] of codes) byCode.set(code & ~PRIVATE, glyph);
  }
  return { characters, byCode };
}

/** Adds characters of glyphs. Where one glyph shows several, the first is the plain one: the space, not the one that does not break. */
function addCharacters(codes: CodeMap, characters: Map<number, string>): void {
  for (const [code, glyph] of codes) {
    const known = characters.get(glyph)?.codePointAt(0);
    if (known === undefined || isRadical(known)) characters.set(glyph, String.fromCodePoint(code));
  }
}

function readCodes(font: DataView, at: number): CodeMap {
  const codes: CodeMap = new Map();
  const add = (code: number, glyph: number) => {
    if (glyph !== 0 && codes.size < MAX_CODES) codes.set(code, glyph);
  };
  const format = font.getUint16(at);
  if (format === 0) for (let code = 0; code < 256; code++) add(code, font.getUint8(at + 6 + code));
  else if (format === 4) addSegments(font, at, add);
  else if (format === 6) {
    const [first, count] = [font.getUint16(at + 6), font.getUint16(at + 8)];
    for (let index = 0; index < count; index++) add(first + index, font.getUint16(at + 10 + index * 2));
  } else if (format === 12) addGroups(font, at, add);
  return codes;
}

function addSegments(font: DataView, at: number, add: (code: number, glyph: number) => void): void {
  const twice = font.getUint16(at + 6);
  const ends = at + 14;
  const starts = ends + twice + 2;
  for (let segment = 0; segment < twice; segment += 2) {
    const [start, end] = [font.getUint16(starts + segment), font.getUint16(ends + segment)];
    const delta = font.getUint16(starts + twice + segment);
    const place = starts + twice * 2 + segment;
    const offset = font.getUint16(place);
    // The last segment only marks the end.
    for (let code = start; code <= end && code < 0xffff; code++) {
      const glyph = offset === 0 ? code : font.getUint16(place + offset + (code - start) * 2);
      add(code, offset !== 0 && glyph === 0 ? 0 : (glyph + delta) & 0xffff);
    }
  }
}

function addGroups(font: DataView, at: number, add: (code: number, glyph: number) => void): void {
  const count = font.getUint32(at + 12);
  for (let group = at + 16; group < at + 16 + count * 12; group += 12) {
    const [start, end, glyph] = [font.getUint32(group), font.getUint32(group + 4), font.getUint32(group + 8)];
    for (let code = start; code <= Math.min(end, start + MAX_CODES, 0x10ffff); code++) add(code, glyph + code - start);
  }
}
