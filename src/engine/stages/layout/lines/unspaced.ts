import type { PageWord } from '../../../model/page.js';

/** True for ideographs, kana, their punctuation and full-width signs: no space stands between their words. Hangul has spaces. */
const isUnspaced = (code: number): boolean =>
  code >= 0x2e80 &&
  (code < 0x3130 ||
    (code > 0x318f && code < 0xa000) ||
    (code >= 0xf900 && code < 0xfb00) ||
    (code >= 0xfe30 && code <= 0xffef));

/** True also for Thai, Lao, Myanmar, Khmer: spaces part their sentences, not their words, so that lines end within sentences. */
const isUnspacedAtLineEnd = (code: number): boolean =>
  isUnspaced(code) ||
  (code >= 0xe00 && code < 0xf00) ||
  (code >= 0x1000 && code < 0x10a0) ||
  (code >= 0x1780 && code < 0x1800);

/** Largest gaps without a space, in ems: of justified lines, and beside letters and figures. */
const MAX_GAP_WITHIN_EM = 0.5;
const MAX_GAP_BESIDE_EM = 0.2;

/** Room that style sheets set around code within a sentence, in ems. */
const MAX_CODE_PADDING_EM = 0.6;

/** True for the bracket before code, or the sign after it: the room around the code parts it, and no space. */
export function isPadded(before: PageWord, word: PageWord): boolean {
  if (before.monospaced === word.monospaced || word.x0 - before.x1 > word.fontSize * MAX_CODE_PADDING_EM) return false;
  return word.monospaced ? /^[([“"]+$/.test(before.text) : /^[.,;:!?)\]”’"]+$/.test(word.text);
}

/** True when two words of a line, or the last of a line and the first of the next, stand together without a space. */
export function standTogether(before: PageWord, word: PageWord, wrapped: boolean): boolean {
  const [last, first] = [before.text.charCodeAt(before.text.length - 1), word.text.charCodeAt(0)];
  if (wrapped) return isUnspacedAtLineEnd(last) && isUnspacedAtLineEnd(first);
  const [end, start] = [isUnspaced(last), isUnspaced(first)];
  if (!end && !start) return false;
  return word.x0 - before.x1 < word.fontSize * (end && start ? MAX_GAP_WITHIN_EM : MAX_GAP_BESIDE_EM);
}
