import type { PdfObjects } from './pdf-objects.js';
import { isRef, type PdfDict, type PdfRef, PdfSyntaxError, type PdfValue } from './values.js';

const MOST_DEPTH = 64;

export interface PageNode {
  /** Undefined where it stands in its parent directly. */
  ref: PdfRef | undefined;
  /** Empty where the page is missing: it counts nevertheless, as PDFium counts. */
  dict: PdfDict;
  /** Its own, or those of the nearest node above it. */
  resources: PdfDict | undefined;
}

/** The pages in their order, `most` at most; an object that stands for several pages is several. */
export function listPages(objects: PdfObjects, most: number): PageNode[] {
  const pages: PageNode[] = [];
  // Branches without pages, shared by many others, would take for ever.
  let visits = most * 2 + 10_000;
  const visit = (value: PdfValue | undefined, above: PdfDict | undefined, depth: number): void => {
    if (pages.length >= most || depth > MOST_DEPTH || visits-- <= 0) return;
    const dict = objects.dict(value) ?? new Map();
    const resources = objects.dict(dict.get('Resources')) ?? above;
    if (!dict.has('Kids')) pages.push({ ref: isRef(value) ? value : undefined, dict, resources });
    else for (const kid of objects.array(dict.get('Kids'))) visit(kid, resources, depth + 1);
  };
  visit(objects.catalog.get('Pages'), undefined, 0);
  return pages;
}

/** All pages, none of them missing. Throws PdfSyntaxError where there are not as many as are expected. */
export function requirePages(objects: PdfObjects, count: number): PageNode[] {
  const pages = listPages(objects, count + 1);
  if (pages.length !== count) throw new PdfSyntaxError('the page tree does not have as many pages as the document');
  if (pages.some(({ dict }) => dict.size === 0)) throw new PdfSyntaxError('a page is missing');
  return pages;
}
