import { decodeStream } from '../pdf-objects/decode-stream.js';
import { toCount, toName } from '../pdf-objects/decode-value.js';
import { createFontLister } from '../pdf-objects/list-fonts.js';
import { listPages } from '../pdf-objects/page-tree.js';
import { type PdfObjects, readPdfObjects } from '../pdf-objects/pdf-objects.js';
import { attempt, isStream, type PdfDict } from '../pdf-objects/values.js';
import { readGlyphName } from './glyph-names.js';
import type { PdfDocument } from './pdfium.js';
import { readFontName } from './run-style.js';

/** The text of the glyph that a code is in the font of a text object; undefined where nothing tells it. */
export type NamedGlyphReader = (object: number, code: number) => string | undefined;

/** Texts by codes: those that PDFium does not tell. */
type Texts = ReadonlyMap<number, string | undefined>;

const MOST_PAGES = 10_000;
/** A name for each of 256 codes, and the code before each of them. */
const MOST_DIFFERENCES = 512;
const MOST_FONT_FILES = 500;
const MOST_FONT_BYTES = 1024 * 1024;
/** Where the encoding of a Type 1 font stands. */
const CLEAR_BYTES = 64 * 1024;

const known = new WeakMap<PdfDocument, Map<string, Texts>[]>();

/**
 * Reads glyphs that their font maps to nothing by their names, which the PDF's encoding of the font or the font itself
 * gives them. PDFium tells neither: the file is read by ourselves, once, at the first such glyph.
 */
export function createNamedGlyphReader(pdf: PdfDocument, page: number): NamedGlyphReader {
  const byFont = new Map<number, Texts | undefined>();
  return (object, code) => {
    const { pdfium } = pdf;
    const font = object === 0 ? 0 : pdfium._FPDFTextObj_GetFont(object);
    if (font === 0 || code > 0xff) return undefined;
    if (!byFont.has(font)) {
      const pages = known.get(pdf) ?? readPages(pdf);
      known.set(pdf, pages);
      byFont.set(font, pages[page]?.get(withoutSubset(readFontName(pdfium, font))));
    }
    return byFont.get(font)?.get(code);
  };
}

/** For each page, by the names of its fonts. */
function readPages(pdf: PdfDocument): Map<string, Texts>[] {
  const objects = readPdfObjects(pdf.bytes());
  const listFonts = createFontLister(objects);
  const byFont = new Map<PdfDict, Texts>();
  return listPages(objects, Math.min(pdf.pageCount, MOST_PAGES)).map(({ resources }) => {
    const page = new Map<string, Map<number, string | undefined>>();
    for (const font of listFonts(resources, new Set())) {
      const texts = byFont.get(font) ?? readTexts(objects, font, byFont.size < MOST_FONT_FILES);
      byFont.set(font, texts);
      // Those without a name are drawn by the page's own operators, and the names of their glyphs are made up.
      const name = withoutSubset(objects.name(font.get('BaseFont')) ?? '');
      if (name === '' || texts.size === 0) continue;
      const ofName = page.get(name) ?? new Map();
      addTexts(ofName, texts);
      page.set(name, ofName);
    }
    return page;
  });
}

const withoutSubset = (name: string): string => name.replace(/^[A-Z]{6}\+/, '');

/** Of subsets of one font: what they do not agree on is not told. */
function addTexts(known: Map<number, string | undefined>, texts: Texts): void {
  for (const [code, text] of texts) known.set(code, known.has(code) && known.get(code) !== text ? undefined : text);
}

function readTexts(objects: PdfObjects, font: PdfDict, opensFile: boolean): Texts {
  const names = opensFile ? readOwnNames(objects, font) : new Map<number, string>();
  const differences = objects.array(objects.dict(font.get('Encoding'))?.get('Differences'));
  let code = 0;
  for (const value of differences.slice(0, MOST_DIFFERENCES)) {
    const entry = objects.resolve(value);
    const name = toName(entry);
    if (name === undefined) code = toCount(entry) ?? code;
    else names.set(code++, name);
  }
  const texts = new Map<number, string>();
  for (const [code, name] of names) {
    const text = readGlyphName(name);
    if (text !== undefined) texts.set(code, text);
  }
  return texts;
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
