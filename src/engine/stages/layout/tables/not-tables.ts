import { type Area, extentOf } from '../../../model/geometry.js';
import { spreadOf } from '../../../model/median.js';
import { beginsSmall } from '../lines/line-room.js';
import { lineText } from '../lines/lines.js';
import { type Column, isScale } from './table-columns.js';
import { filled, isNumeric, type TableRow, textOf } from './table-rows.js';

/** Share of the places of a table that must be filled: words in fewer are scattered over a drawing. */
const MIN_FILLED_SHARE = 0.5;

/** True when the words are scattered, as those of a drawing are: they fill less than a share of the places. */
export function isSparse(rows: readonly TableRow[], columns: number, least = MIN_FILLED_SHARE): boolean {
  const places = rows.flatMap(filled).reduce((sum, { columnSpan }) => sum + columnSpan, 0);
  return places < rows.length * columns * least;
}

/** True when the last line has nothing but words over several columns, from the first on: it is no row. */
export function endsInNote(lines: readonly TableRow[]): boolean {
  const last = lines.at(-1);
  const [cell, ...others] = last === undefined || last.isEntry === true ? [] : filled(last);
  return cell?.column === 0 && cell.columnSpan > 1 && others.length === 0;
}

/** Lower bound of the figures along an axis; fewer are one where words are scattered beside them, as in a chart. */
const MIN_TICKS = 5;
const MIN_TICKS_AMONG_WORDS = 4;
const MIN_FILLED_SHARE_BESIDE_AXIS = 0.85;

/** True for the lines of a program, numbered items, or figures along an axis. */
export function isListing(rows: readonly TableRow[], columns: number): boolean {
  const texts = Array.from({ length: columns }, (_, column) =>
    rows.flatMap(({ cells }) => (cells[column]?.columnSpan === 1 ? [textOf(cells[column])] : [])),
  );
  const ticks = isSparse(rows, columns, MIN_FILLED_SHARE_BESIDE_AXIS) ? MIN_TICKS_AMONG_WORDS : MIN_TICKS;
  if (texts.slice(1).some(areComments) || texts.some((column) => isScale(column.filter(isNumeric), ticks))) return true;
  return columns === 2 && isNumbered(texts);
}

/** True when the words are a program's comments, right of its lines. */
const areComments = (texts: readonly string[]): boolean =>
  texts.filter((text) => /^(\/\/|\/\*|# |;; |-- )/.test(text)).length > texts.length * 0.6;

/** True for lines with their numbers, or items and sections with theirs. */
function isNumbered([numbers = [], texts = []]: readonly string[][]): boolean {
  if (texts.every(isNumeric)) return false;
  return numbers.every((text, index) => /^\d{1,4}$/.test(text) && Number(text) === Number(numbers[0]) + index);
}

/** Signs of formulas that tables seldom have. */
const FORMULA_SIGN = /[=∑∫∂√∇∏≡∝∈∀∃⊂⊗⟨⟩‖≈≃≪≫]/;
/** Names of functions and the words between formulas are no words of a table. */
const FUNCTION = /\b(?:sin|cos|tan|log|exp|lim|max|min|arg|sup|inf|det|for|where|with|and)\b/g;
/** Number of an equation at the right end of a line that has more than figures. */
const EQUATION_NUMBER = /[^\s\d.,:%()+–—−*/-].*\s\(\d+(?:[.-]\d+)*[a-z]?\)[.,]?$/;
/** Shares of the cells: of those with such a sign, of those that are neither words nor figures, of those with words. */
const MIN_SIGN_SHARE = 0.08;
const MIN_SIGNS = 2;
const MIN_SYMBOL_SHARE = 0.4;
const MAX_WORD_SHARE = 0.25;
const MAX_WORD_SHARE_IF_NUMBERED = 0.5;

/** True for the parts of a formula: symbols, few words, and signs of equations among them, or its number at the right. */
export function isFormula(rows: readonly TableRow[]): boolean {
  const texts = rows.flatMap(filled).map(textOf);
  const words = texts.filter((text) => /\p{L}{3}/u.test(text.replace(FUNCTION, ''))).length;
  const symbols = texts.length - words - texts.filter(isNumeric).length;
  const signs = texts.filter((text) => FORMULA_SIGN.test(text)).length;
  if (signs > 0 && words < texts.length * MAX_WORD_SHARE_IF_NUMBERED && rows.some(isNumberedEquation)) return true;
  if (words >= texts.length * MAX_WORD_SHARE || symbols < texts.length * MIN_SYMBOL_SHARE) return false;
  return signs >= Math.max(MIN_SIGNS, texts.length * MIN_SIGN_SHARE);
}

const isNumberedEquation = (row: TableRow): boolean =>
  (filled(row).at(-1)?.lines ?? []).some((words) => EQUATION_NUMBER.test(lineText({ words })));

/** Lines of running text: fewer may be a short table. */
const MIN_TEXT_LINES = 4;
/** Share of the lines below the first that go on in small letters. */
const MIN_SMALL_SHARE = 0.6;
const MIN_WORDS_PER_LINE = 5;
/** Spread of the ends of full lines, and the least spread of the parts right of gaps that stand by chance, in ems. */
const MAX_END_SPREAD_EM = 1;
const MIN_START_SPREAD_EM = 1;

/** True for full lines of one text, which go on in small letters and have gaps anywhere, as beside signs that are not read. */
export function isRunningText(lines: readonly TableRow[]): boolean {
  const [first, ...others] = lines;
  if (first === undefined || lines.length < MIN_TEXT_LINES) return false;
  const small = others.filter(({ cells }) => beginsSmall({ words: cells[0]?.lines.flat() ?? [] }));
  if (small.length < others.length * MIN_SMALL_SHARE) return false;
  const texts = lines.flatMap(filled).map(textOf);
  if (texts.some(isNumeric) || texts.join(' ').split(' ').length < lines.length * MIN_WORDS_PER_LINE) return false;
  const parts = lines.map((line) => filled(line).map((cell) => extentOf(cell.lines.flat())));
  const ends = parts.slice(0, -1).map((spans) => spans.at(-1)?.x1 ?? 0);
  const starts = parts.flatMap(([, ...spans]) => spans.slice(-1).map(({ x0 }) => x0));
  return spreadOf(ends) < first.fontSize * MAX_END_SPREAD_EM && spreadOf(starts) > first.fontSize * MIN_START_SPREAD_EM;
}

/** Smallest average length of the explanations in a list of terms, in characters: most cells have less text. */
const MIN_EXPLANATION_CHARACTERS = 25;

/** True for short terms, each with its meaning hanging beside it, in lines that wrap or in sentences. A head shows a table. */
export function isListOfTerms(rows: readonly TableRow[], columns: number): boolean {
  if (columns !== 2) return false;
  const pairs = rows.flatMap(({ cells: [term, meaning] }) =>
    term?.columnSpan === 1 && meaning !== undefined ? [{ term, meaning }] : [],
  );
  const [first] = pairs;
  if (first === undefined || pairs.length * 2 < rows.length || isHead(textOf(first.meaning))) return false;
  const meanings = pairs.map(({ meaning }) => textOf(meaning));
  const characters = meanings.reduce((sum, { length }) => sum + length, 0);
  if (characters < pairs.length * MIN_EXPLANATION_CHARACTERS) return false;
  if (pairs.some(({ term }) => term.lines.length > 1)) return false;
  const sentences = meanings.filter((text) => /[.;:]\)?$/.test(text)).length;
  return pairs.some(({ meaning }) => meaning.lines.length > 1) || sentences * 2 > pairs.length;
}

const isHead = (text: string): boolean => text.split(' ').length <= 3 && !/[.,;:]$/.test(text);

/** Largest height of the side of a box, as a share of the rows' height: a longer rule separates columns. */
const MAX_SIDE_SHARE = 0.6;
const MIN_SIDE_EM = 1.6;
const MAX_NUMERIC_SHARE = 0.35;

/**
 * True when words are framed as in a flow chart: the sides of boxes that make no grid stand among them. Figures do not
 * count, because they stand in filled boxes too.
 */
export function isFramed(rows: readonly TableRow[], columns: readonly Column[], sides: readonly Area[]): boolean {
  const texts = rows.flatMap(filled).map(textOf);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined || texts.filter(isNumeric).length > texts.length * MAX_NUMERIC_SHARE)
    return false;
  const [left = 0, right = 0] = [columns[0]?.x0, columns.at(-1)?.x1];
  const [top, bottom] = [first.baseline - first.fontSize, last.baseline];
  return sides.some(
    ({ x0, y0, y1 }) =>
      x0 > left + 2 &&
      x0 < right - 2 &&
      y0 < bottom &&
      y1 > top &&
      y1 - y0 > first.fontSize * MIN_SIDE_EM &&
      y1 - y0 < (bottom - top) * MAX_SIDE_SHARE,
  );
}
