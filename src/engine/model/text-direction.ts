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
