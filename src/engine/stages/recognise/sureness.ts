import { meanConfidence } from '../../model/mean-confidence.js';
import type { PageWord } from '../../model/page.js';

/** Letters and digits of a key whose confidence is taken as it is. */
const USUAL_LETTERS = 8;
/** Confidence below which the recogniser gives 0. */
const MIN_GIVEN_CONFIDENCE = 0.01;

/**
 * Returns how surely a word was read, 0-1, so that keys of any length can be compared with words. The recogniser gives a word the
 * confidence of its worst letter, and the longer a key is, the worse that is: hashes have 0 to .5 with hardly a letter wrong.
 */
export function surenessOf({ text, confidence }: Pick<PageWord, 'text' | 'confidence'>): number {
  const given = confidence ?? 1;
  const letters = /\d/.test(text) ? (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) : 0;
  return letters <= USUAL_LETTERS ? given : Math.max(MIN_GIVEN_CONFIDENCE, given) ** (USUAL_LETTERS / letters);
}

/** Mean sureness of words, 0-1, each weighed by its length; null without words. */
export const meanSureness = (words: readonly PageWord[]): number | null =>
  meanConfidence(words.map((word) => ({ text: word.text, confidence: surenessOf(word) })));
