import type { DocumentView } from './document-view.js';

/** Pages that are shown where the command names none: each has a picture of some 100 KB. */
export const MAX_PAGES = 50;
/** Pages that are shown at most, also of those that the command names. */
const MAX_NAMED_PAGES = 500;

/** Returns the pages to show, and a remark where some of the result are left out. */
export function selectShown(view: DocumentView, pages: string | undefined): { view: DocumentView; note?: string } {
  const numbers = view.pages.map(({ number }) => number);
  const last = Math.max(0, ...numbers);
  const named = pages === undefined ? view.pages : view.pages.filter(({ number }) => isNamed(number, pages, last));
  const max = pages === undefined ? MAX_PAGES : MAX_NAMED_PAGES;
  if (named.length <= max) return { view: { ...view, pages: named } };
  const shown = named.slice(0, max);
  return { view: { ...view, pages: shown }, note: moreNote(shown.at(-1)?.number ?? 0, last) };
}

/** Says how to see the pages after the last one that is shown. */
function moreNote(lastShown: number, last: number): string {
  const next = Math.min(last, lastShown + MAX_PAGES);
  return `Pages to ${lastShown} of ${last} are shown; see others with --pages ${lastShown + 1}-${next}`;
}

/** True for a page that ranges like "1-3,7,-1" name; negative numbers count from the last page. */
function isNamed(page: number, ranges: string, last: number): boolean {
  return ranges.split(',').some((range) => {
    const [, first = '', to, end = first] = /^\s*(-?\d+)(-(-?\d+)?)?\s*$/.exec(range) ?? [];
    const numberOf = (text: string) => (text.startsWith('-') ? last + 1 + Number(text) : Number(text));
    return page >= numberOf(first) && page <= (to === '-' ? last : numberOf(end));
  });
}
