import type { PdfObjects } from './pdf-objects.js';
import type { PdfDict } from './values.js';

/** Depth of forms inside of forms, each with fonts of its own. */
const MAX_FORM_DEPTH = 8;
/** Fonts and drawings that are visited: the same may be named on every page. */
const MAX_VISITS = 200_000;

/** Lists the fonts that resources name, and those of the forms drawn with them, without the ones in `seen`; adds them to `seen`. */
export type FontLister = (resources: PdfDict | undefined, seen: Set<PdfDict>) => PdfDict[];

/** Each object is read once, so that the same dictionary is the same font. */
export function createFontLister(objects: PdfObjects): FontLister {
  let visits = 0;
  const visit = (resources: PdfDict | undefined, seen: Set<PdfDict>, fonts: PdfDict[], depth: number): PdfDict[] => {
    if (resources === undefined || seen.has(resources) || depth > MAX_FORM_DEPTH) return fonts;
    seen.add(resources);
    for (const value of objects.dict(resources.get('Font'))?.values() ?? []) {
      if (++visits > MAX_VISITS) break;
      const font = objects.dict(value);
      if (font === undefined || seen.has(font)) continue;
      seen.add(font);
      fonts.push(font);
    }
    for (const value of objects.dict(resources.get('XObject'))?.values() ?? []) {
      if (++visits > MAX_VISITS) break;
      visit(objects.dict(objects.dict(value)?.get('Resources')), seen, fonts, depth + 1);
    }
    return fonts;
  };
  return (resources, seen) => visit(resources, seen, [], 0);
}
