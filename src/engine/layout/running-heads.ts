import type { PlacedWord } from './fragment.js';
import { lineText } from './lines.js';

/** What a page has at its edges, as far as headers and footers are told by it. */
export interface EdgePage<T extends EdgeItem> {
  number: number;
  height: number;
  recognised: boolean;
  items: readonly T[];
}

/** Words on one base line. */
export interface EdgeItem {
  words: readonly PlacedWord[];
  x0: number;
  x1: number;
  baseline: number;
  fontSize: number;
}

export interface RunningHeads<T> {
  header: T[];
  footer: T[];
}

type Edge = 'header' | 'footer';

interface EdgeRow<T> {
  items: T[];
  edge: Edge;
  /** 0-1 from the top of the page. */
  y: number;
  x0: number;
  size: number;
  /** Distance of base lines to the next row inward, in ems. */
  gap: number;
  /** Has the next row inward the same size and the same left end? */
  flows: boolean;
  /** Does it flow into rows that are as far apart from each other as it is from them? */
  isInText: boolean;
  /** Parts with wide space between them. */
  parts: number;
  text: string;
  /** The text without what changes from page to page; empty when nothing else is in it. */
  key: string;
  number: number | undefined;
  /** Is the number parted from what else is in the row, by wide space or alone? */
  isNumberApart: boolean;
}

/** Where a row stands: the page, or the one that it is like, and the height. */
interface Place {
  page: number;
  y: number;
}

const MOST_ROWS = 3;
/** In ems. */
const OFF_STEP = 0.05;
/** Share of the page at its top and at its foot in which headers and footers stand. */
const ZONE = 0.15;
const NARROW_ZONE = 0.13;
const SAME_PLACE = 0.012;
/** Type smaller than this share of the body's is small print. */
const SMALL = 0.92;
/** Lines of a paragraph stand closer than this, in ems. */
const PARAGRAPH_GAP = 1.5;

/**
 * Finds headers, footers and page numbers by comparing the pages with each other: a text that comes again at the same
 * height, numbers that count with the pages (after Lin, "Header and footer extraction by page association", 2003). A
 * page alone gives them away by a number or an address that stands apart at its edge.
 */
export function findRunningHeads<T extends EdgeItem>(pages: readonly EdgePage<T>[]): RunningHeads<T>[] {
  const bodySize = usualSize(pages);
  const sizes = pages.map((page) => usualSize([page]));
  const rows = pages.map((page) => [...takeRows(page, 'header'), ...takeRows(page, 'footer')]);
  const byKey = new Map<string, Place[]>();
  const byOffset = new Map<string, number>();
  const numbered = new Map<Edge, Place[]>();
  const originals = findOriginals(pages);
  const different = new Set(originals).size;
  rows.forEach((ofPage, index) => {
    const offsets = new Set<string>();
    for (const row of ofPage) {
      const place = { page: originals[index] ?? index, y: row.y };
      if (row.key !== '') append(byKey, `${row.edge} ${row.key}`, place);
      if (row.number === undefined) continue;
      append(numbered, row.edge, place);
      offsets.add(`${row.edge} ${row.number - (pages[index]?.number ?? 0)}`);
    }
    for (const offset of offsets) byOffset.set(offset, (byOffset.get(offset) ?? 0) + 1);
  });
  const least = pages.length > 6 ? 3 : 2;
  const ends = findCountedEnds(rows.flatMap((ofPage) => ofPage.find(({ edge }) => edge === 'footer') ?? []));

  const isRunning = (row: EdgeRow<T>, index: number, rank: number): boolean => {
    const page = pages[index];
    // What is large at the top of a slide may be its title, though others have the same.
    const usual = row.edge === 'footer' ? Math.max(bodySize, sizes[index] ?? 0) : bodySize;
    if (page === undefined || row.size > usual * 1.3) return false;
    // The head of a table comes again on each page too.
    if (row.parts > 2 && row.gap < 1.8 && row.number === undefined) return false;
    if (ends.has(row)) return true;
    if (!isInZone(row)) return false;
    // Q4 and U1 count what the document is about.
    const comesAgain = !/^\p{L}\d{1,3}[.:)]?$/u.test(row.text);
    if (comesAgain && countAtPlace(byKey.get(`${row.edge} ${row.key}`), row.y, SAME_PLACE) >= least) return true;
    if (row.number !== undefined) {
      const counted = byOffset.get(`${row.edge} ${row.number - page.number}`) ?? 0;
      // Titles that begin with numbers may keep step with two pages.
      if (row.key === '' ? counted >= 2 : counted >= least && row.gap > 1.3) return true;
      const level = countAtPlace(numbered.get(row.edge), row.y, SAME_PLACE / 2);
      // Numbered sentences stand at the edges of pages too.
      const isSentence = !row.isNumberApart && /[.;:,]$/.test(row.text);
      if (level >= Math.max(3, different / 4) && row.gap > PARAGRAPH_GAP && !isSentence) return true;
    }
    return !page.recognised && (rank === 0 || row.size < bodySize * SMALL) && standsAlone(row, bodySize);
  };

  const heads = pages.map((_, index) => {
    const heads: RunningHeads<T> = { header: [], footer: [] };
    for (const edge of ['header', 'footer'] as const) {
      const found: EdgeRow<T>[] = [];
      for (const row of rows[index]?.filter((candidate) => candidate.edge === edge) ?? []) {
        if (!isRunning(row, index, found.length)) break;
        found.push(row);
      }
      // What goes on into the page at the distance of its lines is a part of it.
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

const isNumberPart = (item: EdgeItem): boolean => PART_WITH_NUMBER.test(lineText(item));

/** Does a row begin with a mark and text, as a note does, and have the page's number apart behind them? */
function isNote({ edge, items: [first, ...others] }: EdgeRow<EdgeItem>): boolean {
  return (
    edge === 'footer' && first !== undefined && /^\d{1,2} \P{N}/u.test(lineText(first)) && others.some(isNumberPart)
  );
}

/** Pages that have one of `places` at this height. */
const countAtPlace = (places: readonly Place[] = [], y: number, distance: number): number =>
  new Set(places.filter((place) => Math.abs(place.y - y) < distance).map(({ page }) => page)).size;

/** Lines of a page's body. */
const MOST_COMPARED = 12;
const LEAST_COMPARED = 3;

/**
 * For each page the first that says most of the same between its edges: in pages made of one form (letters to several
 * people, slips, a page that stands there twice) everything comes again.
 */
function findOriginals(pages: readonly EdgePage<EdgeItem>[]): number[] {
  const firstOf = new Map<string, number>();
  return pages.map(({ height, items }, index) => {
    const [top, foot] = [height * ZONE, height * (1 - ZONE)];
    const keys = new Set<string>();
    for (const item of items) {
      if (keys.size >= MOST_COMPARED) break;
      if (item.baseline < top || item.baseline > foot) continue;
      const key = lineText(item).replace(/\d+/g, '').trim();
      // One word alone may be a label of a drawing or a cell of a table.
      if (key.includes(' ')) keys.add(key);
    }
    const alike = new Map<number, number>();
    for (const key of keys) {
      const first = firstOf.get(key);
      if (first === undefined) firstOf.set(key, index);
      else alike.set(first, (alike.get(first) ?? 0) + 1);
    }
    const [original, count] = [...alike].reduce((a, b) => (b[1] > a[1] ? b : a), [index, 0]);
    return count * 2 >= Math.max(keys.size, LEAST_COMPARED) ? original : index;
  });
}

const isInZone = ({ edge, y }: EdgeRow<unknown>): boolean => (edge === 'header' ? y <= ZONE : y >= 1 - ZONE);

const LEAST_COUNTED = 3;

/**
 * Of the last rows of pages those of one wording whose numbers count on, wherever they stand: a footer that was text to
 * the program which printed the pages. One word with a number may be the name of a drawing.
 */
function findCountedEnds<T>(rows: readonly EdgeRow<T>[]): Set<EdgeRow<T>> {
  const counts = new Map<string, EdgeRow<T>[]>();
  const found = new Set<EdgeRow<T>>();
  for (const row of rows) {
    if (row.number === undefined || row.gap < PARAGRAPH_GAP || /^\S+$/.test(row.key)) continue;
    const before = counts.get(row.key) ?? [];
    const count = before.at(-1)?.number === row.number - 1 ? [...before, row] : [row];
    counts.set(row.key, count);
    if (count.length >= LEAST_COUNTED) for (const counted of count) found.add(counted);
  }
  return found;
}

/** Where heads are all that there is on most pages, they are what the document says: labels, slips, slides with a line each. */
function keepBodies<T extends EdgeItem>(pages: readonly EdgePage<T>[], heads: RunningHeads<T>[]): RunningHeads<T>[] {
  const written = pages.filter(({ items }) => items.length > 0).length;
  const isEmptied = heads.map(({ header, footer }, index) => {
    const count = pages[index]?.items.length ?? 0;
    return count > 0 && new Set([...header, ...footer]).size === count;
  });
  if (isEmptied.filter(Boolean).length * 2 <= written) return heads;
  return heads.map((found, index) => (isEmptied[index] ? { header: [], footer: [] } : found));
}

/** Does a page alone show that this is no text of its own? */
function standsAlone(row: EdgeRow<unknown>, bodySize: number): boolean {
  const inMargin = row.y < NARROW_ZONE || row.y > 1 - NARROW_ZONE;
  if (!inMargin || row.size > bodySize * 1.05) return false;
  // Of one page, nothing runs on.
  const isNamed = row.isNumberApart && /\bpage \d+ (of|\/) (?!1$)\d+$/i.test(row.text);
  if (!isNamed && row.gap < (row.size < bodySize * SMALL ? 1.6 : 1.9)) return false;
  if (row.number !== undefined && row.number < 1000 && (row.isNumberApart || row.parts > 2)) return true;
  return /^(https?:\/\/|www\.)\S+\s*(\d+\s*\/\s*\d+)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4},?\s+\d|^(©|copyright |\(c\) ?\d{4}\b)/i.test(
    row.text,
  );
}

/** The outermost rows, from the edge inward. */
function takeRows<T extends EdgeItem>(page: EdgePage<T>, edge: Edge): EdgeRow<T>[] {
  const sign = edge === 'header' ? 1 : -1;
  const inZone = page.items.filter(({ baseline }) =>
    edge === 'header' ? baseline < page.height * (ZONE + 0.1) : baseline > page.height * (1 - ZONE - 0.1),
  );
  const sorted = (inZone.length === 0 && edge === 'footer' ? [...page.items] : inZone).sort(
    (a, b) => sign * (a.baseline - b.baseline),
  );
  const groups: T[][] = [];
  for (const item of sorted) {
    const last = groups.at(-1)?.[0];
    if (last !== undefined && Math.abs(last.baseline - item.baseline) < 0.5 * Math.min(last.fontSize, item.fontSize)) {
      groups.at(-1)?.push(item);
    } else if (groups.length > MOST_ROWS) break;
    else groups.push([item]);
  }
  const rows: EdgeRow<T>[] = [];
  for (const [index, items] of groups.slice(0, MOST_ROWS).entries()) {
    const next = groups[index + 1];
    const row = toRow(items, [next, groups[index + 2]], edge, page.height);
    // What ends a page may stand above its foot.
    if (!isInZone(row) && (edge === 'header' || index > 0)) break;
    rows.push(row);
  }
  return rows;
}

/** `inward` are the next rows towards the middle of the page. */
function toRow<T extends EdgeItem>(
  items: T[],
  inward: readonly (readonly T[] | undefined)[],
  edge: Edge,
  height: number,
): EdgeRow<T> {
  items.sort((a, b) => a.x0 - b.x0);
  const size = Math.max(...items.map(({ fontSize }) => fontSize), 1);
  const baseline = items[0]?.baseline ?? 0;
  const x0 = items[0]?.x0 ?? 0;
  const [inner, second] = inward.map((row) => row?.reduce((a, b) => (b.x0 < a.x0 ? b : a)));
  const text = items.map(lineText).join(' ');
  // Leaders show a table of contents.
  const number = /\.{4}|(?:\. ){4}/.test(text) ? undefined : pageNumberOf(text);
  const parts = items.filter((item, index) => item.x0 - (items[index - 1]?.x1 ?? -Infinity) > size).length;
  const key = keyOf(text);
  const gap = inner === undefined ? Infinity : Math.abs(inner.baseline - baseline) / size;
  const gapInward = inner && second ? Math.abs(second.baseline - inner.baseline) / size : 0;
  const flows = inner !== undefined && Math.abs(inner.fontSize - size) < size * 0.06 && Math.abs(inner.x0 - x0) < size;
  return {
    items,
    edge,
    y: baseline / height,
    x0,
    size,
    text,
    number,
    isNumberApart: key === '' || (parts > 1 && items.some(isNumberPart)),
    gap,
    flows,
    isInText: flows && Math.abs(gap - gapInward) < OFF_STEP,
    parts,
    key,
  };
}

const keyOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^[ivxlc]+\s|\s[ivxlc]+$/g, '')
    .replace(/\d+/g, '#')
    .replace(/^(page )?# of #$|^page #/, '')
    .replace(/[^\p{L}#]+/gu, ' ')
    .replace(/#/g, '')
    .trim();

const NUMBER = '(?:\\d{1,4}|[ivxlc]{1,7})';
const OF_ALL = `(?: ?(?:of|/) ?${NUMBER})?`;
const numberAt = (digits: string): RegExp[] => [
  new RegExp(`(?:^| )[-–—|[(]? ?(${digits})${OF_ALL} ?[-–—|\\])]?$`),
  // In brackets before text it is the marker of an item.
  new RegExp(`^(?:[Pp]age )?[-–—|]? ?(${digits})${OF_ALL} ?[-–—|]?(?: |$)`),
];
// Roman numbers in small letters: a capital one is more often a word of its own, or a cross in a form.
const PAGE_NUMBERS = [...numberAt('\\d{1,4}'), ...numberAt('[ivxlc]{1,7}')];
const PART_WITH_NUMBER = new RegExp(
  `^(?:[Pp]age )?[-–—|[(]? ?${NUMBER}${OF_ALL} ?[-–—|\\])]?$|^${NUMBER} ?[-–—] ?${NUMBER}$| [Pp]age ${NUMBER}${OF_ALL}$`,
);

/** The page's number at one end of a row, arabic or else roman. */
function pageNumberOf(text: string): number | undefined {
  for (const pattern of PAGE_NUMBERS) {
    const digits = pattern.exec(text)?.[1];
    if (digits !== undefined) return /^\d/.test(digits) ? Number(digits) : readRoman(digits);
  }
  return undefined;
}

const ROMAN: Record<string, number> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function readRoman(text: string): number | undefined {
  if (!/^c{0,3}(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})$/.test(text)) return undefined;
  const values = [...text].map((letter) => ROMAN[letter] ?? 0);
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0);
}

function usualSize(pages: readonly EdgePage<EdgeItem>[]): number {
  const widths = new Map<number, number>();
  for (const { items } of pages) {
    for (const { fontSize, x0, x1 } of items) {
      const size = Math.round(fontSize * 2) / 2;
      widths.set(size, (widths.get(size) ?? 0) + (x1 - x0) / Math.max(1, fontSize));
    }
  }
  return [...widths].reduce((a, b) => (b[1] > a[1] ? b : a), [10, 0])[0];
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
