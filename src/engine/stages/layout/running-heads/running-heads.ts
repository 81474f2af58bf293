import { countBy, mostCounted } from '../../../model/counts.js';
import { takeUntil } from '../../../model/groups.js';
import { roundSize } from '../lines/line-pitch.js';
import {
  type EdgeItem,
  type EdgePage,
  type EdgeRow,
  findUprights,
  isLabelled,
  isNote,
  isNumberPart,
  takeRows,
  wideMargin,
  ZONE,
} from './edge-rows.js';
import { isLoneHead } from './lone-heads.js';
import { findLevels, findRepeatedRows } from './repeated-rows.js';
import { createTitles } from './repeated-titles.js';

export interface RunningHeads<T> {
  header: T[];
  footer: T[];
}

/** Type as large as this, in sizes of the body's, is no running head's. */
const LARGE = 1.3;
/** Type of titles: that of a running head may be as large where it has the same figures on each page. */
const LARGER = 1.2;
/** Type of the numbered titles of sections, which may keep step with the pages. */
const LARGER_NUMBERED = 1.1;

/**
 * Finds headers, footers and page numbers by comparing the pages with each other: a text that comes again at the same
 * height, numbers that count with the pages (after Lin, "Header and footer extraction by page association", 2003). On
 * a page alone, a number or an address that stands apart at its edge shows them.
 */
export function findRunningHeads<T extends EdgeItem>(pages: readonly EdgePage<T>[]): RunningHeads<T>[] {
  const bodySize = usualSize(pages);
  const [top, foot] = [wideMargin(pages, 'header'), wideMargin(pages, 'footer')];
  const edges = pages.map((page) => {
    const uprights = findUprights(page);
    return { header: takeRows(page, 'header', top, uprights), footer: takeRows(page, 'footer', foot, uprights) };
  });
  const rows = edges.flatMap(({ header, footer }) => [...header, ...footer]);
  const least = pages.length > 6 ? 3 : 2;
  const most = Math.max(3, pages.length / 2);
  const isLarge = ({ edge, size, page }: EdgeRow<T>) =>
    size > bodySize * LARGE && (edge === 'header' || size > usualSize([page]) * LARGE);
  const mayBeTitle = ({ edge, size, number, parts }: EdgeRow<T>) =>
    edge === 'header' && size > bodySize * LARGER && number === undefined && parts === 1;
  const repeated = findRepeatedRows(pages, rows, (row) => isLarge(row) || mayBeTitle(row), { least, most });
  /** Rows whose figures count, by the first of them: the heads of tables are the same on each page. */
  const counting = new Set([...repeated].flatMap(([row, first]) => (row.text === first.text ? [] : [first])));
  const counts = new Map<EdgeRow<T>, number>();
  const numbered = rows.filter(({ number }) => number !== undefined);
  const aheadOf = ({ number, page }: EdgeRow<T>) => Number(number) - page.number;
  // Numbered lines count with the pages too, the first of one page and the second of the next, but at other heights.
  const levels = findLevels(numbered, aheadOf);
  // The pages of a document for the screen, printed on larger sheets, end at other heights.
  const ends = findLevels(numbered.filter(isAboveFoot), aheadOf, Infinity).filter(({ length }) => length > 1);
  for (const level of [...levels, ...ends]) {
    const { size } = new Set(level.map(({ page }) => page));
    for (const row of level) counts.set(row, size);
  }
  const countsEnds = ends.flat().length >= Math.max(3, pages.length / 3);
  const countOf = (row: EdgeRow<T>) => counts.get(row) ?? 0;

  /** Names of numbered heads, which may stand at another height on the first page. */
  const nameOf = (row: EdgeRow<T>) => `${row.edge} ${row.key} ${aheadOf(row)}`;
  const names = new Set([...repeated.keys()].filter((row) => countOf(row) >= least).map(nameOf));

  const isRunning = (row: EdgeRow<T>): boolean => {
    if (row.number !== undefined && !isLarge(row) && row.gap > 1.8 && names.has(nameOf(row))) return true;
    const first = repeated.get(row);
    if (isAboveFoot(row)) return row.items.every(isNumberPart) && row.gap > 1.8 && countsEnds && countOf(row) >= 2;
    if (row.key === '' && row.parts === 1 && countOf(row) >= most) return true;
    // Large type may be the title of a slide. On other pages it is the head of a chapter, which stands in the text at its first place.
    if (isLarge(row)) return first !== undefined && first !== row && isHeadOfChapter(row);
    // The title of a document may come again as its running head.
    if (first === row && row.page === pages[0] && mayBeTitle(row) && isLargest(row)) return false;
    // The head of a table comes again on each page too.
    if (row.parts > 2 && row.gap < 1.8 && row.number === undefined && !counting.has(first ?? row)) return false;
    if (first !== undefined) return true;
    const counted = countOf(row);
    // Figures of a table may keep step with some pages, and titles that begin with numbers with two.
    if (row.isInText) return isNumberOfPage(row) && counted >= most;
    if (row.key === '') return counted >= 2;
    if (row.size > bodySize * LARGER_NUMBERED && !row.items.some(isNumberPart)) return false;
    return counted >= least && row.gap > 1.3 && !isLabelled(row);
  };

  const isPartOfText = (row?: EdgeRow<T>): boolean =>
    row !== undefined && (row.isInParagraph || (row.isInText && countOf(row) < most));

  const document = { bodySize, isOnlyPage: pages.length === 1, repeatsTitle: createTitles(pages, bodySize) };
  const takeHeads = (ofEdge: readonly EdgeRow<T>[]): T[] => {
    // The imprint of the first page stands below its number.
    const inmost = ofEdge.findLastIndex(
      (row) => row.key === '' && row.gap > (countOf(row) >= most ? 1.25 : 1.8) && countOf(row) >= least,
    );
    const isOutside = (row: EdgeRow<T>, rank: number) =>
      rank < inmost && row.key !== '' && !row.isInText && !isLarge(row) && (ofEdge[inmost - 1]?.gap ?? 0) > 1;
    const found = takeUntil(
      ofEdge,
      (row, rank) => !isRunning(row) && !isOutside(row, rank) && (row.isInText || !isLoneHead(ofEdge, rank, document)),
    );
    while (isPartOfText(found.at(-1))) found.pop();
    return found.flatMap((row) =>
      (isNote(row) || row.isInText) && !repeated.has(row) ? row.items.filter(isNumberPart) : row.items,
    );
  };
  const heads = edges.map(({ header, footer }) => ({ header: takeHeads(header), footer: takeHeads(footer) }));
  return keepBodies(pages, heads);
}

/** True for the end of a text set small on a large sheet. */
const isAboveFoot = ({ depth }: EdgeRow<EdgeItem>): boolean => depth > ZONE;

/** Type of a number by that of its row, from which it is no cell of a table. */
const SMALLER = 0.9;

/** True for a row in step with the text that is a number alone, or has one in smaller type. */
const isNumberOfPage = ({ key, items, size }: EdgeRow<EdgeItem>): boolean =>
  (key === '' && items.length === 1) || items.some((item) => isNumberPart(item) && item.fontSize < size * SMALLER);

const isLargest = ({ size, page }: EdgeRow<EdgeItem>): boolean => page.items.every(({ fontSize }) => fontSize <= size);

const isHeadOfChapter = ({ edge, key, page }: EdgeRow<EdgeItem>): boolean =>
  edge === 'header' && page.width <= page.height && /\p{L}{3}/u.test(key);

/** Keeps the heads as text where most pages have nothing else: labels, slips, slides with a line each. */
function keepBodies<T extends EdgeItem>(pages: readonly EdgePage<T>[], heads: RunningHeads<T>[]): RunningHeads<T>[] {
  const written = pages.filter(({ items }) => items.length > 0).length;
  const isEmptied = heads.map(({ header, footer }, index) => {
    const count = pages[index]?.items.length ?? 0;
    return count > 0 && new Set([...header, ...footer]).size === count;
  });
  if (isEmptied.filter(Boolean).length * 2 <= written) return heads;
  return heads.map((found, index) => (isEmptied[index] ? { header: [], footer: [] } : found));
}

function usualSize(pages: readonly EdgePage<EdgeItem>[]): number {
  const widths = countBy(
    pages.flatMap(({ items }) => items),
    ({ fontSize }) => roundSize(fontSize),
    ({ fontSize, x0, x1 }) => (x1 - x0) / Math.max(1, fontSize),
  );
  return mostCounted(widths, 10);
}
