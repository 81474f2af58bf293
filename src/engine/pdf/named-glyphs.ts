import { decodeStream } from '../pdf-objects/decode-stream.js';
import { toCount, toName } from '../pdf-objects/decode-value.js';
import { createFontLister } from '../pdf-objects/list-fonts.js';
import { listPages } from '../pdf-objects/page-tree.js';
import type { PdfObjects } from '../pdf-objects/pdf-objects.js';
import { readToUnicode } from '../pdf-objects/to-unicode.js';
import { attempt, isStream, type PdfDict } from '../pdf-objects/values.js';
import { isDoubtful } from './characters.js';
import { readGlyphName } from './glyph-names.js';
import { readOpenObjects } from './open-objects.js';
import type { PdfDocument } from './pdfium.js';
import { readFontName } from './run-style.js';
import { readTexGlyphs } from './tex-glyphs.js';

export interface NamedGlyphReader {
  /** The text of the glyph that a code is in the font of a text object, which maps it to nothing; undefined where nothing tells it. */
  read(object: number, code: number, width: GlyphWidth): string | undefined;
  /** The text of a glyph for which its font gives a character that it hardly is; undefined where nothing tells better. */
  correct(object: number, character: number, width: GlyphWidth): string | undefined;
}

/** In ems. It is asked for where fonts of one name do not agree. */
export type GlyphWidth = () => number;

interface NamedGlyph {
  /** Undefined where the name does not tell. */
  text: string | undefined;
  /** In ems; undefined where the PDF does not tell it. */
  width: number | undefined;
}

/** Of all fonts of one name on a page. */
interface FontGlyphs {
  byCode: Map<number, NamedGlyph[]>;
  /** By the characters that PDFium gives for them, where these are doubtful. */
  byCharacter: Map<number, NamedGlyph[]>;
}

const MOST_PAGES = 10_000;
/** A name for each of 256 codes, and the code before each of them. */
const MOST_DIFFERENCES = 512;
const MOST_FONT_FILES = 500;
const MOST_FONT_BYTES = 1024 * 1024;
/** Where the encoding of a Type 1 font stands. */
const CLEAR_BYTES = 64 * 1024;
/** In ems: widths are rounded. */
const SAME_WIDTH = 0.002;

const known = new WeakMap<PdfDocument, Map<string, FontGlyphs>[]>();

/**
 * Reads glyphs by their names, which the PDF's encoding of the font or the font itself gives them: those that their font
 * maps to nothing, and those that it maps to what they hardly are. PDFium tells no names: the file is read by ourselves,
 * once, at the first such glyph.
 */
export function createNamedGlyphReader(pdf: PdfDocument, page: number): NamedGlyphReader {
  const byFont = new Map<number, FontGlyphs | undefined>();
  const find = (object: number): FontGlyphs | undefined => {
    const { pdfium } = pdf;
    const font = object === 0 ? 0 : pdfium._FPDFTextObj_GetFont(object);
    if (font === 0) return undefined;
    if (!byFont.has(font)) {
      const pages = known.get(pdf) ?? readPages(pdf);
      known.set(pdf, pages);
      byFont.set(font, pages[page]?.get(withoutSubset(readFontName(pdfium, font))));
    }
    return byFont.get(font);
  };
  return {
    read: (object, code, width) => choose(find(object)?.byCode.get(code), width),
    correct: (object, character, width) => choose(find(object)?.byCharacter.get(character), width),
  };
}

/** What fonts of one name do not agree on is told by the widths of their glyphs, or not at all. */
function choose(glyphs: readonly NamedGlyph[] | undefined, width: GlyphWidth): string | undefined {
  const [first] = glyphs ?? [];
  if (glyphs === undefined || first === undefined) return undefined;
  const agree = ({ text }: NamedGlyph) => text === first.text;
  if (glyphs.every(agree)) return first.text;
  const seen = width();
  const [same, ...others] = glyphs.filter((glyph) => Math.abs((glyph.width ?? 0) - seen) < SAME_WIDTH);
  return others.every(({ text }) => text === same?.text) ? same?.text : undefined;
}

/** For each page, by the names of its fonts: those drawn by the page's own operators have none. */
function readPages(pdf: PdfDocument): Map<string, FontGlyphs>[] {
  const objects = readOpenObjects(pdf);
  const listFonts = createFontLister(objects);
  const byFont = new Map<PdfDict, FontGlyphs>();
  return listPages(objects, Math.min(pdf.pageCount, MOST_PAGES)).map(({ resources }) => {
    const page = new Map<string, FontGlyphs>();
    for (const font of listFonts(resources, new Set())) {
      const glyphs = byFont.get(font) ?? readGlyphs(objects, font, byFont.size < MOST_FONT_FILES);
      byFont.set(font, glyphs);
      const name = withoutSubset(objects.name(font.get('BaseFont')) ?? '');
      const ofName = page.get(name) ?? { byCode: new Map(), byCharacter: new Map() };
      page.set(name, ofName);
      addGlyphs(ofName.byCode, glyphs.byCode);
      addGlyphs(ofName.byCharacter, glyphs.byCharacter);
    }
    return page;
  });
}

const withoutSubset = (name: string): string => name.replace(/^[A-Z]{6}\+/, '');

function addGlyphs(known: Map<number, NamedGlyph[]>, glyphs: ReadonlyMap<number, readonly NamedGlyph[]>): void {
  for (const [key, more] of glyphs) known.set(key, [...(known.get(key) ?? []), ...more]);
}

function readGlyphs(objects: PdfObjects, font: PdfDict, opensFile: boolean): FontGlyphs {
  const names = opensFile ? readOwnNames(objects, font) : new Map<number, string>();
  const isDrawn = objects.name(font.get('Subtype')) === 'Type3';
  const differences = objects.array(objects.dict(font.get('Encoding'))?.get('Differences'));
  let next = 0;
  for (const value of differences.slice(0, MOST_DIFFERENCES)) {
    const entry = objects.resolve(value);
    const name = toName(entry);
    if (name === undefined) next = toCount(entry) ?? next;
    else names.set(next++, name);
  }
  const texts = readTexts(names, isDrawn);
  const widthOf = createWidthReader(objects, font, isDrawn);
  const byCode = new Map([...texts].map(([code, text]) => [code, [{ text, width: widthOf(code) }]]));
  const byCharacter = new Map<number, NamedGlyph[]>();
  const map = texts.size > 0 ? objects.resolve(font.get('ToUnicode')) : undefined;
  const told = isStream(map) ? readToUnicode(objects.decode(map) ?? new Uint8Array()) : [];
  for (const [code, character] of told) {
    const text = isDoubtful(character) ? texts.get(code) : undefined;
    if (text === undefined || text === String.fromCharCode(character)) continue;
    byCharacter.set(character, [...(byCharacter.get(character) ?? []), { text, width: widthOf(code) }]);
  }
  return { byCode, byCharacter };
}

/** By codes, all that have a name. */
function readTexts(names: ReadonlyMap<number, string>, isDrawn: boolean): Map<number, string | undefined> {
  const ofTex = isDrawn ? readTexGlyphs(names) : undefined;
  const texts = new Map<number, string | undefined>();
  for (const [code, name] of names) texts.set(code, ofTex === undefined ? readGlyphName(name) : ofTex.get(code));
  // Letters alone may be made up, where no other name is an honest one.
  const isHonest = [...texts.values()].some((text) => text !== undefined);
  for (const [code, name] of names) {
    const isLetter = /^[A-Za-z]$/.test(name) && (name.charCodeAt(0) === code || isHonest);
    if (isLetter && isDrawn && ofTex === undefined) texts.set(code, name);
  }
  return texts;
}

/** Tells how far a code moves on, in ems. */
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
    ? attempt(() => decodeStream(file, MOST_FONT_BYTES, (value) => objects.resolve(value)))
    : undefined;
  const program = Buffer.from(bytes?.subarray(0, CLEAR_BYTES) ?? []).toString('latin1');
  const entries = program.matchAll(/\bdup\s+(\d{1,3})\s*\/(\S{1,60})\s+put\b/g);
  return new Map([...entries].map(([, code, name]) => [Number(code), name ?? '']));
}
