import { splitWhere } from './groups.js';
import type { PageWord } from './page.js';

/** True for text in Hebrew, Arabic or a script between them in Unicode. */
export function isRtl(text: string): boolean {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text);
}

export const hasLetter = ({ text }: { text: string }): boolean => /\p{L}/u.test(text);

/** True when the words of a line are read from the right. Words in letters tell; numbers and signs stand in lines of both directions, but for Arabic figures. */
export function readsFromRight(words: readonly PageWord[]): boolean {
  const written = words.filter((word) => hasLetter(word) && !word.pictorial);
  if (written.length === 0) return words.some(({ text }) => isRtl(text));
  const first = written.reduce<PageWord | undefined>((a, b) => (a === undefined || b.x1 > a.x1 ? b : a), undefined);
  const from = written.filter(({ text }) => isRtl(text)).length - written.length / 2;
  return from > 0 || (from === 0 && first !== undefined && isRtl(first.text));
}

/** Puts the words of each line that has Hebrew or Arabic in order from the left: their producers set signs and spaces apart. */
export function orderLines(words: readonly PageWord[]): PageWord[] {
  const lines = splitWhere(words, (word, last) => !(Math.abs(last.baseline - word.baseline) < word.fontSize * 0.3));
  return lines.flatMap((line) =>
    line.some(({ text }) => isRtl(text)) ? [...line].sort((a, b) => a.x0 - b.x0 || a.x1 - b.x1) : line,
  );
}

/** True for signs that stand right after a word. */
export const isStop = (text: string): boolean => /^[.,:;!?،؛؟…]+$/.test(text);

/** Lines without Hebrew or Arabic for each line with, from which on a page runs from the left. */
const MIN_LINES_FROM_LEFT = 3;

/**
 * Finds the lines that run from the left though they have Hebrew or Arabic words. The sign that ends a sentence stands at
 * the right end of such lines, and at the left end otherwise; between lines that all run from the left, one that begins
 * with a word from the left is one of them. The words of each line are in order from the left.
 */
export function findLinesFromLeft(lines: readonly (readonly PageWord[])[]): (words: readonly PageWord[]) => boolean {
  const mixed = new Set(lines.filter((words) => words.some(({ text }) => isRtl(text))));
  const others = lines.filter((words) => !mixed.has(words) && words.some(hasLetter));
  let fromLeft = 0;
  for (const words of mixed) {
    const [first, last] = [words[0]?.text ?? '', words.at(-1)?.text ?? ''];
    if (isStop(last) || (isRtl(last) && isStop(last.slice(0, 1)))) fromLeft++;
    if (isStop(first) || (isRtl(first) && isStop(first.slice(-1)))) fromLeft--;
  }
  const isPageFromLeft = others.length >= mixed.size * MIN_LINES_FROM_LEFT;
  const beginsFromLeft = (first: PageWord | undefined) => first !== undefined && !isRtl(first.text);
  return (words) => fromLeft > 0 || (isPageFromLeft && beginsFromLeft(words.find(hasLetter)));
}
