import type { PageWord } from './page.js';

/** Hebrew, Arabic and the scripts between them. */
export function isRtl(text: string): boolean {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text);
}

export const hasLetter = ({ text }: { text: string }): boolean => /\p{L}/u.test(text);

/** Are these words of a line read from the right? Those in letters tell; numbers and signs stand in either, but for Arabic figures. */
export function readsFromRight(words: readonly PageWord[]): boolean {
  const written = words.filter((word) => hasLetter(word) && !word.pictorial);
  if (written.length === 0) return words.some(({ text }) => isRtl(text));
  const first = written.reduce<PageWord | undefined>((a, b) => (a === undefined || b.x1 > a.x1 ? b : a), undefined);
  const from = written.filter(({ text }) => isRtl(text)).length - written.length / 2;
  return from > 0 || (from === 0 && first !== undefined && isRtl(first.text));
}

/** Puts the words of each line that has Hebrew or Arabic in order from the left: their producers set signs and spaces apart. */
export function orderLines(words: readonly PageWord[]): PageWord[] {
  const lines: PageWord[][] = [];
  for (const word of words) {
    const line = lines.at(-1);
    const last = line?.at(-1);
    const level = last !== undefined && Math.abs(last.baseline - word.baseline) < word.fontSize * 0.3;
    if (level) line?.push(word);
    else lines.push([word]);
  }
  return lines.flatMap((line) =>
    line.some(({ text }) => isRtl(text)) ? [...line].sort((a, b) => a.x0 - b.x0 || a.x1 - b.x1) : line,
  );
}

/** Signs that stand right after a word. */
export const isStop = (text: string): boolean => /^[.,:;!?،؛؟…]+$/.test(text);

/**
 * Are lines that have Hebrew or Arabic set in pages that go from the left? What ends a sentence stands at the right of
 * such lines then, and at their left otherwise. Lines are in order from the left.
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
