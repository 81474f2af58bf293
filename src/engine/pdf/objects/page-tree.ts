import type { PdfObjects } from './pdf-objects.js';
import { type PdfDict, PdfRef, type PdfValue } from './values.js';

const MOST_DEPTH = 64;

export interface PageNode {
  /** Its object's number; undefined where it stands in its parent directly. */
  reference: number | undefined;
  dict: PdfDict;
  /** Its own, or those of the nearest node above it. */
  resources: PdfDict | undefined;
}

/** The pages in their order, `count` at most: as many as the reader of the document counts. */
export function listPages(objects: PdfObjects, count: number): PageNode[] {
  const pages: PageNode[] = [];
  const seen = new Set<number>();
  const visit = (value: PdfValue | undefined, above: PdfDict | undefined, depth: number): void => {
    if (pages.length >= count || depth > MOST_DEPTH) return;
    const reference = value instanceof PdfRef ? value.number : undefined;
    if (reference !== undefined) {
      if (seen.has(reference)) return;
      seen.add(reference);
    }
    const dict = objects.dict(value);
    if (dict === undefined) return;
    const resources = objects.dict(dict.get('Resources')) ?? above;
    if (!dict.has('Kids')) pages.push({ reference, dict, resources });
    else for (const kid of objects.array(dict.get('Kids'))) visit(kid, resources, depth + 1);
  };
  visit(objects.catalog.get('Pages'), undefined, 0);
  return pages;
}
