import { type Area, boundsOf, contains, holdsMiddle } from '../../model/geometry.js';
import { median } from '../../model/median.js';
import type { PageBlock } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import { findUncovered } from '../picture/find/find-uncovered.js';
import type { Raster } from '../picture/raster.js';
import { chainLetters, isBeside } from './chain-letters.js';
import type { LetterRow } from './letter-row.js';
import { findRisingRows } from './rising-rows.js';

/** Confidence below which a word may be wrong; it is read again with the missed letters. */
const MIN_SURE_CONFIDENCE = 0.6;
/** Letters beside a word that are a row of their own. Fewer belong to the word, whose box is a little off. */
const MIN_ROW_LETTERS = 3;
/** Gap between letters of one row, and between letters of one word. */
const MAX_ROW_GAP_EM = 1;
const MAX_LETTER_GAP_EM = 0.25;
/** Height of a level line. A line that is higher than this, and than wide, runs up or down, or is a column of digits that was taken for a line. */
const MAX_HEIGHT_EM = 1.5;
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
  const upended = lines.filter((line) => line.y1 - line.y0 > Math.max(size * MAX_HEIGHT_EM, line.x1 - line.x0));
  const sure = lines
    .filter((line) => !upended.includes(line))
    .flatMap((line) => line.words.filter((word) => (word.confidence ?? 1) >= MIN_SURE_CONFIDENCE));
  const letters = findUncovered(raster, sure, size, ink);
  // A line that runs up or down has more letters than a column has rows, and stays as it is.
  const running = upended.filter(
    (line) => letters.filter((letter) => holdsMiddle(line, letter)).length * size * MIN_PITCH_EM > line.y1 - line.y0,
  );
  const free = letters.filter((letter) => !running.some((line) => holdsMiddle(line, letter)));
  const { rising, others } = findRisingRows(free, size);
  const rows = chainLetters(others, size * MAX_ROW_GAP_EM).map(
    ({ parts, ...area }): LetterRow => ({ ...area, letters: parts.length, runsUp: false }),
  );
  const level = rows.filter(
    (row) => row.letters >= MIN_ROW_LETTERS || !sure.some((word) => isBeside(row, word, size * MAX_LETTER_GAP_EM)),
  );
  return [...level, ...rising];
}

/** Extends rows to the level words that they touch. Rows that end up in others are left out. */
export function wholeRows(rows: readonly LetterRow[], blocks: readonly PageBlock[], size: number): LetterRow[] {
  const words = wordsOf(blocks).filter(({ y0, y1 }) => y1 - y0 <= size * MAX_HEIGHT_EM);
  const whole = rows.map((row) => {
    const extended = { ...row };
    if (row.runsUp) return extended;
    for (const word of words) if (isBeside(extended, word, size * MAX_LETTER_GAP_EM)) extend(extended, word);
    return extended;
  });
  return whole.filter(
    (row, index) =>
      !whole.some(
        (other, at) =>
          other !== row && other.runsUp === row.runsUp && contains(other, row) && (at < index || !contains(row, other)),
      ),
  );
}

const extend = (row: Area, box: Area): void => void Object.assign(row, boundsOf([row, box]));
