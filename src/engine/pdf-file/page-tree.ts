import type { PdfFile } from './pdf-file.js';
import { isDict, isRef, type PdfDict, type PdfRef, PdfSyntaxError, type PdfValue } from './values.js';

export interface PageNode {
  ref: PdfRef;
  dict: PdfDict;
  /** The page's own, or those that it inherits. */
  resources: PdfValue | undefined;
}

const MOST_DEPTH = 64;

/** The pages of a file in their order. Throws PdfSyntaxError, also when there are not as many as are expected. */
export function listPages(file: PdfFile, pageCount: number): PageNode[] {
  const pages: PageNode[] = [];
  const visit = (value: PdfValue | undefined, inherited: PdfValue | undefined, depth: number): void => {
    if (!isRef(value) || depth > MOST_DEPTH) throw new PdfSyntaxError('the page tree is damaged');
    const dict = file.resolve(value);
    if (!isDict(dict)) throw new PdfSyntaxError('a page is missing');
    const resources = dict.get('/Resources') ?? inherited;
    if (!dict.has('/Kids')) {
      pages.push({ ref: value, dict, resources });
      if (pages.length > pageCount) throw new PdfSyntaxError('the page tree has more pages than there are');
      return;
    }
    const kids = file.resolve(dict.get('/Kids') ?? []);
    if (!Array.isArray(kids)) throw new PdfSyntaxError('the page tree is damaged');
    visits += kids.length;
    // Branches without pages, shared by many others, would take for ever.
    if (visits > pageCount * 2 + 10_000) throw new PdfSyntaxError('the page tree is damaged');
    for (const kid of kids) visit(kid, resources, depth + 1);
  };
  let visits = 0;
  const root = file.resolveDict(file.trailer.get('/Root'));
  visit(root.get('/Pages'), undefined, 0);
  if (pages.length !== pageCount) throw new PdfSyntaxError('the page tree has fewer pages than there are');
  return pages;
}
