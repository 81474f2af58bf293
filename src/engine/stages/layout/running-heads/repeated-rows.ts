import { append } from '../../../model/append.js';
import { countBy, mostCounted } from '../../../model/counts.js';
import { splitWhere } from '../../../model/groups.js';
import { lineText } from '../lines/lines.js';
import {
  DAY,
  type EdgeItem,
  type EdgePage,
  type EdgeRow,
  isLabelled,
  isNumberPart,
  noteNumberOf,
  ZONE,
} from './edge-rows.js';

/** Difference of heights that are still one, in heights of the page. */
const SAME_PLACE = 0.012;
/** Share of figures that misreadings and marks of programs may change. */
const MAX_STRANGE_FIGURES = 0.03;

/**
 * Finds rows whose wording comes again at one height on `least` pages, or in step with the text on `most`, and whose
 * figures come again too, with the first of them. Rows whose figures change are data.
 */
export function findRepeatedRows<T extends EdgeItem>(
  pages: readonly EdgePage<T>[],
  rows: readonly EdgeRow<T>[],
  isLarge: (row: EdgeRow<T>) => boolean,
  { least, most }: { least: number; most: number },
) {
  const originals = findOriginals(pages);
  const worded = rows.filter(({ key }) => key !== '');
  // Chapters and sheets are counted in their titles.
  const wordingOf = (row: EdgeRow<T>) => (isLarge(row) ? row.text : (LABEL.exec(row.text)?.[0] ?? row.key));
  const repeated = new Map<EdgeRow<T>, EdgeRow<T>>();
  for (const level of findLevels(worded, wordingOf)) {
    // A value that changes behind its label is data: "Result: negative", "Result: positive".
    if (level.some(({ key }) => key !== level[0].key)) continue;
    const need = level.every(({ isInText }) => isInText) ? Math.min(most, pages.length) : least;
    if (new Set(level.map(({ page }) => originals.get(page))).size < need) continue;
    level.sort((a, b) => a.page.number - b.page.number);
    if (haveSameFigures(level) && !areNotes(level)) for (const row of level) repeated.set(row, level[0]);
  }
  return repeated;
}

/** Up to three words that say what the rest of a row is. */
const LABEL = /^(?:[^\s\d]+ ){0,2}[^\s\d]*(?:: |：)/u;

/** Groups rows of one name that stand at one height and edge of their pages, less than `apart` page heights from the next. */
export function findLevels<T>(
  rows: readonly EdgeRow<T>[],
  nameOf: (row: EdgeRow<T>) => string | number,
  apart = SAME_PLACE,
) {
  const alike = new Map<string, EdgeRow<T>[]>();
  for (const row of [...rows].sort((a, b) => a.depth - b.depth)) append(alike, `${row.edge} ${nameOf(row)}`, row);
  return [...alike.values()].flatMap((group) => splitWhere(group, (row, before) => row.depth - before.depth >= apart));
}

/**
 * True when the figures of rows are those of the row on the page before or behind them, or count with the pages, by one
 * or by the two sides of a sheet. Totals and readings are others on each page.
 */
function haveSameFigures(rows: readonly EdgeRow<EdgeItem>[]): boolean {
  const figures = rows.map(({ text }) => (text.match(FIGURE) ?? []).map(toFigure));
  const strange = rows.flatMap((row, index) => {
    const isCounted = !isLabelled(row) && !(row.isInText && row.items.filter(isNumberPart).length > 1);
    const known = [index - 1, index + 1].flatMap((other) => {
      const pages = isCounted ? row.page.number - (rows[other]?.page.number ?? 0) : 0;
      return (figures[other] ?? []).flatMap((figure): (number | string)[] =>
        typeof figure === 'string' ? [figure] : [figure, figure + pages, figure + 2 * pages],
      );
    });
    return figures[index]?.filter((figure) => !known.includes(figure)) ?? [];
  });
  return strange.length <= figures.flat().length * MAX_STRANGE_FIGURES;
}

/** True for notes of one wording at the feet of pages, whose numbers count on but not with the pages ("3. Ibid., p. 12"). */
function areNotes(rows: readonly EdgeRow<EdgeItem>[]): boolean {
  const numbers = rows.flatMap((row) => noteNumberOf(row) ?? []);
  if (numbers.length < rows.length) return false;
  const ahead = rows.map(({ page }, index) => (numbers[index] ?? 0) - page.number);
  return [numbers, ahead].every((found) => new Set(found).size > 1);
}

/** An amount, a day with its month and year, or a run of digits. */
const FIGURE = new RegExp(`\\d+[.,]\\d\\d(?![.,\\d])|${DAY.source}|\\p{Nd}+`, 'gu');

/** Amounts and days do not count. */
const toFigure = (text: string): number | string => (/\P{Nd}/u.test(text) ? text : toNumber(text));

/** The last four bits of the digits of most scripts are their values; in the others, numbers count on just as well. */
const toNumber = (digits: string): number =>
  [...digits].reduce((value, digit) => value * 10 + ((digit.codePointAt(0) ?? 0) & 15), 0);

/** Lines of a page's body that are compared. */
const MAX_COMPARED_LINES = 12;
const MIN_COMPARED_LINES = 3;
/** Difference of the heights of a form's lines, in heights of the page. The rows of a list come again at other heights. */
const MAX_FORM_SHIFT = 0.03;

/**
 * For each page the first page with most of the same text between its edges: on pages made of one form (letters to
 * several people, slips, a page that stands there twice) everything comes again.
 */
function findOriginals(pages: readonly EdgePage<EdgeItem>[]): Map<EdgePage<EdgeItem>, EdgePage<EdgeItem>> {
  const firstOf = new Map<string, { page: EdgePage<EdgeItem>; place: number }>();
  const originals = new Map<EdgePage<EdgeItem>, EdgePage<EdgeItem>>();
  for (const page of pages) {
    const { height, items } = page;
    const [top, foot] = [height * ZONE, height * (1 - ZONE)];
    const places = new Map<string, number>();
    for (const item of items) {
      if (places.size >= MAX_COMPARED_LINES) break;
      if (item.baseline < top || item.baseline > foot) continue;
      const text = lineText(item);
      // One word alone may be a label of a drawing or a cell of a table, a line after figures the end of one's row.
      if (text.includes(' ') && !/^\P{L}*\d/u.test(text)) places.set(text.replace(/\d+/g, ''), item.baseline / height);
    }
    const alike = countBy(
      [...places].flatMap(([key, place]) => {
        const first = firstOf.get(key);
        return first !== undefined && Math.abs(first.place - place) < MAX_FORM_SHIFT ? [first.page] : [];
      }),
      (first) => first,
    );
    for (const [key, place] of places) if (!firstOf.has(key)) firstOf.set(key, { page, place });
    const original = mostCounted(alike, page);
    const isForm = (alike.get(original) ?? 0) * 2 >= Math.max(places.size, MIN_COMPARED_LINES);
    originals.set(page, isForm ? original : page);
  }
  return originals;
}
