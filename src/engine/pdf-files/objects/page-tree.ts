import type { PdfObjects } from './pdf-objects.js';
import { isRef, type PdfDict, type PdfRef, PdfSyntaxError, type PdfValue } from './values.js';

const MAX_TREE_DEPTH = 64;

export interface PageNode {
  /** The page object's reference; undefined where it stands in its parent directly. */
  ref: PdfRef | undefined;
  /** The page's dictionary; empty where the page is missing, which counts nevertheless, as PDFium counts. */
  dict: PdfDict;
  /** The page's resources: its own, or those of the nearest node above it. */
  resources: PdfDict | undefined;
}

/** Lists the pages in order, `max` at most; an object that stands for several pages is listed several times. */
export function listPages(objects: PdfObjects, max: number): PageNode[] {
  const pages: PageNode[] = [];
  // Branches without pages, shared by many others, would take for ever.
  let visits = max * 2 + 10_000;
  const visit = (value: PdfValue | undefined, above: PdfDict | undefined, depth: number): void => {
    if (pages.length >= max || depth > MAX_TREE_DEPTH || visits-- <= 0) return;
    const dict = objects.dict(value) ?? new Map();
    const resources = objects.dict(dict.get('Resources')) ?? above;
    if (!dict.has('Kids')) pages.push({ ref: isRef(value) ? value : undefined, dict, resources });
    else for (const kid of objects.array(dict.get('Kids'))) visit(kid, resources, depth + 1);
  };
  visit(objects.catalog.get('Pages'), undefined, 0);
  return pages;
}

/** Lists all pages. Throws PdfSyntaxError where their number is not `count` or one is missing. */
export function requirePages(objects: PdfObjects, count: number): PageNode[] {
  const pages = listPages(objects, count + 1);
  if (pages.length !== count) throw new PdfSyntaxError('the page tree does not have as many pages as the document');
  if (pages.some(({ dict }) => dict.size === 0)) throw new PdfSyntaxError('a page is missing');
  return pages;
}
