import { type Area, gapBetween } from '../../model/geometry.js';
import type { PageBlock, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import type { MarkRow } from '../picture/find/find-mark-rows.js';
import { toLine } from './hocr.js';
import { mergeWords } from './merge-readings.js';

/** Gap between marks and the word that they lead to or from, by the size of the type, and to that which they are a part of, by their distance from each other. */
const MAX_GAP_EM = 1.5;
const MAX_JOINED_GAP_SHARE = 0.7;
/** Reach of the marks below the foot of that word. */
const MAX_BELOW_EM = 0.25;

/** Adds rows of marks that were erased from the picture: asterisks to the number that they mask, dots to the line that they lead through. Those that stand by no word go. */
export function addMarks(blocks: readonly PageBlock[], rows: readonly MarkRow[]): PageBlock[] {
  let known = [...blocks];
  // From the right, so that each group of asterisks finds the next one.
  for (const row of [...rows].sort((a, b) => b.x0 - a.x0)) {
    const word = findBeside(wordsOf(known), row);
    if (word === undefined) continue;
    const text = row.sign.repeat(row.marks.length);
    const isJoined = row.sign === '*' && gapBetween(row, word) < stepOf(row) * MAX_JOINED_GAP_SHARE;
    known = isJoined
      ? replaceWord(known, word, join(word, row, text))
      : mergeWords(known, [{ ...word, x0: row.x0, x1: row.x1, text, bold: false }]);
  }
  return known;
}

/** The size of a word's type: the recogniser takes that of a line with asterisks for half of it. */
const sizeOf = ({ fontSize, y0, y1 }: PageWord): number => Math.max(fontSize, y1 - y0);

/** The distance from one mark to the next. */
const stepOf = ({ x0, x1, marks }: MarkRow): number => (x1 - x0) / marks.length;

/** Finds the word next to a row, on its line. */
const findBeside = (words: readonly PageWord[], row: Area): PageWord | undefined => {
  const middle = (row.y0 + row.y1) / 2;
  return words
    .filter(
      (word) =>
        gapBetween(row, word) < sizeOf(word) * MAX_GAP_EM &&
        middle > word.y0 &&
        middle < word.y1 + sizeOf(word) * MAX_BELOW_EM,
    )
    .sort((a, b) => gapBetween(row, a) - gapBetween(row, b))[0];
};

const join = (word: PageWord, row: Area, text: string): PageWord => ({
  ...word,
  text: row.x0 < word.x0 ? text + word.text : word.text + text,
  x0: Math.min(word.x0, row.x0),
  x1: Math.max(word.x1, row.x1),
});

const replaceWord = (blocks: readonly PageBlock[], word: PageWord, by: PageWord): PageBlock[] =>
  blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) =>
      line.words.includes(word)
        ? toLine(
            line.words.map((other) => (other === word ? by : other)),
            line.order,
          )
        : line,
    ),
  }));
