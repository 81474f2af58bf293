import { type Area, areLevel, boundsOf, gapBetween, holdsMiddle } from '../../model/geometry.js';
import type { PageBlock, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import type { MovedLetter, TickBox } from '../picture/correct/clear-frames.js';
import { toLine } from './hocr.js';
import { mergeWords } from './merge-readings.js';

/** Confidence of a box: its frame and its tick were measured. */
const BOX_CONFIDENCE = 0.95;
/** Common height of a box and the words of its row. */
const MIN_LEVEL_SHARE = 0.3;

/** Puts the words of cells back to where their letters stand, and boxes as ☑ and ☐ to the words of their rows. A box without words in its row is a part of a drawing. */
export function restoreFrames(
  blocks: readonly PageBlock[],
  boxes: readonly TickBox[],
  rows: readonly (readonly MovedLetter[])[],
): PageBlock[] {
  const spread = rows.reduce<readonly PageBlock[]>(spreadWords, blocks);
  const words = wordsOf(spread);
  const marks = boxes.flatMap((box) => {
    const level = words.filter((word) => areLevel(word, box, MIN_LEVEL_SHARE));
    const [nearest] = level.sort((a, b) => gapBetween(a, box) - gapBetween(b, box));
    return nearest === undefined ? [] : [markOf(box, nearest)];
  });
  return marks.length === 0 ? [...spread] : mergeWords(spread, marks);
}

const markOf = ({ x0, x1, y0, y1, isTicked }: TickBox, { baseline, fontSize }: PageWord): PageWord => ({
  ...{ text: isTicked ? '☑' : '☐', x0, x1, y0, y1, baseline, fontSize },
  ...{ bold: false, italic: false, confidence: BOX_CONFIDENCE },
});

/** Puts the words of a row of cells back over their cells, and joins those without an empty cell between them. */
function spreadWords(blocks: readonly PageBlock[], letters: readonly MovedLetter[]): PageBlock[] {
  const row = boundsOf(letters.map(({ to }) => to));
  const lettersOf = (word: Area) => letters.filter(({ to }) => holdsMiddle({ ...word, y0: row.y0, y1: row.y1 }, to));
  return blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) => {
      if (!line.words.some((word) => holdsMiddle(row, word))) return line;
      const words: PageWord[] = [];
      let before: PageWord | undefined;
      for (const word of line.words) {
        const own = holdsMiddle(row, word) ? lettersOf(word) : [];
        if (own.length === 0) {
          words.push(word);
          before = undefined;
          continue;
        }
        const { x0, x1 } = boundsOf(own.map(({ from }) => from));
        if (before !== undefined && own[0]?.isAfterGap === false) {
          before = { ...before, ...{ text: before.text + word.text, x1 }, confidence: leastOf(before, word) };
          words.splice(-1, 1, before);
        } else {
          before = { ...word, x0, x1 };
          words.push(before);
        }
      }
      return toLine(words, line.order);
    }),
  }));
}

const leastOf = (a: PageWord, b: PageWord): number | null =>
  a.confidence === null || b.confidence === null ? null : Math.min(a.confidence, b.confidence);
