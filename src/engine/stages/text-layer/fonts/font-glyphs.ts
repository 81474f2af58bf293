import { append } from '../../../model/append.js';
import { readCids, readToUnicode } from '../../../pdf-files/objects/code-map.js';
import { decodeStream } from '../../../pdf-files/objects/decode-stream.js';
import { toCount, toName } from '../../../pdf-files/objects/decode-value.js';
import type { PdfObjects } from '../../../pdf-files/objects/pdf-objects.js';
import { attempt, isStream, type PdfDict, type PdfObject } from '../../../pdf-files/objects/values.js';
import { isDoubtful, isMeaningless, REPLACEMENT } from './characters.js';
import { readGlyphName } from './glyph-names.js';
import { orderOfFamily } from './glyph-orders.js';
import { readTexGlyphs } from './tex-glyphs.js';
import { readTrueTypeGlyphs, type TrueTypeGlyphs } from './true-type-glyphs.js';

export interface FontGlyph {
  /** The text; undefined where the file does not tell. */
  text: string | undefined;
  /** Width in ems; undefined where the PDF does not tell it. */
  width: number | undefined;
}

/** The file's own facts on the glyphs of one font. */
export interface FontGlyphs {
  /** The glyph of a code; undefined where the file does not mention the code. */
  byCode(code: number): FontGlyph | undefined;
  /** Glyphs by the characters that the font's map gives for them, where these are doubtful. */
  byCharacter: ReadonlyMap<number, readonly FontGlyph[]>;
  /** Widths in ems by the characters of the font's own map, by which fonts of one name are told apart. */
  readWidths(): ReadonlyMap<number, number>;
}

type TextOfCode = (code: number) => string | undefined;

/** Entries of an encoding's differences: a name for each of 256 codes, and the code before each of them. */
const MAX_DIFFERENCES = 512;
/** Entries of a font's list of widths. */
const MAX_WIDTHS = 10_000;
const MAX_FONT_BYTES = 1024 * 1024;
/** Place of the encoding in a Type 1 font. */
const CLEAR_BYTES = 64 * 1024;
/** Encodings by which codes of two bytes are the glyphs' own numbers. */
const IDENTITY = /^Identity-[HV]$/;

/** Reads a font's map, the names of its glyphs and its own tables, each at the first need. */
export const readFontGlyphs = (objects: PdfObjects, font: PdfDict): FontGlyphs =>
  objects.name(font.get('Subtype')) === 'Type0' ? readComposite(objects, font) : readSimple(objects, font);

function readComposite(objects: PdfObjects, font: PdfDict): FontGlyphs {
  const map = readMap(objects, font);
  const told = meaningful(map);
  const ofFile = lazily(() => readByGlyphs(objects, font));
  return {
    byCode: (code) => {
      const text = told(code) ?? ofFile()(code);
      return text === undefined ? undefined : { text, width: undefined };
    },
    byCharacter: new Map([[REPLACEMENT, readLigatures(objects, font, map)]]),
    readWidths: () => new Map(),
  };
}

/** Ligatures that the map of a known family's font gives the replacement character for, as Word's does. */
function readLigatures(objects: PdfObjects, font: PdfDict, map: TextOfCode): FontGlyph[] {
  const order = orderOfFamily(objects.name(font.get('BaseFont')) ?? '') ?? new Map<number, string>();
  const lost = [...order].filter(([glyph, text]) => text.length > 1 && map(glyph)?.codePointAt(0) === REPLACEMENT);
  if (lost.length === 0) return [];
  const widths = readWidths(objects, objects.dict(objects.array(font.get('DescendantFonts'))[0]));
  return lost.map(([glyph, text]) => ({ text, width: widths.get(glyph) }));
}

/** Widths in ems by numbers of glyphs, as far as they are given one by one. Source: ISO 32000-2, 9.7.4.3. */
function readWidths(objects: PdfObjects, font: PdfDict | undefined): Map<number, number> {
  const widths = new Map<number, number>();
  let first = 0;
  for (const value of objects.array(font?.get('W')).slice(0, MAX_WIDTHS)) {
    first = toCount(objects.resolve(value)) ?? first;
    for (const [index, width] of objects.array(value).entries()) {
      widths.set(first + index, (objects.number(width) ?? 0) / 1000);
    }
  }
  return widths;
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The text that the font's file gives for the glyph of a code. */
function readByGlyphs(objects: PdfObjects, font: PdfDict): TextOfCode {
  const descendant: PdfDict = objects.dict(objects.array(font.get('DescendantFonts'))[0]) ?? new Map();
  const characters = readFontFile(objects, descendant)?.characters ?? new Map<number, string>();
  const encoding = objects.resolve(font.get('Encoding'));
  const cidOf = isStream(encoding)
    ? readCids(decode(objects, encoding))
    : (code: number) => (IDENTITY.test(toName(encoding) ?? '') ? code : undefined);
  const toGlyphs = objects.resolve(descendant.get('CIDToGIDMap'));
  const glyphs = isStream(toGlyphs) ? Buffer.from(decode(objects, toGlyphs)) : undefined;
  return (code) => {
    const cid = cidOf(code);
    if (cid === undefined) return undefined;
    if (glyphs === undefined) return characters.get(cid);
    return cid * 2 + 2 <= glyphs.length ? characters.get(glyphs.readUInt16BE(cid * 2)) : undefined;
  };
}

function readSimple(objects: PdfObjects, font: PdfDict): FontGlyphs {
  const isDrawn = objects.name(font.get('Subtype')) === 'Type3';
  const texts = readTexts(readNames(objects, font), isDrawn);
  const told = readMap(objects, font);
  const widthOf = createWidthReader(objects, font, isDrawn);
  const file = lazily(() => readFontFile(objects, font));
  const ofFile: TextOfCode = (code) => file()?.characters.get(file()?.byCode.get(code) ?? 0);
  const byCharacter = new Map<number, FontGlyph[]>();
  for (const code of texts.keys()) {
    const character = told(code)?.codePointAt(0) ?? code;
    const text = isDoubtful(character) ? texts.get(code) : undefined;
    if (text === undefined || text === String.fromCodePoint(character)) continue;
    append(byCharacter, character, { text, width: widthOf(code) });
  }
  return {
    byCode: (code) => {
      const text = texts.get(code) ?? meaningful(told)(code) ?? ofFile(code);
      return text === undefined && !texts.has(code) ? undefined : { text, width: widthOf(code) };
    },
    byCharacter,
    readWidths: lazily(() => readWidthsOfMap(told, widthOf)),
  };
}

/** Widths by characters: of several codes with one character the first counts, as for PDFium. */
function readWidthsOfMap(told: TextOfCode, widthOf: (code: number) => number | undefined): Map<number, number> {
  const widths = new Map<number, number>();
  for (let code = 0; code <= MAX_SIMPLE_CODE; code++) {
    const [character, width] = [told(code)?.codePointAt(0), widthOf(code)];
    if (character !== undefined && width !== undefined && !widths.has(character)) widths.set(character, width);
  }
  return widths;
}

/** The font's own map of codes to characters. */
function readMap(objects: PdfObjects, font: PdfDict): TextOfCode {
  const map = objects.resolve(font.get('ToUnicode'));
  if (IDENTITY.test(toName(isStream(map) ? undefined : map) ?? '')) return readIdentity;
  if (!isStream(map)) return () => undefined;
  return readToUnicode(decode(objects, map));
}

const MAX_SIMPLE_CODE = 0xff;
const MAX_CODE_POINT = 0x10ffff;
const readIdentity: TextOfCode = (code) => (code <= MAX_CODE_POINT ? String.fromCodePoint(code) : undefined);

const meaningful =
  (read: TextOfCode): TextOfCode =>
  (code) => {
    const text = read(code);
    return text === undefined || isMeaningless(text.codePointAt(0) ?? 0) ? undefined : text;
  };

function readFontFile(objects: PdfObjects, font: PdfDict): TrueTypeGlyphs | undefined {
  const descriptor = objects.dict(font.get('FontDescriptor'));
  const file = objects.resolve(descriptor?.get('FontFile2') ?? descriptor?.get('FontFile3'));
  return isStream(file) ? readTrueTypeGlyphs(decode(objects, file)) : undefined;
}

const decode = (objects: PdfObjects, stream: PdfObject): Uint8Array =>
  (isStream(stream) ? objects.decode(stream) : undefined) ?? new Uint8Array();

/** Names by codes: the encoding in the PDF comes before the font's own. */
function readNames(objects: PdfObjects, font: PdfDict): Map<number, string> {
  const names = readOwnNames(objects, font);
  const differences = objects.array(objects.dict(font.get('Encoding'))?.get('Differences'));
  let next = 0;
  for (const value of differences.slice(0, MAX_DIFFERENCES)) {
    const entry = objects.resolve(value);
    const name = toName(entry);
    if (name === undefined) next = toCount(entry) ?? next;
    else names.set(next++, name);
  }
  return names;
}
/** Texts by codes, for all codes with a name. */
function readTexts(names: ReadonlyMap<number, string>, isDrawn: boolean): Map<number, string | undefined> {
  const ofTex = isDrawn ? readTexGlyphs(names) : undefined;
  const texts = new Map<number, string | undefined>();
  for (const [code, name] of names) texts.set(code, ofTex === undefined ? readGlyphName(name) : ofTex.get(code));
  // Letters alone may be made up, where no other name is an honest one and they count on with the codes.
  const isHonest = [...texts.values()].some((text) => text !== undefined) || skipsLetters(names);
  for (const [code, name] of names) {
    const isLetter = /^[A-Za-z]$/.test(name) && (name.charCodeAt(0) === code || isHonest);
    if (isLetter && isDrawn && ofTex === undefined) texts.set(code, name);
  }
  return texts;
}

/** True for names of one letter each that rise with the codes, but leave letters out: those that the text has not. */
function skipsLetters(names: ReadonlyMap<number, string>): boolean {
  const letters = [...names].filter(([, name]) => name !== '.notdef').sort(([a], [b]) => a - b);
  const steps = new Set(letters.map(([code, name]) => name.charCodeAt(0) - code));
  const rise = letters.every(([, name], index) => name.length === 1 && name > (letters[index - 1]?.[1] ?? ''));
  return rise && steps.size > 1;
}

/** Creates a reader of the advance of a code, in ems. */
function createWidthReader(objects: PdfObjects, font: PdfDict, isDrawn: boolean): (code: number) => number | undefined {
  const first = objects.number(font.get('FirstChar')) ?? 0;
  const widths = objects.array(font.get('Widths'));
  const unit = isDrawn ? objects.number(objects.array(font.get('FontMatrix'))[0]) : 0.001;
  return (code) => {
    const width = objects.number(widths[code - first]);
    return width === undefined ? undefined : width * (unit ?? 0.001);
  };
}

/** A Type 1 font's own encoding: its program begins in clear text. Source: Adobe Type 1 Font Format, 2.3. */
function readOwnNames(objects: PdfObjects, font: PdfDict): Map<number, string> {
  const file = objects.resolve(objects.dict(font.get('FontDescriptor'))?.get('FontFile'));
  const bytes = isStream(file)
    ? attempt(() => decodeStream(file, MAX_FONT_BYTES, (value) => objects.resolve(value)))
    : undefined;
  const program = Buffer.from(bytes?.subarray(0, CLEAR_BYTES) ?? []).toString('latin1');
  const entries = program.matchAll(/\bdup\s+(\d{1,3})\s*\/(\S{1,60})\s+put\b/g);
  return new Map([...entries].map(([, code, name]) => [Number(code), name ?? '']));
}
