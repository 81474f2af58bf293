import { append } from '../../../model/append.js';
import { createFontLister } from '../../../pdf-files/objects/list-fonts.js';
import { listPages, type PageNode } from '../../../pdf-files/objects/page-tree.js';
import type { PdfObjects } from '../../../pdf-files/objects/pdf-objects.js';
import type { PdfDict } from '../../../pdf-files/objects/values.js';
import { readOpenObjects } from '../../../pdf-files/pdfium/open-objects.js';
import type { PdfDocument, Pdfium } from '../../../pdf-files/pdfium/pdfium.js';
import { type FontGlyph, type FontGlyphs, readFontGlyphs } from './font-glyphs.js';
import { readFontName } from './font-style.js';

export interface NamedGlyphReader {
  /**
   * The text of a code's glyph in the font of a text object, for glyphs that PDFium maps to nothing; undefined where
   * no source knows it.
   */
  read(object: number, code: number, width: GlyphWidth): string | undefined;
  /** The text of a glyph whose font gives it an unlikely character; undefined where no source knows better. */
  correct(object: number, character: number, width: GlyphWidth): string | undefined;
}

/** Width in ems. Called where fonts of one name disagree. */
type GlyphWidth = () => number;

/** The glyphs of a page's fonts, by the fonts' names. */
type FontsOfPage = ReadonlyMap<string, readonly FontGlyphs[]>;

const MAX_PAGES = 10_000;
/** Widths that differ by less, in ems, are equal: they are rounded. */
const MAX_WIDTH_DIFFERENCE_EM = 0.002;

const known = new WeakMap<PdfDocument, (page: number) => FontsOfPage | undefined>();

/**
 * Reads glyphs by further facts of the file: the font's map, as far as PDFium did not understand it, the names that
 * the PDF's encoding or the font itself gives them, and the font's own tables. PDFium tells none of these: the file is
 * read once, by pdf-files/objects, at the first such glyph.
 */
export function createNamedGlyphReader(pdf: PdfDocument, page: number): NamedGlyphReader {
  const byFont = new Map<number, readonly FontGlyphs[]>();
  const find = (object: number): readonly FontGlyphs[] => {
    const { pdfium } = pdf;
    const font = object === 0 ? 0 : pdfium._FPDFTextObj_GetFont(object);
    if (font === 0) return [];
    const found = byFont.get(font) ?? identify(pdfium, font, findFonts(pdf, page, readFontName(pdfium, font)));
    byFont.set(font, found);
    return found;
  };
  return {
    read: (object, code, width) =>
      choose(
        find(object).flatMap((font) => font.byCode(code) ?? []),
        width,
      ),
    correct: (object, character, width) =>
      choose(
        find(object).flatMap((font) => font.byCharacter.get(character) ?? []),
        width,
      ),
  };
}

/** Chooses between fonts of one name that disagree, by the widths of their glyphs, or not at all. */
function choose(glyphs: readonly FontGlyph[], width: GlyphWidth): string | undefined {
  const [first] = glyphs;
  if (first === undefined) return undefined;
  const agree = ({ text }: FontGlyph) => text === first.text;
  if (glyphs.every(agree)) return first.text;
  const seen = width();
  const [same, ...others] = glyphs.filter((glyph) => Math.abs((glyph.width ?? 0) - seen) < MAX_WIDTH_DIFFERENCE_EM);
  return others.every(({ text }) => text === same?.text) ? same?.text : undefined;
}

/** Finds the fonts of a name. Fonts drawn by the page's own operators have none. */
function findFonts(pdf: PdfDocument, page: number, name: string): readonly FontGlyphs[] {
  const readPage = known.get(pdf) ?? createPageReader(readOpenObjects(pdf), pdf.pageCount);
  known.set(pdf, readPage);
  const fonts = readPage(page);
  return fonts?.get(name) ?? fonts?.get(withoutSubset(name)) ?? [];
}

/**
 * Leaves those of several fonts of one name that may be this one, by the widths that PDFium gives for the characters
 * of their maps: first those whose widths are all the same, then those without a map.
 */
function identify(pdfium: Pdfium, font: number, candidates: readonly FontGlyphs[]): readonly FontGlyphs[] {
  if (candidates.length < 2) return candidates;
  const isSame = ([character, width]: [number, number]) =>
    Math.abs(readWidth(pdfium, font, character) - width) < MAX_WIDTH_DIFFERENCE_EM;
  const possible = candidates.filter((candidate) => [...candidate.readWidths()].every(isSame));
  const proven = possible.filter((candidate) => candidate.readWidths().size > 0);
  return [proven, possible, candidates].find((some) => some.length > 0) ?? [];
}

/** Width in ems that PDFium has for the glyph of a character; 0 where the font has none. */
function readWidth(pdfium: Pdfium, font: number, character: number): number {
  const scratch = pdfium._malloc(Float32Array.BYTES_PER_ELEMENT);
  try {
    const isKnown = pdfium._FPDFFont_GetGlyphWidth(font, character, 1, scratch) !== 0;
    return isKnown ? (pdfium.HEAPF32[scratch >> 2] ?? 0) : 0;
  } finally {
    pdfium._free(scratch);
  }
}

function createPageReader(objects: PdfObjects, pageCount: number): (page: number) => FontsOfPage | undefined {
  const listFonts = createFontLister(objects);
  const pages = listPages(objects, Math.min(pageCount, MAX_PAGES));
  const byFont = new Map<PdfDict, FontGlyphs>();
  const read: (FontsOfPage | undefined)[] = [];
  const readPage = (node: PageNode): FontsOfPage => {
    const fonts = new Map<string, FontGlyphs[]>();
    const seen = new Set<PdfDict>();
    for (const font of listResources(objects, node).flatMap((resources) => listFonts(resources, seen))) {
      const glyphs = byFont.get(font) ?? readFontGlyphs(objects, font);
      byFont.set(font, glyphs);
      const name = nameOf(objects, font);
      // PDFium knows simple fonts without the mark of their subset.
      for (const key of new Set([name, withoutSubset(name)])) append(fonts, key, glyphs);
    }
    return fonts;
  };
  return (page) => {
    const node = pages[page];
    if (node === undefined) return undefined;
    read[page] ??= readPage(node);
    return read[page];
  };
}

/** The page's own resources and those of the annotations that are drawn on it. */
function listResources(objects: PdfObjects, { resources, dict }: PageNode): (PdfDict | undefined)[] {
  const appearances = objects.array(dict.get('Annots')).map((annotation) => {
    const look = objects.dict(objects.dict(annotation)?.get('AP'))?.get('N');
    return objects.dict(objects.dict(look)?.get('Resources'));
  });
  const ofForm = objects.dict(objects.dict(objects.catalog.get('AcroForm'))?.get('DR'));
  return [resources, ...appearances, ofForm];
}

function nameOf(objects: PdfObjects, font: PdfDict): string {
  const descendant = objects.dict(objects.array(font.get('DescendantFonts'))[0]);
  return objects.name((descendant ?? font).get('BaseFont')) ?? '';
}

const withoutSubset = (name: string): string => name.replace(/^[A-Z]{6}\+/, '');
