import { append } from '../../../model/append.js';
import { countBy, mostCounted } from '../../../model/counts.js';
import { roundSize } from '../lines/line-pitch.js';
import { lineText } from '../lines/lines.js';
import {
  type EdgeItem,
  type EdgePage,
  type EdgeRow,
  isInZone,
  isNote,
  isNumberPart,
  PARAGRAPH_GAP,
  takeRows,
  ZONE,
} from './edge-rows.js';
import { isLoneHead } from './lone-heads.js';

export interface RunningHeads<T> {
  header: T[];
  footer: T[];
}

/** Place of a row: the page, or the page that it equals, and the height. */
interface Place {
  page: number;
  y: number;
  text: string;
}

const SAME_PLACE = 0.012;

/**
 * Finds headers, footers and page numbers by comparing the pages with each other: a text that comes again at the same
 * height, numbers that count with the pages (after Lin, "Header and footer extraction by page association", 2003). On
 * a page alone, a number or an address that stands apart at its edge shows them.
 */
export function findRunningHeads<T extends EdgeItem>(pages: readonly EdgePage<T>[]): RunningHeads<T>[] {
  const bodySize = usualSize(pages);
  const sizes = pages.map((page) => usualSize([page]));
  const rows = pages.map((page) => [...takeRows(page, 'header'), ...takeRows(page, 'footer')]);
  const byKey = new Map<string, Place[]>();
  const originals = findOriginals(pages);
  const byOffset = new Map<string, number>();
  rows.forEach((ofPage, index) => {
    const offsets = new Set<string>();
    for (const row of ofPage) {
      const place = { page: originals[index] ?? index, y: row.y, text: row.text };
      if (row.key !== '') append(byKey, `${row.edge} ${row.key}`, place);
      if (row.number === undefined) continue;
      offsets.add(`${row.edge} ${row.number - (pages[index]?.number ?? 0)}`);
    }
    for (const offset of offsets) byOffset.set(offset, (byOffset.get(offset) ?? 0) + 1);
  });
  const least = pages.length > 6 ? 3 : 2;

  const isRunning = (row: EdgeRow<T>, index: number): boolean => {
    const page = pages[index];
    if (page === undefined) return false;
    // Large type at the top of a slide may be its title, though others have the same.
    const usual = row.edge === 'footer' ? Math.max(bodySize, sizes[index] ?? 0) : bodySize;
    if (row.size > usual * 1.3) return isLargeHead(row, index);
    // The head of a table comes again on each page too.
    if (row.parts > 2 && row.gap < 1.8 && row.number === undefined) return false;
    if (!isInZone(row)) return false;
    // Q4 and U1 count the topic of the document.
    const comesAgain = !/^\p{L}\d{1,3}[.:)]?$/u.test(row.text);
    if (comesAgain && countAtPlace(byKey.get(`${row.edge} ${row.key}`), row.y, SAME_PLACE) >= least) return true;
    if (row.number === undefined) return false;
    const counted = byOffset.get(`${row.edge} ${row.number - page.number}`) ?? 0;
    // Titles that begin with numbers may keep step with two pages.
    return row.key === '' ? counted >= 2 : counted >= least && row.gap > 1.3;
  };

  /** On pages that are no slides, large type that comes again is the head of a chapter, which stands in the text at its first place. */
  const isLargeHead = (row: EdgeRow<T>, index: number): boolean => {
    const { width = 0, height = 0 } = pages[index] ?? {};
    // Chapters and sheets are counted in their titles.
    const places = byKey.get(`${row.edge} ${row.key}`)?.filter(({ text }) => text === row.text) ?? [];
    if (row.edge === 'footer' || width > height || !isInZone(row) || !hasLetters(row.key)) return false;
    return (places[0]?.page ?? index) < index && countAtPlace(places, row.y, SAME_PLACE) >= least;
  };

  const heads = pages.map((page, index) => {
    const heads: RunningHeads<T> = { header: [], footer: [] };
    for (const edge of ['header', 'footer'] as const) {
      const found: EdgeRow<T>[] = [];
      const ofEdge = rows[index]?.filter((candidate) => candidate.edge === edge) ?? [];
      for (const [rank, row] of ofEdge.entries()) {
        if (!isRunning(row, index) && !isLoneHead(ofEdge, rank, page, bodySize, pages.length === 1)) break;
        found.push(row);
      }
      // A row that flows into the page at the distance of its lines is a part of it.
      while (found.length > 0 && (found.at(-1)?.gap ?? 0) < PARAGRAPH_GAP && found.at(-1)?.flows) found.pop();
      heads[edge] = found.flatMap((row) =>
        (isNote(row) || row.isInText) && (byKey.get(`${edge} ${row.key}`)?.length ?? 0) < 2
          ? row.items.filter(isNumberPart)
          : row.items,
      );
    }
    return heads;
  });
  return keepBodies(pages, heads);
}

const hasLetters = (key: string): boolean => /\p{L}{3}/u.test(key);

/** Counts the pages with one of `places` at this height. */
const countAtPlace = (places: readonly Place[] = [], y: number, distance: number): number =>
  new Set(places.filter((place) => Math.abs(place.y - y) < distance).map(({ page }) => page)).size;

/** Lines of a page's body that are compared. */
const MAX_COMPARED_LINES = 12;
const MIN_COMPARED_LINES = 3;

/**
 * For each page the first page with most of the same text between its edges: on pages made of one form (letters to
 * several people, slips, a page that stands there twice) everything comes again.
 */
function findOriginals(pages: readonly EdgePage<EdgeItem>[]): number[] {
  const firstOf = new Map<string, number>();
  return pages.map(({ height, items }, index) => {
    const [top, foot] = [height * ZONE, height * (1 - ZONE)];
    const keys = new Set<string>();
    for (const item of items) {
      if (keys.size >= MAX_COMPARED_LINES) break;
      if (item.baseline < top || item.baseline > foot) continue;
      const key = lineText(item).replace(/\d+/g, '').trim();
      // One word alone may be a label of a drawing or a cell of a table.
      if (key.includes(' ')) keys.add(key);
    }
    const alike = countBy(
      [...keys].flatMap((key) => firstOf.get(key) ?? []),
      (first) => first,
    );
    for (const key of keys) if (!firstOf.has(key)) firstOf.set(key, index);
    const original = mostCounted(alike, index);
    return (alike.get(original) ?? 0) * 2 >= Math.max(keys.size, MIN_COMPARED_LINES) ? original : index;
  });
}

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
