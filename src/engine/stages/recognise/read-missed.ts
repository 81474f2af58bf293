import { append } from '../../model/append.js';
import { countCharacters } from '../../model/fragment.js';
import { type Area, areLevel, boundsOf, gapBetween, holdsMiddle, overlap } from '../../model/geometry.js';
import { gatherAlike } from '../../model/groups.js';
import { meanConfidence } from '../../model/mean-confidence.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import { layBare } from '../picture/correct/bare.js';
import { PALE_INK_SHARE } from '../picture/find/find-letter-sized.js';
import type { Raster } from '../picture/raster.js';
import { AMOUNT } from './drop-noise.js';
import { findColumnsOf } from './empty-cells.js';
import { MIN_CONFIDENCE, toLine } from './hocr.js';
import type { LetterRow } from './letter-row.js';
import { mergeWords } from './merge-readings.js';
import {
  findMissedRows,
  findMixedLines,
  findTornRows,
  findUnsureNumbers,
  isSure,
  isUpended,
  sizeOf,
  wholeRows,
  withoutLines,
} from './missed-rows.js';
import { ONE_BLOCK, type TesseractEngine } from './recogniser.js';
import { layOutRows } from './row-sheet.js';
import { surenessOf } from './sureness.js';
import { withoutWords } from './without-words.js';
import { findWordsInColumns } from './words-in-columns.js';

/** Uncovered letters that are worth a reading. */
const MIN_LETTERS = 3;
/** Letters of a row on a doubtful page. Noise forms shorter ones. */
const MIN_ROW_LETTERS = 5;
/** Cells above and below in the column of one that is worth a reading on a doubtful page. Receipts have columns of fewer. */
const MIN_CELLS = 4;
/** Confidence of a missed word, which no other reading confirms; the second is for one or two letters, which rules and drawings look like. */
const MIN_ADDED_CONFIDENCE = 0.7;
const MIN_SHORT_CONFIDENCE = 0.9;
/** Mean confidence of a clean page, and that of a missed word on it with figures, and with three letters in a row: a figure alone has no word around it that would tell it, and a letter may be none of the language. */
const MIN_CLEAN_CONFIDENCE = 0.85;
const MIN_FIGURE_CONFIDENCE = 0.45;
const MIN_CLEAN_WORD_CONFIDENCE = 0.6;

/** Surely read letters of the rows of a mixed line, by those of the line. With fewer the rows are incomplete. */
const MIN_KEPT_SHARE = 0.8;
/** Least overlap of a word and a missed row, across and along: boxes are a little off. */
const MIN_COMMON_EM = 0.1;
/** Width of a letter that a reading of its word left out. */
const MIN_LETTER_WIDTH_EM = 0.2;
/** A word that can be a sample, its confidence, its height, and the distance of its foot from the base line. */
const SAMPLE = /^\p{L}{2,5}\p{Ll}$/u;
const MIN_SAMPLE_CONFIDENCE = 0.9;
const MIN_SAMPLE_HEIGHT_EM = 0.6;
const MAX_SAMPLE_HEIGHT_EM = 0.9;
const MAX_SAMPLE_DESCENT_EM = 0.1;

interface MissedOptions {
  isDoubtful: boolean;
  /** Share of the letters that were read from which missed ones are read; 0 if absent. With fewer, only whole rows and those in cells of tables are read. */
  minShare?: number;
}

/**
 * Reads the letters that a reading of a page has left out, and adds them. Tesseract silently leaves out rows beside rules, whole
 * tables, columns of single digits, labels of drawings and most of what runs up the page. The letters that no word covers, words
 * that were torn apart, and unsure numbers of a clean page are read row by row, on a sheet of their own. `onStart` is called before
 * that, if there are any.
 */
export async function readMissed(
  engine: TesseractEngine,
  raster: Raster,
  blocks: PageBlock[],
  { isDoubtful, minShare = 0 }: MissedOptions,
  deadline: number,
  onStart: () => void,
): Promise<PageBlock[]> {
  // The recogniser separates ink from paper by one shade for the page, and loses much paler print. On a doubtful page that may be stains.
  const ink = isDoubtful ? undefined : PALE_INK_SHARE;
  const read = countCharacters({ words: wordsOf(blocks) });
  const mixed = isDoubtful ? [] : findMixedLines(raster, blocks, ink);
  const rest = withoutLines(blocks, (line) => mixed.includes(line));
  const torn = findTornRows(rest);
  const choose = (rows: readonly LetterRow[]) =>
    countLetters(rows) < read * minShare ? rows.filter(isPrint(inCells(rows, rest))) : rows;
  const hasMissed = countLetters(choose([...findMissedRows(raster, rest, ink), ...torn])) >= MIN_LETTERS;
  const isClean = (meanConfidence(wordsOf(blocks)) ?? 0) >= MIN_CLEAN_CONFIDENCE;
  // Those of a doubtful page were read again with its lines.
  const numbers = isClean && !isDoubtful ? findUnsureNumbers(rest) : [];
  if (!hasMissed && numbers.length === 0) return blocks;
  onStart();
  const bare = layBare(raster);
  const rows = [...(hasMissed ? choose([...findMissedRows(bare, rest, ink), ...torn]) : []), ...numbers];
  const isKnown = (row: LetterRow) => mixed.some((line) => holdsMiddle(line, row));
  const { level, rising } = await readRows(engine, bare, rest, rows, { isClean, isKnown }, deadline);
  const { parted, others: added } = partLines(blocks, groupLines(mixed), level);
  const others = withoutParts(added, parted);
  const known = withoutWordsIn(
    withoutColumns(parted, others),
    others.filter((word) => isFuller(word, parted)),
  );
  return addRising(mergeWords(known, others), rising);
}

/**
 * Puts the rows of mixed lines in their places, where they were read about as surely as the lines. `mixed`: lines that overlap, and
 * so may share rows, each group by itself; `others`: the words of other rows.
 */
function partLines(
  blocks: readonly PageBlock[],
  mixed: readonly (readonly PageLine[])[],
  level: readonly PageWordOfRow[],
): { parted: PageBlock[]; others: PageWord[] } {
  const rows = new Map<LetterRow, PageWord[]>();
  const parts = new Map<readonly PageLine[], PageLine[]>();
  for (const { row, word } of level) append(rows, row, word);
  const others: PageWord[] = [];
  for (const [row, words] of rows) {
    const group = mixed.find((lines) => lines.some((line) => holdsMiddle(line, row)));
    if (group === undefined) others.push(...words);
    else if (words.some(({ text }) => /[\p{L}\p{N}]/u.test(text)))
      append(parts, group, toLine(words, group[0]?.order ?? 0));
  }
  const part = (line: PageLine) => {
    const group = mixed.find((lines) => lines.includes(line)) ?? [line];
    const found = parts.get(group) ?? [];
    if (weigh(found) <= weigh(group) * MIN_KEPT_SHARE) return [line];
    return group[0] === line ? found.sort((a, b) => a.y0 - b.y0) : [];
  };
  return { parted: blocks.map((block) => ({ ...block, lines: block.lines.flatMap(part) })), others };
}

/** Groups lines that overlap the first of their group. */
const groupLines = (lines: readonly PageLine[]): PageLine[][] =>
  gatherAlike(lines, (first, line) => overlap(first, line, first.fontSize * MIN_COMMON_EM));

/** The letters of lines, each weighed by how surely its word was read. */
const weigh = (lines: readonly PageLine[]): number =>
  lines.flatMap(({ words }) => words).reduce((sum, word) => sum + word.text.length * surenessOf(word), 0);

/** Leaves out lines that run up or down where level words were read, but for the sure words that a vote put there: they were columns of digits. */
function withoutColumns(blocks: readonly PageBlock[], level: readonly PageWord[]): PageBlock[] {
  const size = sizeOf(blocks) ?? 0;
  const columns = blocks
    .flatMap(({ lines }) => lines)
    .filter((line) => isUpended(line, size) && level.some((word) => holdsMiddle(line, word)));
  const isColumn = (word: PageWord) => isUpended(word, size) && level.some((one) => holdsMiddle(word, one));
  return withoutWords(blocks, (word) =>
    columns.some(({ words }) => words.includes(word) && (!isSure(word) || isColumn(word))),
  );
}

/** True when a word has letters that the known words at its place lack, or joins words of several lines. */
function isFuller(word: PageWord, blocks: readonly PageBlock[]): boolean {
  const lines = blocks
    .flatMap((block) => block.lines.map(({ words }) => words.filter((part) => holdsMiddle(word, part))))
    .filter((parts) => parts.length > 0);
  if (lines.length === 0) return false;
  const parts = lines.flat();
  const { x0, x1 } = boundsOf(parts);
  const letters = countCharacters({ words: parts });
  return (
    (lines.length > 1 && letters <= word.text.length) ||
    (letters < word.text.length && word.x1 - word.x0 - (x1 - x0) > word.fontSize * MIN_LETTER_WIDTH_EM)
  );
}

/** Letters of an unsure word by those of a missed one at its place, from which that is but a part of it, as a raised mark is. */
const MIN_WHOLE_RATIO = 3;

/** Leaves out the words that are parts of unsure ones. */
function withoutParts(words: readonly PageWord[], blocks: readonly PageBlock[]): PageWord[] {
  const unsure = wordsOf(blocks).filter((known) => surenessOf(known) < MIN_CONFIDENCE);
  return words.filter(
    (word) =>
      !unsure.some(
        (known) =>
          known.text.length >= word.text.length * MIN_WHOLE_RATIO &&
          overlap(known, word, word.fontSize * MIN_COMMON_EM),
      ),
  );
}

/** Reads the rows of a doubtful page that run up: a reading of the page would take each of their letters for a word. */
export async function readRising(
  engine: TesseractEngine,
  raster: Raster,
  blocks: readonly PageBlock[],
  deadline: number,
  onStart: () => void,
): Promise<PageLine[]> {
  const bare = layBare(raster);
  const rows = findMissedRows(bare, blocks).filter(({ runsUp, letters }) => runsUp && letters >= MIN_ROW_LETTERS);
  if (rows.length === 0) return [];
  onStart();
  const options = { isClean: false, isKnown: () => false };
  return (await readRows(engine, bare, blocks, rows, options, deadline)).rising;
}

/** Adds rows that run up, in place of what a reading of level lines took them for. */
export const addRising = (blocks: readonly PageBlock[], rising: PageLine[]): PageBlock[] =>
  rising.length === 0 ? [...blocks] : [...withoutWordsIn(blocks, rising), ...rising.map((line) => ({ lines: [line] }))];

/** Leaves out the words in some areas. */
export const withoutWordsIn = (blocks: readonly PageBlock[], areas: readonly Area[]): PageBlock[] =>
  blocks
    .map((block) => ({
      ...block,
      lines: block.lines
        .map((line) => ({
          ...line,
          words: line.words.filter((word) => !areas.some((area) => holdsMiddle(area, word))),
        }))
        .filter(({ words }) => words.length > 0),
    }))
    .filter(({ lines }) => lines.length > 0);

interface RowOptions {
  /** True for a page that was read surely: fewer words on it are noise. */
  isClean: boolean;
  /** True for a row of letters that were read before: its signs are no specks. */
  isKnown(row: LetterRow): boolean;
}

/** Letters of a row of which half may descend, the depth of a descender, and the common height of a row and a word beside it. */
const MAX_FEW_LETTERS = 3;
const MIN_DESCENT_EM = 0.12;
const MIN_LEVEL_SHARE = 0.5;

/** Gives a row that descends the base line of the nearest sure word beside it: half of the letters of `pc` show another one. */
function setOnBaseline(row: LetterRow, words: readonly PageWord[]): LetterRow {
  if (row.runsUp || row.letters < 2 || row.letters > MAX_FEW_LETTERS) return row;
  const level = words.filter(
    (word) =>
      word.baseline > (row.y0 + row.y1) / 2 &&
      word.baseline < row.y1 + word.fontSize * MIN_COMMON_EM &&
      surenessOf(word) >= MIN_SHORT_CONFIDENCE &&
      areLevel(word, row, MIN_LEVEL_SHARE),
  );
  const [nearest] = level.sort((a, b) => gapBetween(a, row) - gapBetween(b, row));
  const descends = nearest !== undefined && row.y1 - nearest.baseline > nearest.fontSize * MIN_DESCENT_EM;
  return descends ? { ...row, baseline: nearest.baseline } : row;
}

/** A word that was read on a sheet, at its place on the page. */
interface PageWordOfRow {
  row: LetterRow;
  word: PageWord;
}

/** Reads rows on a sheet of their own. */
async function readRows(
  engine: TesseractEngine,
  bare: Raster,
  blocks: readonly PageBlock[],
  rows: readonly LetterRow[],
  { isClean, isKnown }: RowOptions,
  deadline: number,
): Promise<{ level: PageWordOfRow[]; rising: PageLine[] }> {
  const size = sizeOf(blocks) ?? 0;
  const words = wordsOf(blocks);
  const whole = wholeRows(rows, blocks, size).map((row) => setOnBaseline(row, words));
  const sheet = layOutRows(bare, whole, size, findSample(words, size));
  const { blocks: read } = await engine.read(sheet.picture, ONE_BLOCK, deadline);
  const placed = wordsOf(read).flatMap((word) => sheet.place(word) ?? []);
  const plain = placed.filter(({ row, word }) => isKnown(row) || isLikely(word, isClean && !row.runsUp));
  const others = placed.filter((one) => !one.row.runsUp && !plain.includes(one)).map(({ word }) => word);
  const fitting = findWordsInColumns(others, [...wordsOf(blocks), ...plain.map(({ word }) => word)]);
  const likely = placed.filter((one) => plain.includes(one) || fitting.includes(one.word));
  // The words beside a row are there to show the recogniser whole words; they were read before, but for signs among them.
  const isMissed = ({ row, word }: PageWordOfRow) =>
    row.runsUp || rows.some((missed) => overlap(missed, word, size * MIN_COMMON_EM));
  const isUnread = ({ word }: PageWordOfRow) => !words.some((known) => isSure(known) && holdsMiddle(known, word));
  const found = placed.filter((one) =>
    likely.includes(one) ? isMissed(one) : isAmid(one, likely) && (isMissed(one) || isUnread(one)),
  );
  const rising = new Map<LetterRow, PageWord[]>();
  for (const { row, word } of found) if (row.runsUp) append(rising, row, word);
  return {
    level: found.filter(({ row }) => !row.runsUp),
    rising: [...rising.values()].map((words) => toLine(words, 0)),
  };
}

/** Finds a short word that shows how high capitals and small letters are and where its base line is: surely read, and without a descender. */
function findSample(words: readonly PageWord[], size: number): PageWord | undefined {
  const able = words.filter(({ text, confidence, x0, x1, y0, y1, baseline }) => {
    const [width, height] = [x1 - x0, y1 - y0];
    return (
      SAMPLE.test(text) &&
      (confidence ?? 0) >= MIN_SAMPLE_CONFIDENCE &&
      height > size * MIN_SAMPLE_HEIGHT_EM &&
      height < size * MAX_SAMPLE_HEIGHT_EM &&
      width > height &&
      Math.abs(y1 - baseline) < size * MAX_SAMPLE_DESCENT_EM
    );
  });
  return able.sort((a, b) => a.x1 - a.x0 - (b.x1 - b.x0))[0];
}

/** True when a missed word is likely text: signs alone are specks and pieces of drawings. */
function isLikely(word: PageWord, isClean: boolean): boolean {
  const [{ text }, sure] = [word, surenessOf(word)];
  if (isClean && AMOUNT.test(text)) return sure >= MIN_CONFIDENCE;
  if (/\d/.test(text)) return sure >= (isClean ? MIN_FIGURE_CONFIDENCE : MIN_ADDED_CONFIDENCE);
  if (isClean && /\p{L}{3}/u.test(text)) return sure >= MIN_CLEAN_WORD_CONFIDENCE;
  return /[\p{L}\p{N}]/u.test(text) && sure >= (text.length > 2 ? MIN_ADDED_CONFIDENCE : MIN_SHORT_CONFIDENCE);
}

/** Gap between a sign and the words that it stands among. */
const MAX_SIGN_GAP_EM = 0.7;

/** True for a sign that belongs to words of its line: one between two of them, a percent sign after a figure, or a bound before one. */
function isAmid({ word }: PageWordOfRow, likely: readonly PageWordOfRow[]): boolean {
  if (surenessOf(word) < MIN_ADDED_CONFIDENCE || !/^[%&+/<>≤≥\p{Pd}]\P{L}?$/u.test(word.text)) return false;
  const near = likely
    .map((other) => other.word)
    .filter((other) => areLevel(other, word, MIN_LEVEL_SHARE))
    .filter((other) => gapBetween(other, word) < word.fontSize * MAX_SIGN_GAP_EM);
  const before = near.find(({ x0 }) => x0 < word.x0);
  const after = near.find(({ x0 }) => x0 > word.x0);
  if (/^[<>≤≥]/.test(word.text)) return after !== undefined && /^\d/.test(after.text);
  return before !== undefined && (word.text.startsWith('%') ? /\d$/.test(before.text) : after !== undefined);
}

/** Returns the rows that stand in cells of a table. */
function inCells(rows: readonly LetterRow[], blocks: readonly PageBlock[]): LetterRow[] {
  const level = rows.filter(({ runsUp }) => !runsUp);
  const columns = findColumnsOf([...wordsOf(blocks), ...level], sizeOf(blocks) ?? 0);
  return level.filter((row) => (columns.get(row)?.length ?? 0) >= MIN_CELLS);
}

const isPrint = (cells: readonly LetterRow[]) => (row: LetterRow) =>
  cells.includes(row) || (!row.runsUp && row.letters >= MIN_ROW_LETTERS);

const countLetters = (rows: readonly LetterRow[]): number => rows.reduce((sum, { letters }) => sum + letters, 0);
