import type { PageWord } from '../../../model/page.js';
import { isRtl } from '../../../model/text-direction.js';

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
