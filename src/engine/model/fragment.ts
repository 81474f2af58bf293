import { countBy, mostCounted } from './counts.js';
import { type Area, boundsOf } from './geometry.js';
import type { Fragment, PageBlock, PageWord } from './page.js';
import { isRtl, readsFromRight } from './text-direction.js';

/** Words on one base line → a fragment. `order`: its place in the content stream. */
export function createFragment(words: PageWord[], order: number): Fragment {
  const { x0, y0, x1, y1 } = boundsOf(words);
  const rtlWords = words.filter((word) => isRtl(word.text)).length;
  return {
    words,
    x0,
    y0,
    x1,
    y1,
    baseline: words[0]?.baseline ?? 0,
    fontSize: mainFontSize(words),
    direction: rtlWords > 0 && readsFromRight(words) ? 'rtl' : 'ltr',
    order,
  };
}

/** The size that most characters are set in. */
function mainFontSize(words: readonly PageWord[]): number {
  const first = words[0]?.fontSize ?? 0;
  if (words.every(({ fontSize }) => fontSize === first)) return Math.round(first * 10) / 10;
  const roundSize = (size: number) => Math.round(size * 10) / 10;
  const characters = countBy(
    words,
    ({ fontSize }) => roundSize(fontSize),
    ({ text }) => text.length,
  );
  return mostCounted(characters, roundSize(first));
}

export const countCharacters = ({ words }: { words: readonly { text: string }[] }): number =>
  words.reduce((sum, { text }) => sum + text.length, 0);

/** Counts the characters of a line, with a space for each word. */
export const countWithSpaces = (line: { words: readonly { text: string }[] }): number =>
  countCharacters(line) + line.words.length;

/** Counts the characters of lines, with the spaces between the words of each. */
export const lengthOf = (lines: readonly { words: readonly { text: string }[] }[]): number =>
  lines.reduce((sum, line) => sum + countWithSpaces(line), 0);

/** A block that was found already (a table, a box of text), as one piece that fills the area in the reading order. */
export function asFragment(words: PageWord[], block: PageBlock, { x0, y0, x1, y1 }: Area, order = 0): Fragment {
  const fragment = createFragment(words, order);
  return { ...fragment, x0, y0, x1, y1, baseline: y0 + fragment.fontSize * 0.8, block };
}
