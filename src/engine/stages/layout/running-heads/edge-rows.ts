import { type Area, extentOf } from '../../../model/geometry.js';
import { splitWhere, takeUntil } from '../../../model/groups.js';
import { median } from '../../../model/median.js';
import type { PageWord } from '../../../model/page.js';
import { lineText } from '../lines/lines.js';
import { MAX_MARK_RATIO } from '../lines/shifted-marks.js';
import { romanValue } from '../section-numbers.js';
import { joinRules, REACH } from '../tables/grids.js';

/** The rows at the edges of a page, as far as they tell headers and footers. */
export interface EdgePage<T extends EdgeItem> {
  number: number;
  width: number;
  height: number;
  recognised: boolean;
  items: readonly T[];
  rules: readonly Area[];
}

/** Words on one base line. */
export interface EdgeItem {
  words: readonly PageWord[];
  x0: number;
  x1: number;
  baseline: number;
  fontSize: number;
}

type Edge = 'header' | 'footer';

export interface EdgeRow<T> {
  page: EdgePage<EdgeItem>;
  items: T[];
  edge: Edge;
  /** Share of the page's height from its edge, or from where wide margins of all pages leave off. */
  depth: number;
  x0: number;
  baseline: number;
  size: number;
  /** Distance of base lines to the next row inward, in ems. */
  gap: number;
  /** True when it has the size and the left end of the next row inward, and its distance from the row behind that. */
  isInText: boolean;
  /** True when it stands as close to the next row inward as the lines of a paragraph do. */
  isInParagraph: boolean;
  /** Parts with wide space between them. */
  parts: number;
  text: string;
  /** The text without what changes from page to page; empty when nothing else is in it. */
  key: string;
  number: number | undefined;
  /** True when wide space parts the number from the rest of the row, or the number stands alone. */
  isNumberApart: boolean;
}

/** Lines of a paragraph stand closer than this, in ems. */
export const PARAGRAPH_GAP = 1.5;
const MAX_ROWS = 3;
/** Difference of steps that are still equal, in ems. */
const MAX_STEP_DIFFERENCE_EM = 0.05;
/** Share of the page at its top and at its foot in which headers and footers stand. */
export const ZONE = 0.15;

export const isBoldItem = ({ words }: EdgeItem): boolean => words.every(({ bold }) => bold);

export const isNumberPart = (item: EdgeItem): boolean => PART_WITH_NUMBER.test(lineText(item));

/** The number that a row at the foot begins with, with a stop or in smaller type, as a note does; undefined where none does. */
export function noteNumberOf({ edge, items: [first, second] }: EdgeRow<EdgeItem>): number | undefined {
  const [number, text = standsClose(first, second) ? second?.words[0] : undefined] = first?.words ?? [];
  if (edge !== 'footer' || number === undefined || text === undefined || /^\p{N}/u.test(text.text)) return undefined;
  const isRaised = number.fontSize < text.fontSize * MAX_MARK_RATIO;
  const digits = (isRaised ? /^(\d{1,2})[.)]?$/ : /^(\d{1,2})[.)]$/).exec(number.text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Largest gap between the mark of a note and its text, in ems: a mark that is raised far is a part of its own. */
const MAX_NOTE_GAP_EM = 0.6;

const standsClose = (mark: EdgeItem | undefined, text: EdgeItem | undefined): boolean =>
  mark !== undefined && text !== undefined && text.x0 - mark.x1 < text.fontSize * MAX_NOTE_GAP_EM;

/** True when a row begins with a mark and text, as a note or an item of a list does, and has the page's number apart behind them. */
export function isNote({ edge, items: [first, ...others] }: EdgeRow<EdgeItem>): boolean {
  const begins = first !== undefined && (/^\d{1,2} \P{N}/u.test(lineText(first)) || BULLET.test(lineText(first)));
  return edge === 'footer' && begins && others.some(isNumberPart);
}

/** Sign of an item of a list. */
export const BULLET = /^[•◦▪●○■‣](?: |$)/;

/** A day with the name of its month, and its year: its number may keep step with the pages. */
export const DAY = /\b\d\d?\.? \p{L}{3,} \d{4}\b|\p{L}{3,} \d\d?, \d{4}\b/u;

/** Words that say what a number is, and those that say that it is a page's. */
const MAX_LABEL_WORDS = 3;
const PAGE = /(?:page|seite|folie|slide|p[aá]g)/i;

/** True for few words and one number, which may count without being the page's: "Account 9001", "Step 2", "Total hours 40". */
export const isLabelled = ({ key, text, items }: EdgeRow<EdgeItem>): boolean =>
  /^\P{Nd}+ [\p{Nd}/-]+$/u.test(text) &&
  !items.some(isNumberPart) &&
  key.split(' ').length <= MAX_LABEL_WORDS &&
  !PAGE.test(text);

/** Height of a rule that reaches from an edge well into the body, in heights of the page. */
const MIN_UPRIGHT = 2 * ZONE;
/** Least distance of a rule between columns from the frame, in ems. */
const MIN_COLUMN_WIDTH = 2;

/** Upright rules that reach from an edge well into the body: those of a table, or the frame of the page. */
export const findUprights = ({ rules, height }: EdgePage<EdgeItem>): Area[] =>
  joinRules(rules).vertical.filter(({ y0, y1 }) => y1 - y0 > height * MIN_UPRIGHT);

/** True for a row of a table, one that stands between upright rules, with one of them within the frame. */
function isInTable(items: readonly EdgeItem[], uprights: readonly Area[]): boolean {
  const { x0, x1 } = extentOf(items);
  const [{ baseline = 0, fontSize = 0 } = {}] = items;
  const middle = baseline - fontSize * 0.3;
  const xs = uprights.filter(({ y0, y1 }) => y0 < middle && y1 > middle).map((rule) => rule.x0);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const width = fontSize * MIN_COLUMN_WIDTH;
  return left < x0 + REACH && right > x1 - REACH && xs.some((x) => x > left + width && x < right - width);
}

const depthIn = ({ baseline }: EdgeItem, edge: Edge, { height }: EdgePage<EdgeItem>): number =>
  (edge === 'header' ? baseline : height - baseline) / height;

const outermostDepth = (page: EdgePage<EdgeItem>, edge: Edge): number =>
  page.items.reduce((least, item) => Math.min(least, depthIn(item, edge, page)), 1);

/** Share of the page's height that its outermost row stands off the edge at most, with usual margins. */
const USUAL_MARGIN = 0.09;
/** Number and share of the pages that show wide margins, and the difference of their heights. */
const MIN_MARGIN_PAGES = 3;
const MIN_MARGIN_SHARE = 0.6;
const MARGIN_TOLERANCE = 0.012;

/** Share of the page's height that its text spans at least where its margins show. */
const MIN_WRITTEN = 0.3;

const isWritten = (page: EdgePage<EdgeItem>): boolean =>
  1 - outermostDepth(page, 'header') - outermostDepth(page, 'footer') > MIN_WRITTEN;

/** Share of the page's height by which the margins of a document are wider than usual: its pages are small ones on large sheets. */
export function wideMargin(pages: readonly EdgePage<EdgeItem>[], edge: Edge): number {
  const depths = pages.filter(isWritten).map((page) => outermostDepth(page, edge));
  const usual = median(depths) ?? 0;
  const near = depths.filter((depth) => Math.abs(depth - usual) < MARGIN_TOLERANCE).length;
  const isWide = near >= Math.max(MIN_MARGIN_PAGES, depths.length * MIN_MARGIN_SHARE);
  return isWide ? Math.max(0, usual - USUAL_MARGIN) : 0;
}

/** The outermost rows, from the edge inward, with margins wider than usual. A table that reaches into the edge ends them. */
export function takeRows<T extends EdgeItem>(
  page: EdgePage<T>,
  edge: Edge,
  margin: number,
  uprights: readonly Area[],
): EdgeRow<T>[] {
  const depthOf = (item: T) => depthIn(item, edge, page) - margin;
  // The end of a page's text may stand above its foot.
  const reach = (edge === 'footer' ? Math.max(ZONE, outermostDepth(page, edge) - margin) : ZONE) + 0.1;
  const sorted = page.items.filter((item) => depthOf(item) < reach).sort((a, b) => depthOf(a) - depthOf(b));
  const groups = splitWhere(
    sorted,
    (item, _, [first]) => Math.abs(first.baseline - item.baseline) >= 0.5 * Math.min(first.fontSize, item.fontSize),
  ).slice(0, MAX_ROWS + 2);
  for (const items of groups) items.sort((a, b) => a.x0 - b.x0);
  const rows = groups.slice(0, MAX_ROWS).map((items, index) => {
    const [[inner] = [], [second] = []] = groups.slice(index + 1);
    return { ...toRow(items, inner, second), page, edge, depth: depthOf(items[0]) };
  });
  return takeUntil(
    rows,
    ({ depth, items }, index) => (depth > ZONE && (edge === 'header' || index > 0)) || isInTable(items, uprights),
  );
}

/** `inner` and `second` are the first items of the next rows towards the middle of the page. */
function toRow<T extends EdgeItem>(items: [T, ...T[]], inner?: T, second?: T) {
  const texts = items.map(lineText);
  const worded = items.filter((_, index) => /[\p{L}\p{N}]/u.test(texts[index] ?? ''));
  const size = Math.max(...(worded.length > 0 ? worded : items).map(({ fontSize }) => fontSize), 1);
  const [{ baseline, x0 }] = items;
  const text = texts.join(' ');
  const key = keyOf(texts.join('\t'));
  const found = pageNumberOf(texts.map((part) => part.replace(DAY, '')).join(' '));
  const countsOn =
    key !== '' && inner !== undefined && Math.abs(Number(found) - (pageNumberOf(lineText(inner)) ?? NaN)) === 1;
  // Leaders show a table of contents, consecutive numbers a list.
  const number = countsOn || /\.{4}|(?:\. ){4}/.test(text) ? undefined : found;
  const parts = items.filter((item, index) => item.x0 - (items[index - 1]?.x1 ?? -Infinity) > size).length;
  const isNumberApart = key === '' || (parts > 1 && items.some(isNumberPart));
  const gap = inner === undefined ? Infinity : Math.abs(inner.baseline - baseline) / size;
  const gapInward = inner && second ? Math.abs(second.baseline - inner.baseline) / size : 0;
  const flows = inner !== undefined && Math.abs(inner.fontSize - size) < size * 0.06 && Math.abs(inner.x0 - x0) < size;
  const isInText = flows && Math.abs(gap - gapInward) < MAX_STEP_DIFFERENCE_EM;
  const isInParagraph = flows && gap < PARAGRAPH_GAP;
  return { items, x0, baseline, size, text, key, number, isNumberApart, parts, gap, isInText, isInParagraph };
}

/** `text` has tabs between its parts: a capital Roman number is the page's only as a part of its own. */
const keyOf = (text: string): string =>
  text
    .replace(/^(?:[ivxlc]+\s|[IVXLC]+\t)|(?:\s[ivxlc]+|\t[IVXLC]+)$/g, '')
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/^(page\s)?#\sof\s#$|^page\s#|^(?:#|[a-z]|[ivxl]{1,5})[-–](?:#|[ivxlc]+)$/, '')
    .replace(/[^\p{L}§#]+/gu, ' ')
    .replace(/#/g, '')
    .trim();

const NUMBER = '(?:\\d{1,4}|[ivxlc]{1,7})';
/** The number of the chapter or appendix whose pages are counted: "5-1", "A-12". */
const CHAPTER = '(?:(?:\\d{1,2}|[A-Z]|[IVXL]{1,5})[-–])';
const OF_ALL = `(?: ?(?:of|[/／]) ?${NUMBER})?`;
const numberAt = (digits: string): RegExp[] => [
  new RegExp(`(?:^| )[-–—|·[(]? ?${CHAPTER}?(${digits})${OF_ALL} ?[-–—|·\\])]?$`),
  // A number in brackets before text is the marker of an item.
  new RegExp(`^(?:[Pp]age )?[-–—|·]? ?${CHAPTER}?(${digits})${OF_ALL} ?[-–—|·]?(?: |$)`),
];
// Roman numbers in small letters: a capital one is more often a word of its own, or a cross in a form.
const PAGE_NUMBERS = [...numberAt('\\d{1,4}'), ...numberAt('[ivxlc]{1,7}')];
const PART_WITH_NUMBER = new RegExp(
  `^(?:[Pp]age )?[-–—|·[(]? ?${CHAPTER}?${NUMBER}${OF_ALL} ?[-–—|·\\])]?$|^${NUMBER} ?[-–—] ?${NUMBER}$| [Pp]age ${NUMBER}${OF_ALL}$`,
);

/** The page's number at one end of a row, arabic or else roman. */
function pageNumberOf(text: string): number | undefined {
  const [digits] = PAGE_NUMBERS.flatMap((pattern) => pattern.exec(text)?.[1] ?? []);
  if (digits === undefined) return undefined;
  if (/^\d/.test(digits)) return Number(digits);
  return ROMAN.test(digits) ? romanValue(digits) : undefined;
}

const ROMAN = /^c{0,3}(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})$/;
