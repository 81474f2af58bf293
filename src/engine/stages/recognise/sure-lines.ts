import { areLevel } from '../../model/geometry.js';
import { meanConfidence } from '../../model/mean-confidence.js';
import type { Fragment, PageWord } from '../../model/page.js';

/** Confidence of a sure word, and of a line and a whole reading on average; agreement of readings is in proportion (`calibrate`). */
const MIN_WORD_CONFIDENCE = 0.75;
const MIN_LINE_CONFIDENCE = 0.7;
/** Share of a line's words that are sure; figures and signs do not count. */
const MIN_SURE_SHARE = 1 / 3;
/** Sure words of a picture that is worth adding. Print in another script, textures and drawings have up to four. */
const MIN_SURE_WORDS = 5;
/** Share of their height that two lines of one row have in common. */
const MIN_COMMON_HEIGHT_SHARE = 0.5;

/**
 * Keeps the lines of a picture that surely are print: lines of words, and figures in a row with one. The scales of charts, and
 * what rules, symbols and textures were taken for, go. None is kept of a picture without enough sure words.
 */
export function keepSureLines(lines: readonly Fragment[]): Fragment[] {
  if (confidenceOf(lines.flatMap(({ words }) => words)) < MIN_LINE_CONFIDENCE) return [];
  const printed = lines.filter(isPrint);
  const sure = printed.flatMap(({ words }) => words.filter(isSure));
  if (sure.length < MIN_SURE_WORDS) return [];
  return lines.filter(
    (line) =>
      printed.includes(line) ||
      (isFigures(line) && printed.some((other) => areLevel(line, other, MIN_COMMON_HEIGHT_SHARE))),
  );
}

const confidenceOf = (words: readonly PageWord[]): number => meanConfidence(words) ?? 0;

function isPrint({ words }: Fragment): boolean {
  const sure = words.filter(isSure).length;
  const all = words.filter(({ text }) => /\p{L}/u.test(text)).length;
  return sure > 0 && sure >= all * MIN_SURE_SHARE && confidenceOf(words) >= MIN_LINE_CONFIDENCE;
}

/** True for a word of three letters that was read with confidence. Letters of another script give capitals within words. */
const isSure = ({ text, confidence }: PageWord): boolean =>
  (confidence ?? 0) >= MIN_WORD_CONFIDENCE && /\p{L}{3}/u.test(text) && !/\p{Ll}\p{Lu}/u.test(text);

const isFigures = ({ words }: Fragment): boolean =>
  words.every(({ text }) => /\d/.test(text)) && confidenceOf(words) >= MIN_WORD_CONFIDENCE;
