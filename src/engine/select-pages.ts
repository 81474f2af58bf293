import { DocumentError } from './model/document-error.js';

const RANGE = /^(-?\d{1,9})(?:(-)(-?\d{1,9})?)?$/;

/**
 * Selects the pages that an expression like "1-3,7,-1" names, from 1, each once, in the document's order. A negative
 * number counts from the end (-1 is the last page), "5-" runs to the end. Undefined means all.
 * Throws DocumentError `invalid-argument` at /pages when the text is not such a list or a page is not in the document.
 */
export function selectPages(expression: string | undefined, pageCount: number): number[] {
  if (expression === undefined) return Array.from({ length: pageCount }, (_, index) => index + 1);
  const wanted = new Set<number>();
  for (const part of expression.split(',').map((text) => text.trim())) {
    const match = RANGE.exec(part);
    if (!match?.[1]) throw refuse(`"${part}" is not a page or a range of pages: write "1-3,7,-1"`);
    const first = resolve(match[1], pageCount);
    const last = match[2] === undefined ? first : match[3] === undefined ? pageCount : resolve(match[3], pageCount);
    if (last < first) throw refuse(`the range "${part}" runs backwards`);
    for (let page = first; page <= last; page++) wanted.add(page);
  }
  return [...wanted].sort((a, b) => a - b);
}

function resolve(text: string, pageCount: number): number {
  const number = Number(text);
  const page = number < 0 ? pageCount + 1 + number : number;
  if (number === 0 || page < 1 || page > pageCount) {
    throw refuse(`page ${text} is not in the document, which has ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`);
  }
  return page;
}

function refuse(message: string): DocumentError {
  return new DocumentError('invalid-argument', message, { pointer: '/pages' });
}
