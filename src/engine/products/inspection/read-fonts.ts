import { createFontLister } from '../../pdf-files/objects/list-fonts.js';
import type { PageNode } from '../../pdf-files/objects/page-tree.js';
import type { PdfObjects } from '../../pdf-files/objects/pdf-objects.js';
import { isDict, isStream, type PdfDict } from '../../pdf-files/objects/values.js';

const MAX_FONTS = 500;

export interface PdfFont {
  /** Name without the letters that mark a subset; empty where it has none. */
  name: string;
  /** Type by PDF's names; of a composite font, that of its descendant. */
  type: string;
  isEmbedded: boolean;
  /** True when it contains only the glyphs that are used. */
  isSubset: boolean;
  /** True when it says which characters its glyphs are; text in other fonts may come out wrong. */
  hasUnicodeMap: boolean;
}

/** Lists the fonts that pages, their drawings and their annotations name, each once, in the order of their first page. */
export function readFonts(objects: PdfObjects, pages: readonly PageNode[]): PdfFont[] {
  const fonts = new Map<string, PdfFont>();
  const seen = new Set<PdfDict>();
  const listFonts = createFontLister(objects);
  const add = (resources: PdfDict | undefined): void => {
    for (const dict of listFonts(resources, seen)) {
      if (fonts.size >= MAX_FONTS) return;
      const font = describeFont(objects, dict);
      fonts.set(JSON.stringify(font), font);
    }
  };
  for (const { resources, dict } of pages) {
    add(resources);
    for (const annotation of objects.array(dict.get('Annots'))) {
      for (const appearance of listAppearances(objects, objects.dict(annotation))) {
        add(objects.dict(appearance.get('Resources')));
      }
    }
  }
  return [...fonts.values()];
}

/** The appearances of an annotation: one picture, or one for each of its states. */
function listAppearances(objects: PdfObjects, annotation: PdfDict | undefined): PdfDict[] {
  const normal = objects.resolve(objects.dict(annotation?.get('AP'))?.get('N'));
  if (isStream(normal)) return [normal.dict];
  const states = isDict(normal) ? [...normal.values()] : [];
  return states.map((state) => objects.dict(state)).filter((dict) => dict !== undefined);
}

function describeFont(objects: PdfObjects, dict: PdfDict): PdfFont {
  const descendant = objects.dict(objects.array(dict.get('DescendantFonts'))[0]);
  const own = descendant ?? dict;
  const descriptor = objects.dict(own.get('FontDescriptor'));
  const type = objects.name(own.get('Subtype')) ?? 'unknown';
  const full = objects.name(dict.get('BaseFont')) ?? objects.name(dict.get('Name')) ?? '';
  const subset = /^[A-Z]{6}\+(.*)$/s.exec(full);
  return {
    name: subset?.[1] ?? full,
    type,
    isEmbedded: type === 'Type3' || ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor?.has(key) === true),
    isSubset: subset !== null,
    hasUnicodeMap: dict.has('ToUnicode'),
  };
}
