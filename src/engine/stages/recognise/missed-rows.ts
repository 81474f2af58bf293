import { type Area, areLevel, boundsOf, contains, grow, holdsMiddle, sizeOfArea } from '../../model/geometry.js';
import { median } from '../../model/median.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import { eraseAreas } from '../picture/correct/keep-only.js';
import { findLetterSized } from '../picture/find/find-letter-sized.js';
import type { Raster } from '../picture/raster.js';
import { chainLetters, isBeside } from './chain-letters.js';
import type { LetterRow } from './letter-row.js';
import { findRisingRows } from './rising-rows.js';
import { surenessOf } from './sureness.js';

/** Confidence below which a word may be wrong; it is read again with the missed letters. The second is for signs and one or two letters, which are often what a reading made of a word. */
const MIN_SURE_CONFIDENCE = 0.6;
const MIN_SHORT_CONFIDENCE = 0.8;
/** Confidence below which a number on a clean page may be wrong: one in two below .7 is, and one in eight from there on. Above it is one in three hundred. */
const MIN_SURE_NUMBER_CONFIDENCE = 0.9;
/** Letters beside a word that are a row of their own. Fewer belong to the word, whose box is a little off. */
const MIN_ROW_LETTERS = 3;
/** Gap between letters of one row, between letters of one word, and between the parts of one that was torn apart, also in monospaced type. */
const MAX_ROW_GAP_EM = 1;
const MAX_LETTER_GAP_EM = 0.25;
const MAX_TORN_GAP_EM = 0.45;
/** Reach of a word's ink beyond its box. */
const WORD_MARGIN_EM = 0.12;
/** Height of a level line. A line that is higher than this, and than wide, runs up or down, or is a column of digits that was taken for a line. */
const MAX_HEIGHT_EM = 1.5;
/** Height of words that are more than signs, how far their middles may lie apart in one line, and the common height of rows of one line. */
const MIN_LETTER_HEIGHT_EM = 0.5;
const MAX_MIDDLE_SPREAD_EM = 0.4;
const MIN_LEVEL_SHARE = 0.5;
/** Distance of two rows; letters of one line are closer. */
const MIN_PITCH_EM = 0.9;

/** Returns the size of the type of most words, in pixels; undefined without words. */
export const sizeOf = (blocks: readonly PageBlock[]): number | undefined =>
  median(wordsOf(blocks).map(({ fontSize }) => fontSize));

/** Finds the letters that no word of `blocks` covers, as rows. `ink`: share of the paper's shade below which pixels are ink. */
export function findMissedRows(raster: Raster, blocks: readonly PageBlock[], ink?: number): LetterRow[] {
  const size = sizeOf(blocks);
  if (size === undefined) return [];
  const lines = blocks.flatMap((block) => block.lines);
  const upended = lines.filter((line) => isUpended(line, size));
  const sure = lines.filter((line) => !upended.includes(line)).flatMap((line) => line.words.filter(isSure));
  const rest = eraseAreas(
    raster,
    sure.map((word) => grow(word, size * WORD_MARGIN_EM)),
  );
  const letters = findLetterSized(rest, size, ink);
  // The letters of a line that runs up or down follow closer than the rows of a column, and stay as they are.
  const running = upended.filter((line) => {
    const within = letters.filter((letter) => holdsMiddle(line, letter));
    return chainLetters(within, Number.POSITIVE_INFINITY).length * size * MIN_PITCH_EM > line.y1 - line.y0;
  });
  const free = letters.filter((letter) => !running.some((line) => holdsMiddle(line, letter)));
  const { rising, others } = findRisingRows(free, size);
  const rows = chainLetters(others, size * MAX_ROW_GAP_EM).map(
    ({ parts, ...area }): LetterRow => ({
      ...{ ...area, letters: parts.length, runsUp: false },
      ...(parts.length > 1 ? { baseline: median(parts.map(({ y1 }) => y1)) ?? area.y1 } : {}),
    }),
  );
  // The point of a step is no word that its number could be a part of.
  const lettered = sure.filter(({ text }) => text !== '.' && text !== ')');
  const level = rows.filter(
    (row) => row.letters >= MIN_ROW_LETTERS || !lettered.some((word) => isBeside(row, word, size * MAX_LETTER_GAP_EM)),
  );
  return [...level, ...rising];
}

/** Height of a sign alone, by the highest row of its line, from which it is a row: the comma of a large figure is lower. */
const MIN_SIGN_SHARE = 0.6;

/**
 * Finds the lines in which a reading mixed rows of several heights. Where one cell of a table has two lines, what stands beside
 * their middle is joined with one of them, or both are taken for one line of large type. With fewer than `least` lines that
 * may be such, the picture is not looked at.
 */
export function findMixedLines(raster: Raster, blocks: readonly PageBlock[], ink?: number, least = 1): PageLine[] {
  const size = sizeOf(blocks) ?? 0;
  const suspects = blocks
    .flatMap(({ lines }) => lines)
    .filter((line) => !isUpended(line, size) && isUneven(line.words, size));
  if (suspects.length < least) return [];
  const rows = findMissedRows(
    raster,
    withoutLines(blocks, (line) => suspects.includes(line)),
    ink,
  ).filter(({ runsUp, y0, y1 }) => !runsUp && y1 - y0 > size * MIN_LETTER_HEIGHT_EM);
  return suspects.filter((line) => {
    const all = rows.filter((row) => holdsMiddle(line, row));
    const highest = Math.max(...all.map(({ y0, y1 }) => y1 - y0));
    const within = all.filter(({ letters, y0, y1 }) => letters > 1 || y1 - y0 > highest * MIN_SIGN_SHARE);
    return within.some((row) => within.some((other) => !areLevel(row, other, MIN_LEVEL_SHARE)));
  });
}

/** True for words that are not at one height above their base line, and for large ones. */
function isUneven(words: readonly PageWord[], size: number): boolean {
  const letters = words.filter(({ y0, y1 }) => y1 - y0 > size * MIN_LETTER_HEIGHT_EM);
  const middles = letters.map(({ y0, y1, baseline }) => (y0 + y1) / 2 - baseline);
  return (
    Math.max(...middles) - Math.min(...middles) > size * MAX_MIDDLE_SPREAD_EM ||
    letters.some(({ y0, y1 }) => y1 - y0 > size * MAX_HEIGHT_EM)
  );
}

/** Leaves out the lines for which this is true. */
export const withoutLines = (blocks: readonly PageBlock[], isOut: (line: PageLine) => boolean): PageBlock[] =>
  blocks.map((block) => ({ ...block, lines: block.lines.filter((line) => !isOut(line)) }));

/** Finds the words that a reading tore apart, as rows: it took figures that stand one below the other for a column. */
export function findTornRows(blocks: readonly PageBlock[]): LetterRow[] {
  const size = sizeOf(blocks) ?? 0;
  const lines = blocks.flatMap((block) => block.lines).filter((line) => !isUpended(line, size));
  const starts = lines.flatMap(({ words }) => words.slice(0, 1));
  return lines.flatMap(({ words }) =>
    words.slice(-1).flatMap((end) => {
      const start = starts.find((start) => end.x0 < start.x0 && isBeside(end, start, size * MAX_TORN_GAP_EM));
      if (start === undefined) return [];
      return [{ ...boundsOf([end, start]), letters: end.text.length + start.text.length, runsUp: false }];
    }),
  );
}

/** Finds the numbers that may have been misread, as rows. */
export function findUnsureNumbers(blocks: readonly PageBlock[]): LetterRow[] {
  const size = sizeOf(blocks) ?? 0;
  const lines = blocks.flatMap((block) => block.lines).filter((line) => !isUpended(line, size));
  return lines
    .flatMap(({ words }) => words.filter(isUnsureNumber))
    .map((word) => ({
      ...{ ...boundsOf([word]), letters: word.text.length, baseline: word.baseline },
      ...{ runsUp: false, isNumber: true },
    }));
}

/** True for an unsure word with two digits, or with one beside a decimal sign. */
const isUnsureNumber = (word: PageWord): boolean =>
  /\d.*\d|\d[.,]|[.,]\d/.test(word.text) && surenessOf(word) < MIN_SURE_NUMBER_CONFIDENCE;

/** True for a line that runs up or down, or a column of digits that was taken for a line. */
export const isUpended = (line: Area, size: number): boolean =>
  line.y1 - line.y0 > Math.max(size * MAX_HEIGHT_EM, line.x1 - line.x0);

/** True for a word that needs no further reading. */
export const isSure = (word: PageWord): boolean =>
  surenessOf(word) >= (word.text.length > 2 || /\d/.test(word.text) ? MIN_SURE_CONFIDENCE : MIN_SHORT_CONFIDENCE);

/** Extends rows to the level words that they touch, but for numbers that were read before. Rows that end up in others are left out. */
export function wholeRows(rows: readonly LetterRow[], blocks: readonly PageBlock[], size: number): LetterRow[] {
  const words = wordsOf(blocks)
    .filter(({ y0, y1 }) => y1 - y0 <= size * MAX_HEIGHT_EM)
    .sort((a, b) => a.x0 - b.x0);
  const bothWays = [...words, ...words.toReversed()];
  const whole = rows.map((row) => {
    const extended = { ...row };
    if (row.runsUp || row.isNumber === true) return extended;
    for (const word of bothWays) if (isBeside(extended, word, size * maxGapTo(word))) extend(extended, word);
    return extended;
  });
  // The comma of an amount may be a row of its own, which extends to the same word by a pixel more or less.
  const isIn = (inner: LetterRow, outer: LetterRow) =>
    outer.runsUp === inner.runsUp && contains(outer, inner, size * WORD_MARGIN_EM);
  const kept: LetterRow[] = [];
  for (const row of [...whole].sort((a, b) => sizeOfArea(b) - sizeOfArea(a)))
    if (!kept.some((other) => isIn(row, other))) kept.push(row);
  return whole.filter((row) => kept.includes(row));
}

/** The gap to a word that may be a part of one with missed letters: that to a figure may hold a point, in monospaced type. */
const maxGapTo = ({ text }: PageWord): number => (/\p{L}/u.test(text) ? MAX_LETTER_GAP_EM : MAX_ROW_GAP_EM);

const extend = (row: Area, box: Area): void => void Object.assign(row, boundsOf([row, box]));
