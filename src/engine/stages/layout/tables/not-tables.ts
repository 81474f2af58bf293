import type { Area } from '../../../model/geometry.js';
import { isLoneMarker } from '../markers.js';
import { type Column, isScale } from './table-columns.js';
import { isNumeric, type RowCell, type TableRow, textOf } from './table-rows.js';

/** As a share of the places of a table: what fills fewer is scattered over a drawing. */
const LEAST_FILLED = 0.5;

/** Are the words scattered, as those of a drawing are? */
export function isSparse(rows: readonly TableRow[], columns: number): boolean {
  const filled = rows.flatMap(cellsOf).reduce((sum, { columnSpan }) => sum + columnSpan, 0);
  return filled < rows.length * columns * LEAST_FILLED;
}

/** Are these lines of a program, numbered items, or figures along an axis? */
export function isListing(rows: readonly TableRow[], columns: number): boolean {
  const texts = Array.from({ length: columns }, (_, column) =>
    rows.flatMap(({ cells }) => (cells[column]?.columnSpan === 1 ? [textOf(cells[column])] : [])),
  );
  if (texts.slice(1).some(areComments) || texts.some((column) => isScale(column.filter(isNumeric)))) return true;
  return columns === 2 && isNumbered(texts);
}

const cellsOf = ({ cells }: TableRow): RowCell[] => cells.filter((cell) => cell !== undefined);

/** A program's, right of its lines. */
function areComments(texts: readonly string[]): boolean {
  return texts.filter((text) => /^(\/\/|\/\*|# |;; |-- )/.test(text)).length > texts.length * 0.6;
}

/** Lines with their numbers, or items and sections with theirs. */
function isNumbered([numbers = [], texts = []]: readonly string[][]): boolean {
  if (texts.every(isNumeric)) return false;
  if (numbers.every((text) => isLoneMarker(text) || /^\d{1,2}(\.\d{1,2})+\.?$|^\d{1,3}:$/.test(text))) return true;
  return numbers.every((text, index) => /^\d{1,4}$/.test(text) && Number(text) === Number(numbers[0]) + index);
}

/** Taller formulas are rare, and what has more rows is likely a table. */
const MOST_FORMULA_ROWS = 6;

/** Are these the parts of a formula? In them brackets open in one cell and close in another. */
export function isFormula(rows: readonly TableRow[]): boolean {
  if (rows.length > MOST_FORMULA_ROWS) return false;
  const texts = rows.flatMap(cellsOf).map(textOf);
  return texts.filter((text) => !isLoneMarker(text) && isOpenBracketed(text)).length >= 2;
}

/** Are there brackets in it without their other half? */
function isOpenBracketed(text: string): boolean {
  return ['()', '[]', '{}'].some(([open = '', close = '']) => text.split(open).length !== text.split(close).length);
}

/** On average, in characters: what explains a term is longer than most of what stands in cells. */
const LEAST_EXPLANATION = 25;
const MOST_TERM = 24;

/** Short terms, each with what it means hanging beside it, in lines that wrap or in sentences; a head would tell a table. */
export function isListOfTerms(rows: readonly TableRow[], columns: number): boolean {
  if (columns !== 2) return false;
  const pairs = rows.flatMap(({ cells: [term, meaning] }) =>
    term?.columnSpan === 1 && meaning !== undefined ? [{ term, meaning }] : [],
  );
  const [first] = pairs;
  if (first === undefined || pairs.length * 2 < rows.length || isHead(textOf(first.meaning))) return false;
  const meanings = pairs.map(({ meaning }) => textOf(meaning));
  const characters = meanings.reduce((sum, { length }) => sum + length, 0);
  if (characters < pairs.length * LEAST_EXPLANATION) return false;
  if (pairs.some(({ term }) => term.lines.length > 1 || textOf(term).length > MOST_TERM)) return false;
  const sentences = meanings.filter((text) => /[.;:]\)?$/.test(text)).length;
  return pairs.some(({ meaning }) => meaning.lines.length > 1) || sentences * 2 > pairs.length;
}

const LEAST_ITEMS = 2;

/** Items with words at the right margin that are level with them, as the places and dates of a résumé. */
export function isListWithPlaces(rows: readonly TableRow[], columns: number): boolean {
  if (columns !== 2) return false;
  const items = rows.filter(({ cells: [item] }) => /^[•◦▪●○■]/.test(textOf(item)));
  return items.length >= LEAST_ITEMS && items.every(({ cells: [, place] }) => place && !isNumeric(textOf(place)));
}

const isHead = (text: string): boolean => text.split(' ').length <= 3 && !/[.,;:]$/.test(text);

/** Of the height of what stands in between, at most: a longer rule parts columns. */
const MOST_SIDE = 0.6;
const LEAST_SIDE_EM = 1.6;
const MOST_NUMERIC = 0.35;

/** Are words framed, as in a flow chart: do the sides of boxes stand among them that make no grid? Figures stand in filled boxes too. */
export function isFramed(rows: readonly TableRow[], columns: readonly Column[], sides: readonly Area[]): boolean {
  const texts = rows.flatMap(cellsOf).map(textOf);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined || texts.filter(isNumeric).length > texts.length * MOST_NUMERIC)
    return false;
  const [left = 0, right = 0] = [columns[0]?.x0, columns.at(-1)?.x1];
  const [top, bottom] = [first.baseline - first.fontSize, last.baseline];
  return sides.some(
    ({ x0, y0, y1 }) =>
      x0 > left + 2 &&
      x0 < right - 2 &&
      y0 < bottom &&
      y1 > top &&
      y1 - y0 > first.fontSize * LEAST_SIDE_EM &&
      y1 - y0 < (bottom - top) * MOST_SIDE,
  );
}
