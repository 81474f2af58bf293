import type { Box, Word } from './document.js';
import type { Area } from './geometry.js';
import type { PageWord } from './page.js';

/** The word that is shown for a word of a page, and the box to check beside it, in reading order. */
export function withCheck(shown: Word, word: PageWord, direction: 'ltr' | 'rtl', boxOf: (area: Area) => Box): Word[] {
  if (word.check === undefined) return [shown];
  const { sign, x0, x1 } = word.check;
  const { link: _, raised: __, glued, apart, ...plain } = shown;
  const box: Word = { ...plain, text: sign, box: boxOf({ ...word, x0, x1 }) };
  if (x0 > word.x0 === (direction === 'ltr')) return [shown, box];
  const { glued: ___, apart: ____, ...label } = shown;
  return [{ ...box, ...(glued && { glued }), ...(apart && { apart }) }, label];
}
