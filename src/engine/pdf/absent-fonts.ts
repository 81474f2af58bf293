import { toBytes } from '../pdf-objects/decode-value.js';
import { createFontLister } from '../pdf-objects/list-fonts.js';
import { listPages } from '../pdf-objects/page-tree.js';
import type { PdfDict } from '../pdf-objects/values.js';
import { readOpenObjects } from './open-objects.js';
import type { PdfDocument, Pdfium } from './pdfium.js';
import { readFontName } from './run-style.js';

const TEXT = 1;
const MOST_OBJECTS = 20_000;
const MOST_PAGES = 10_000;
/** Texts that take up no place; a space alone takes up none, either. */
const LEAST_EMPTY = 5;
const LEAST_EMPTY_SHARE = 0.5;
const NO_WIDTH = 0.001;

const COLLECTIONS = new Set(['GB1', 'CNS1', 'Japan1', 'Korea1', 'KR']);

const eastAsian = new WeakMap<PdfDocument, Set<string>>();

/**
 * Names of fonts whose letters an open page shows and nobody can read here: they are not in the file, and PDFium
 * has none in their place for Chinese, Japanese and Korean. It leaves such text out without a sign.
 */
export function findAbsentFonts(pdf: PdfDocument, page: number): string[] {
  const { pdfium } = pdf;
  const fonts = new Map<number, { all: number; empty: number } | undefined>();
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), MOST_OBJECTS);
  const bounds = pdfium._malloc(16);
  for (let at = 0; at < count; at++) {
    const object = pdfium._FPDFPage_GetObject(page, at);
    if (pdfium._FPDFPageObj_GetType(object) !== TEXT) continue;
    const font = pdfium._FPDFTextObj_GetFont(object);
    if (!fonts.has(font))
      fonts.set(font, pdfium._FPDFFont_GetIsEmbedded(font) === 0 ? { all: 0, empty: 0 } : undefined);
    const texts = fonts.get(font);
    if (texts === undefined) continue;
    texts.all++;
    if (isEmpty(pdfium, object, bounds)) texts.empty++;
  }
  pdfium._free(bounds);
  const empty = [...fonts].flatMap(([font, texts]) =>
    texts !== undefined && texts.empty >= LEAST_EMPTY && texts.empty > texts.all * LEAST_EMPTY_SHARE
      ? [readFontName(pdfium, font)]
      : [],
  );
  // Others have one in their place: what is empty in those are spaces.
  return empty.length === 0 ? [] : [...new Set(empty)].filter((name) => findEastAsian(pdf).has(name));
}

function isEmpty(pdfium: Pdfium, object: number, bounds: number): boolean {
  if (pdfium._FPDFPageObj_GetBounds(object, bounds, bounds + 4, bounds + 8, bounds + 12) === 0) return true;
  const [left = 0, , right = 0] = pdfium.HEAPF32.subarray(bounds >> 2, (bounds >> 2) + 3);
  return Math.abs(right - left) < NO_WIDTH;
}

/** The names of all fonts of a document that are for one of Adobe's collections of East Asian characters. Source: ISO 32000-2, 9.7.3. */
function findEastAsian(pdf: PdfDocument): Set<string> {
  const known = eastAsian.get(pdf);
  if (known !== undefined) return known;
  const objects = readOpenObjects(pdf);
  const listFonts = createFontLister(objects);
  const seen = new Set<PdfDict>();
  const names = new Set<string>();
  for (const { resources } of listPages(objects, Math.min(pdf.pageCount, MOST_PAGES))) {
    for (const font of listFonts(resources, seen)) {
      const descendant = objects.dict(objects.array(font.get('DescendantFonts'))[0]);
      const collection = objects.resolve(objects.dict(descendant?.get('CIDSystemInfo'))?.get('Ordering'));
      if (COLLECTIONS.has(toBytes(collection)?.toString('latin1') ?? ''))
        names.add(objects.name(descendant?.get('BaseFont')) ?? '');
    }
  }
  eastAsian.set(pdf, names);
  return names;
}
