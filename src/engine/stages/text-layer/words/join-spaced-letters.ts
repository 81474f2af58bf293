import { boundsOf } from '../../../model/geometry.js';
import { splitWhere } from '../../../model/groups.js';
import { median } from '../../../model/median.js';
import type { RawWord } from './raw-word.js';

/** Least number of letters that stand alone in a spaced line, and their share of its words: pairs of kerned letters stay together. */
const MIN_LETTERS = 4;
const MIN_LONE_SHARE = 0.7;
/** Gaps between spaced letters, in ems: the least, the largest, and the largest that is less than a space between words. */
const MIN_GAP_EM = 0.05;
const MAX_GAP_EM = 0.6;
const MAX_NARROW_GAP_EM = 0.2;
/** Largest difference of gaps that are alike, and their share; the rest are kerned, or stand between words. */
const SAME_EM = 0.02;
const MIN_ALIKE_SHARE = 0.5;
/** Least rise of the gap from letters to words, in ems. */
const MIN_RISE_EM = 0.15;
/** Least letters of a word in a line of several, on average. */
const MIN_MEAN_LETTERS = 2.5;
/** Least letters of a single word whose gaps are as wide as spaces, and the share of them that differ. */
const MIN_LETTERS_OF_ONE = 5;
const MIN_DIFFERENT_SHARE = 0.5;
/** Largest difference of base lines, in ems. */
const LEVEL_EM = 0.02;

/** Capitals and small letters in turn, as in a list of the letters of a font, or a sign within, as in a formula. */
const NO_WORD = /\p{Ll}\p{Lu}.*\p{Ll}\p{Lu}|[:;!?“”"]\p{L}/u;
const LETTER = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;
const SIGN_OF_TEXT = /^[\p{L}\p{M}\p{N}.,:;!?&@#%/'’"“”()–—-]+$/u;

/**
 * Joins the letters of lines that are spaced out, as titles and labels are: PDFium takes each for a word where the space is
 * wide for the size of the type. `words`: in PDFium's order. Letters of enumerations and of rows of a table stay apart.
 */
export function joinSpacedLetters(words: readonly RawWord[]): RawWord[] {
  const lines = splitWhere(words, (word, before) => (!isLone(word) && !isLone(before)) || !isNextInLine(word, before));
  return lines.flatMap((line) => (line.length < MIN_LETTERS ? line : joinLine(line)));
}

const isLone = ({ text }: RawWord): boolean => text.length === 1;

/** True for words of one line and type, of which the second stands right of the first. */
const isNextInLine = (word: RawWord, before: RawWord): boolean =>
  word.angle === 0 &&
  before.angle === 0 &&
  word.face === before.face &&
  word.fontSize === before.fontSize &&
  word.x0 >= before.x1 &&
  word.monospaced !== true &&
  Math.abs(word.originY - before.originY) < word.fontSize * LEVEL_EM;

function joinLine(line: readonly RawWord[]): readonly RawWord[] {
  const lone = line.filter(isLone);
  if (lone.length < Math.max(MIN_LETTERS, line.length * MIN_LONE_SHARE)) return line;
  if (!line.every(({ text }) => SIGN_OF_TEXT.test(text)) || lone.filter(isLetter).length * 2 < lone.length) return line;
  const gaps = line.slice(1).map((word, index) => gapBetween(line[index] ?? word, word));
  const usual = median(gaps) ?? 0;
  if (usual < MIN_GAP_EM || usual > MAX_GAP_EM) return line;
  if (gaps.filter((gap) => Math.abs(gap - usual) < SAME_EM).length < gaps.length * MIN_ALIKE_SHARE) return line;
  const joined = splitWhere(line, (word, before) => gapBetween(before, word) > usual + MIN_RISE_EM);
  if (usual > MAX_NARROW_GAP_EM && !areWords(joined)) return line;
  const read = joined.map(joinWord);
  return read.some(({ text }) => NO_WORD.test(text)) ? line : read;
}

const isLetter = ({ text }: RawWord): boolean => LETTER.test(text);

const gapBetween = (before: RawWord, word: RawWord): number => (word.x0 - before.x1) / word.fontSize;

/** True where letters so far apart are words, and not the cells of a row or an enumeration. */
function areWords(joined: readonly (readonly RawWord[])[]): boolean {
  const letters = joined.flat();
  if (joined.length > 1) return letters.length >= joined.length * MIN_MEAN_LETTERS;
  const isCounted = letters.every(
    ({ text }, index) => index === 0 || text.charCodeAt(0) === (letters[index - 1]?.text.charCodeAt(0) ?? 0) + 1,
  );
  const different = new Set(letters.map(({ text }) => text)).size;
  return letters.length >= MIN_LETTERS_OF_ONE && !isCounted && different > letters.length * MIN_DIFFERENT_SHARE;
}

const joinWord = (letters: readonly [RawWord, ...RawWord[]]): RawWord => ({
  ...letters[0],
  ...boundsOf(letters),
  text: letters.map(({ text }) => text).join(''),
});
