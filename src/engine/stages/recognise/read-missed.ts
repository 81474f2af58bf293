import type { Area } from '../../model/geometry.js';
import { median } from '../../model/median.js';
import type { PageBlock, PageWord } from '../../model/page.js';
import { layBare } from '../picture/correct/bare.js';
import { findUncovered, PALE_INK_SHARE } from '../picture/find/find-uncovered.js';
import { findPaper } from '../picture/find/paper.js';
import type { Raster } from '../picture/raster.js';
import { toLine } from './hocr.js';
import { mergeReadings } from './merge-readings.js';
import { ONE_BLOCK, type TesseractEngine } from './recogniser.js';

/** What is read less surely than this may have been read wrong, and is read again with what was missed. */
const LEAST_SURE = 0.6;
/** Fewer letters that no word covers are not worth a reading. */
const LEAST_LETTERS = 3;
/** Fewer beside a word belong to it: its box is a little off. */
const LEAST_BESIDE = 3;
/** Between letters of one row, and between the letters of one word, by the size of the type. */
const ROW_GAP = 1;
const LETTER_GAP = 0.25;
const SHARED_HEIGHT = 0.5;
/** Paper around what is read, by the size of the type. */
const MARGIN = 0.2;
/** A line that is higher than wide, and than its type by this, runs up or down, or is a column of digits that was taken for one. */
const MOST_HEIGHT = 1.5;
/** Rows are as far apart as this at least, by the size of the type; letters of one line are closer. */
const LEAST_PITCH = 0.9;
/** What nothing else confirms is believed from the first; one or two letters, which rules and drawings look like, from the second. */
const LEAST_ADDED = 0.7;
const LEAST_SHORT = 0.9;

/**
 * Reads what a reading of a page has left out without a sign, as Tesseract does with rows beside rules, with whole tables and
 * with columns of single digits: the letters that no word covers, alone on white paper and without frames, as one block.
 * `onStart` is called before that, if there are any.
 */
export async function readMissed(
  engine: TesseractEngine,
  raster: Raster,
  blocks: PageBlock[],
  isDoubtful: boolean,
  deadline: number,
  onStart: () => void,
): Promise<PageBlock[]> {
  const words = blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  const size = median(words.map(({ fontSize }) => fontSize));
  // The recogniser parts ink from paper by one shade for all: what is much paler than the rest is paper to it. Where it is in doubt, that may be stains.
  const ink = isDoubtful ? undefined : PALE_INK_SHARE;
  if (size === undefined || countLetters(findRows(raster, blocks, size, ink)) < LEAST_LETTERS) return blocks;
  onStart();
  const bare = layBare(raster);
  const rows = findRows(bare, blocks, size, ink);
  for (const row of rows) {
    for (const word of words) if (isBeside(row, word, size * LETTER_GAP)) extend(row, word);
  }
  const missed = await engine.read(keepOnly(bare, rows, Math.round(size * MARGIN)), ONE_BLOCK, deadline);
  const found = missed.blocks.flatMap(({ lines }) => lines.flatMap((line) => line.words)).filter(isLikely);
  // Each word finds its own line: in one block, lines go across columns.
  return mergeReadings(blocks, [{ lines: found.map((word) => toLine([word], 0)) }]);
}

/** Signs alone are specks and pieces of drawings. */
function isLikely({ text, confidence }: PageWord): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  return (confidence ?? 0) >= (text.length > 2 || /\d/.test(text) ? LEAST_ADDED : LEAST_SHORT);
}

interface Row extends Area {
  letters: number;
}

const countLetters = (rows: readonly Row[]): number => rows.reduce((sum, { letters }) => sum + letters, 0);

/** Letters that no word of `blocks` covers, in the rows that they stand in. `size`: that of the type, in pixels. */
function findRows(raster: Raster, blocks: readonly PageBlock[], size: number, ink?: number): Row[] {
  const lines = blocks.flatMap((block) => block.lines);
  const upended = lines.filter((line) => line.y1 - line.y0 > Math.max(size * MOST_HEIGHT, line.x1 - line.x0));
  const sure = lines
    .filter((line) => !upended.includes(line))
    .flatMap((line) => line.words.filter((word) => (word.confidence ?? 1) >= LEAST_SURE));
  const letters = findUncovered(raster, sure, size, ink).sort((a, b) => a.x0 - b.x0);
  // A line that runs up or down has more letters than a column has rows, and is left as it is.
  const running = upended.filter(
    (line) => letters.filter((letter) => isIn(letter, line)).length * size * LEAST_PITCH > line.y1 - line.y0,
  );
  const rows: Row[] = [];
  for (const letter of letters) {
    if (running.some((line) => isIn(letter, line))) continue;
    const row = rows.find((other) => isBeside(other, letter, size * ROW_GAP));
    if (row === undefined) rows.push({ ...letter, letters: 1 });
    else {
      extend(row, letter);
      row.letters++;
    }
  }
  return rows.filter(
    (row) => row.letters >= LEAST_BESIDE || !sure.some((word) => isBeside(row, word, size * LETTER_GAP)),
  );
}

function isBeside(a: Area, b: Area, gap: number): boolean {
  const common = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return b.x0 - a.x1 < gap && a.x0 - b.x1 < gap && common > SHARED_HEIGHT * Math.min(a.y1 - a.y0, b.y1 - b.y0);
}

function isIn(letter: Area, line: Area): boolean {
  const [x, y] = [(letter.x0 + letter.x1) / 2, (letter.y0 + letter.y1) / 2];
  return x > line.x0 && x < line.x1 && y > line.y0 && y < line.y1;
}

function extend(row: Area, box: Area): void {
  row.x0 = Math.min(row.x0, box.x0);
  row.y0 = Math.min(row.y0, box.y0);
  row.x1 = Math.max(row.x1, box.x1);
  row.y1 = Math.max(row.y1, box.y1);
}

/** The picture with nothing but paper outside of the boxes. */
function keepOnly(raster: Raster, boxes: readonly Area[], margin: number): Raster {
  const { data, width, height } = raster;
  const kept = new Uint8Array(data.length).fill(findPaper(raster));
  for (const box of boxes) {
    const [from, to] = [Math.max(0, Math.floor(box.x0) - margin), Math.min(width, Math.ceil(box.x1) + margin)];
    const last = Math.min(height, Math.ceil(box.y1) + margin);
    for (let y = Math.max(0, Math.floor(box.y0) - margin); y < last; y++)
      kept.set(data.subarray(y * width + from, y * width + to), y * width + from);
  }
  return { data: kept, width, height };
}
