import { type Area, areLevel, boundsOf, gapBetween, holdsMiddle } from '../../model/geometry.js';
import { median } from '../../model/median.js';
import type { PageBlock, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import { layBare } from '../picture/correct/bare.js';
import { keepOnly } from '../picture/correct/keep-only.js';
import { findUncovered, PALE_INK_SHARE } from '../picture/find/find-uncovered.js';
import type { Raster } from '../picture/raster.js';
import { toLine } from './hocr.js';
import { mergeReadings } from './merge-readings.js';
import { ONE_BLOCK, type TesseractEngine } from './recogniser.js';

/** Confidence below which a word may be wrong; it is read again with the missed letters. */
const MIN_SURE_CONFIDENCE = 0.6;
/** Uncovered letters that are worth a reading. */
const MIN_LETTERS = 3;
/** Letters beside a word that are a row of their own. Fewer belong to the word, whose box is a little off. */
const MIN_ROW_LETTERS = 3;
/** Gap between letters of one row, and between letters of one word. */
const MAX_ROW_GAP_EM = 1;
const MAX_LETTER_GAP_EM = 0.25;
/** Share of their height that two parts of one row have in common. */
const MIN_COMMON_HEIGHT_SHARE = 0.5;
/** Paper around a row that is read. */
const MARGIN_EM = 0.2;
/** Height of a level line. A line that is higher than this, and than wide, runs up or down, or is a column of digits that was taken for a line. */
const MAX_HEIGHT_EM = 1.5;
/** Distance of two rows; letters of one line are closer. */
const MIN_PITCH_EM = 0.9;
/** Confidence of a missed word, which no other reading confirms; the second is for one or two letters, which rules and drawings look like. */
const MIN_ADDED_CONFIDENCE = 0.7;
const MIN_SHORT_CONFIDENCE = 0.9;

/**
 * Reads the letters that a reading of a page has left out, and adds them. Tesseract silently leaves out rows beside rules, whole
 * tables and columns of single digits. The letters that no word covers are read as one block, alone on white paper and
 * without frames. `onStart` is called before that, if there are any.
 */
export async function readMissed(
  engine: TesseractEngine,
  raster: Raster,
  blocks: PageBlock[],
  isDoubtful: boolean,
  deadline: number,
  onStart: () => void,
): Promise<PageBlock[]> {
  const size = sizeOf(blocks);
  // The recogniser separates ink from paper by one shade for the page, and loses much paler print. On a doubtful page that may be stains.
  const ink = isDoubtful ? undefined : PALE_INK_SHARE;
  if (size === undefined || countLetters(findRows(raster, blocks, size, ink)) < MIN_LETTERS) return blocks;
  onStart();
  const bare = layBare(raster);
  const rows = findWholeRows(bare, blocks, size, ink);
  const missed = await engine.read(keepOnly(bare, rows, Math.round(size * MARGIN_EM)), ONE_BLOCK, deadline);
  const found = wordsOf(missed.blocks).filter(isLikely);
  // Each word is placed on its own, since the lines of one block run across columns.
  return mergeReadings(blocks, [{ lines: found.map((word) => toLine([word], 0)) }]);
}

const sizeOf = (blocks: readonly PageBlock[]): number | undefined =>
  median(wordsOf(blocks).map(({ fontSize }) => fontSize));

/** Finds the rows of letters that no word of a doubtful page covers. */
export function findMissedRows(bare: Raster, blocks: readonly PageBlock[]): Area[] {
  const size = sizeOf(blocks);
  return size === undefined ? [] : findWholeRows(bare, blocks, size);
}

/** Finds the rows of missed letters, with the words that they touch. */
function findWholeRows(bare: Raster, blocks: readonly PageBlock[], size: number, ink?: number): Row[] {
  const rows = findRows(bare, blocks, size, ink);
  const words = wordsOf(blocks);
  for (const row of rows) {
    for (const word of words) if (isBeside(row, word, size * MAX_LETTER_GAP_EM)) extend(row, word);
  }
  return rows;
}

/** True when a missed word is likely text: signs alone are specks and pieces of drawings. */
function isLikely({ text, confidence }: PageWord): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  return (confidence ?? 0) >= (text.length > 2 || /\d/.test(text) ? MIN_ADDED_CONFIDENCE : MIN_SHORT_CONFIDENCE);
}

interface Row extends Area {
  letters: number;
}

const countLetters = (rows: readonly Row[]): number => rows.reduce((sum, { letters }) => sum + letters, 0);

/** Finds the letters that no word of `blocks` covers, as rows. `size`: size of the type, in pixels. */
function findRows(raster: Raster, blocks: readonly PageBlock[], size: number, ink?: number): Row[] {
  const lines = blocks.flatMap((block) => block.lines);
  const upended = lines.filter((line) => line.y1 - line.y0 > Math.max(size * MAX_HEIGHT_EM, line.x1 - line.x0));
  const sure = lines
    .filter((line) => !upended.includes(line))
    .flatMap((line) => line.words.filter((word) => (word.confidence ?? 1) >= MIN_SURE_CONFIDENCE));
  const letters = findUncovered(raster, sure, size, ink).sort((a, b) => a.x0 - b.x0);
  // A line that runs up or down has more letters than a column has rows, and stays as it is.
  const running = upended.filter(
    (line) => letters.filter((letter) => holdsMiddle(line, letter)).length * size * MIN_PITCH_EM > line.y1 - line.y0,
  );
  const rows: Row[] = [];
  for (const letter of letters) {
    if (running.some((line) => holdsMiddle(line, letter))) continue;
    const row = rows.find((other) => isBeside(other, letter, size * MAX_ROW_GAP_EM));
    if (row === undefined) rows.push({ ...letter, letters: 1 });
    else {
      extend(row, letter);
      row.letters++;
    }
  }
  return rows.filter(
    (row) => row.letters >= MIN_ROW_LETTERS || !sure.some((word) => isBeside(row, word, size * MAX_LETTER_GAP_EM)),
  );
}

const isBeside = (a: Area, b: Area, gap: number): boolean =>
  gapBetween(a, b) < gap && areLevel(a, b, MIN_COMMON_HEIGHT_SHARE);

const extend = (row: Area, box: Area): void => void Object.assign(row, boundsOf([row, box]));
