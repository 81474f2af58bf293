import { gapBetween, grow } from '../../model/geometry.js';
import { median } from '../../model/median.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { findInkParts } from '../picture/find/ink-parts.js';
import type { Raster } from '../picture/raster.js';

/** The signs that a capital I alone, in type without serifs, is taken for. */
const BAR = /^[|!]$/;
/** A word that shows how high a capital is; the signs are higher. */
const TALL = /^(?=.*[\p{Lu}\dbdfhkl])[^|!()[\]{}/\\]+$/u;
/** A quantity: the bar after it may be the l of litres. */
const QUANTITY = /^\d{1,3}([.,/]\d+)?$/;
/** Gap to the next word of a sentence. The bar of a table stands further off. */
const MAX_WORD_GAP_EM = 0.9;
/** Height of an I by that of capitals, and distance of its foot from the base line. A bar reaches as far below the line as p, .26 and more. */
const MIN_HEIGHT_SHARE = 0.85;
const MAX_HEIGHT_SHARE = 1.12;
const MAX_FOOT_SHARE = 0.15;
/** Reach of the search beyond the box of the word, which may be a pixel wide, or lack the ends of a bar. */
const MARGIN_SHARE = 0.25;
/** Width by height. */
const MAX_ASPECT = 0.35;

/**
 * Reads upright bars in sentences as I where they stand on the base line and are as high as capitals: a recogniser confuses
 * both, though a bar is longer. The bars of tables and menus remain.
 */
export const markLoneI = (raster: Raster, blocks: readonly PageBlock[]): PageBlock[] =>
  blocks.map((block) => ({ ...block, lines: block.lines.map((line) => markLine(raster, line)) }));

function markLine(raster: Raster, line: PageLine): PageLine {
  if (!line.words.some(({ text }) => BAR.test(text))) return line;
  const capital = median(line.words.filter(({ text }) => TALL.test(text)).map(({ baseline, y0 }) => baseline - y0));
  if (capital === undefined) return line;
  const isLetter = (word: PageWord, index: number) =>
    BAR.test(word.text) && isInSentence(line.words, index) && hasShapeOfI(raster, word, capital);
  return { ...line, words: line.words.map((word, index) => (isLetter(word, index) ? { ...word, text: 'I' } : word)) };
}

function isInSentence(words: readonly PageWord[], index: number): boolean {
  const [before, word, after] = [words[index - 1], words[index], words[index + 1]];
  const isNear = (other: PageWord | undefined): other is PageWord =>
    other !== undefined && word !== undefined && gapBetween(word, other) < word.fontSize * MAX_WORD_GAP_EM;
  if (isNear(before) && QUANTITY.test(before.text)) return false;
  return [before, after].some((other) => isNear(other) && /\p{L}/u.test(other.text));
}

function hasShapeOfI(raster: Raster, word: PageWord, capital: number): boolean {
  const parts = findInkParts(raster, grow(word, capital * MARGIN_SHARE));
  return parts.some(({ x0, y0, x1, y1 }) => {
    const height = word.baseline - y0;
    return (
      height > capital * MIN_HEIGHT_SHARE &&
      height < capital * MAX_HEIGHT_SHARE &&
      Math.abs(y1 - word.baseline) < capital * MAX_FOOT_SHARE &&
      x1 - x0 < (y1 - y0) * MAX_ASPECT
    );
  });
}
