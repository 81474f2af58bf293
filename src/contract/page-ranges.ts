import { countOf } from './count-of.js';

/** Pattern of a page number, from either end: 1 to 999999999. There is no page 0. */
const PAGE = '-?0{0,8}[1-9]\\d{0,8}';
const RANGE = `${PAGE}(-(${PAGE})?)?`;

/** Pattern of the `pages` argument of our functions: "1-3,7,-1", "5-". Clients recognise our functions by it. */
export const PAGE_RANGES_PATTERN = `^\\s*${RANGE}\\s*(,\\s*${RANGE}\\s*)*$`;

/** Returns the service's message for the first range that a document does not have; undefined where it has all. */
export function findMissingPages(ranges: string, pageCount: number): string | undefined {
  for (const range of ranges.split(',').map((text) => text.trim())) {
    const [, first = '', to, last = first] = /^(-?\d+)(-(-?\d+)?)?$/.exec(range) ?? [];
    const ends = to === '-' ? [first] : [first, last];
    const pages = ends.map((text) => (text.startsWith('-') ? pageCount + 1 + Number(text) : Number(text)));
    const missing = ends.find((_, i) => !isWithin(pages[i], pageCount));
    if (missing !== undefined) return `page ${missing} is not in the document, which has ${countOf(pageCount, 'page')}`;
    const [from = 1, until = pageCount] = pages;
    if (until < from) return `the range "${range}" runs backwards`;
  }
  return undefined;
}

const isWithin = (page = 0, pageCount: number): boolean => page >= 1 && page <= pageCount;

/** Finds a range that runs backwards whatever the page count is ("2-1", "-1--2"), which no pattern can express. */
export function findBackwardsRange(ranges: string): string | undefined {
  return ranges
    .split(',')
    .map((range) => range.trim())
    .find((range) => {
      const [, first, last] = /^(-?\d+)-(-?\d+)$/.exec(range) ?? [];
      if (first === undefined || last === undefined) return false;
      // With one number from each end, the order depends on the page count.
      return first.startsWith('-') === last.startsWith('-') && Number(last) < Number(first);
    });
}

/** Returns page numbers, in ascending order, as ranges: `2-4,9`. */
export function joinPages(numbers: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run?.[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
