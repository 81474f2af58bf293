import type { PlacedWord } from './fragment.js';

/** Ideographs, kana, their punctuation and full-width signs: no space stands between their words. Hangul has spaces. */
const isUnspaced = (code: number): boolean =>
  code >= 0x2e80 &&
  (code < 0x3130 ||
    (code > 0x318f && code < 0xa000) ||
    (code >= 0xf900 && code < 0xfb00) ||
    (code >= 0xfe30 && code <= 0xffef));

/** In ems: gaps that justified lines have, and that typesetters put beside letters and figures. */
const MOST_WITHIN = 0.5;
const MOST_BESIDE = 0.2;

/** Do two words of a line, or the last of a line and the first of the next, stand together without a space? */
export function standTogether(before: PlacedWord, word: PlacedWord, wrapped: boolean): boolean {
  const end = isUnspaced(before.text.charCodeAt(before.text.length - 1));
  const start = isUnspaced(word.text.charCodeAt(0));
  if (!end && !start) return false;
  if (wrapped) return end && start;
  return word.x0 - before.x1 < word.fontSize * (end && start ? MOST_WITHIN : MOST_BESIDE);
}
