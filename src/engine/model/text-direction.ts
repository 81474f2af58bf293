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

/**
 * True when lines with Hebrew or Arabic words stand on pages that run from the left: the sign that ends a sentence stands
 * at the right end of such lines then, and at the left end otherwise. The words of each line are in order from the left.
 */
export function isSetFromLeft(lines: readonly (readonly PageWord[])[]): boolean {
  let fromLeft = 0;
  for (const words of lines) {
    if (!words.some(({ text }) => isRtl(text))) continue;
    const [first, last] = [words[0]?.text ?? '', words.at(-1)?.text ?? ''];
    if (isStop(last)) fromLeft++;
    if (isStop(first) || (isRtl(first) && isStop(first.slice(-1)))) fromLeft--;
  }
  return fromLeft > 0;
}
