import { gapBetween } from '../../model/geometry.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { wordsOf } from '../../model/words-of.js';
import { MIN_CONFIDENCE } from './hocr.js';
import { meanSureness, surenessOf } from './sureness.js';

/** Confidence of a word on a page with several readings. A word below it is likelier noise: no other reading confirmed it. */
const MIN_CONFIRMED_CONFIDENCE = 0.7;

/** Keeps the words of a recognised page that are likelier text than noise. `wasConfirmed`: the page has several readings. */
export function dropNoise(blocks: readonly PageBlock[], wasConfirmed: boolean): PageBlock[] {
  const read = keep(blocks, wasConfirmed ? isConfirmed : isLikely);
  const words = wordsOf(read);
  return isNoiseAlone(words) ? keep(read, isSureText) : read;
}

type Choice = (words: readonly PageWord[], index: number) => boolean;

function keep(blocks: readonly PageBlock[], isRead: Choice): PageBlock[] {
  return blocks
    .map(({ lines }) => ({
      lines: lines
        .map((line) => ({
          ...line,
          words: line.words.filter((_, index) => !isStroke(line, index) && isRead(line.words, index)),
        }))
        .filter(({ words }) => words.length > 0),
    }))
    .filter(({ lines }) => lines.length > 0);
}

/** Height of a sign by its width, from which it is a piece of a rule: these signs are wide. */
const MIN_STROKE_RATIO = 3;

/** True for a sign that is wide in print and high in a level line, as a piece of a border is ("=" beside an amount). */
function isStroke(line: PageLine, index: number): boolean {
  const word = line.words[index];
  if (word === undefined || !/^[=+~\p{Pd}]$/u.test(word.text)) return false;
  const isLevel = line.x1 - line.x0 > line.y1 - line.y0;
  return isLevel && word.y1 - word.y0 > (word.x1 - word.x0) * MIN_STROKE_RATIO;
}

/** Words from which a page can be mere noise: a slip that is hard to read has fewer. */
const MIN_NOISE_WORDS = 10;
/** Mean confidence below which a page is noise. Pages of text have .87 and more, even poor copies of copies; grain, stains and the texture of paper .4 to .5. */
const MAX_NOISE_CONFIDENCE = 0.6;
/** Shares of marks and of text on a page of specks, which are read as marks with high confidence. Tables of dashes have header cells and labels. */
const MIN_MARKS_SHARE = 0.5;
const MAX_TEXT_SHARE = 0.1;

/** True when the words are not text but the paper of an empty page. */
function isNoiseAlone(words: readonly PageWord[]): boolean {
  if (words.length < MIN_NOISE_WORDS) return false;
  const count = (isCounted: (word: PageWord) => boolean) => words.filter(isCounted).length;
  return (
    (meanSureness(words) ?? 1) < MAX_NOISE_CONFIDENCE ||
    (count(({ text }) => !/[\p{L}\p{N}]/u.test(text)) >= words.length * MIN_MARKS_SHARE &&
      count(isText) <= words.length * MAX_TEXT_SHARE)
  );
}

const isText = ({ text }: PageWord): boolean => /[\p{L}\p{M}\p{N}]{3}/u.test(text);

/** True for a title or a stamp on an otherwise empty page. */
const isSureText: Choice = (words, index) => {
  const word = words[index];
  return word !== undefined && isText(word) && confidenceOf(word) >= MIN_NEIGHBOUR_CONFIDENCE;
};

/** Confidence of a word between sure words on a page with several readings: noise is hardly ever there. */
const MIN_AMID_CONFIDENCE = 0.5;
/** An amount, which noise hardly ever looks like. */
export const AMOUNT = /^\P{L}{0,2}\d{1,6}[.,]\d{2}$/u;

/** True for a word of eight letters or digits: noise is short, and numbers of receipts, requests and files are long. */
const isLong = ({ text }: PageWord): boolean => (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 8;

const isConfirmed = (words: readonly PageWord[], index: number): boolean => {
  const [word, sure] = [words[index], confidenceOf(words[index])];
  if (word === undefined || sure >= MIN_CONFIRMED_CONFIDENCE) return true;
  if (AMOUNT.test(word.text) || isLong(word)) return sure >= MIN_CONFIDENCE;
  if (isRange(words, index)) return true;
  return sure >= MIN_AMID_CONFIDENCE && isText(word) && isAmidText(words, index);
};
const isLikely = (words: readonly PageWord[], index: number): boolean =>
  confidenceOf(words[index]) >= MIN_CONFIDENCE || isAmidText(words, index) || isRange(words, index);

const confidenceOf = (word: PageWord | undefined): number => (word === undefined ? 1 : surenessOf(word));

/**
 * Confidence of a sure neighbour, the gap to it, and the unsure words beside each other. Words between sure ones are printed,
 * however badly they were read; without them the line would fall apart like columns.
 */
const MIN_NEIGHBOUR_CONFIDENCE = 0.85;
const MAX_NEIGHBOUR_GAP_EM = 0.7;
const MAX_UNSURE_WORDS = 2;

/** True for a dash between two sure figures, which without it would be read as two values. */
function isRange(words: readonly PageWord[], index: number): boolean {
  const [before, dash, after] = [words[index - 1], words[index], words[index + 1]];
  return (
    dash !== undefined &&
    /^\p{Pd}$/u.test(dash.text) &&
    [before, after].every(
      (figure) =>
        figure !== undefined &&
        /^\d[\d.,]*$/.test(figure.text) &&
        confidenceOf(figure) >= MIN_NEIGHBOUR_CONFIDENCE &&
        gapBetween(figure, dash) < dash.fontSize * MAX_NEIGHBOUR_GAP_EM,
    )
  );
}

/** True when a word, or two unsure ones, have sure neighbours on both sides. One neighbour suffices if the word is alone and has consecutive letters: edges and stains are read without them. */
function isAmidText(words: readonly PageWord[], index: number): boolean {
  const word = words[index];
  if (word === undefined || !/[\p{L}\p{N}]/u.test(word.text)) return false;
  const isUnsure = (at: number) => confidenceOf(words[at]) < MIN_NEIGHBOUR_CONFIDENCE;
  let [from, to] = [index, index];
  while (isUnsure(from - 1)) from--;
  while (isUnsure(to + 1)) to++;
  const areNear = (left: PageWord | undefined, right: PageWord | undefined) =>
    left !== undefined && right !== undefined && gapBetween(left, right) < word.fontSize * MAX_NEIGHBOUR_GAP_EM;
  const run = words.slice(from, to + 1);
  if (!run.every((other, at) => at === 0 || areNear(run[at - 1], other))) return false;
  const [before, after] = [areNear(words[from - 1], run[0]), areNear(run.at(-1), words[to + 1])];
  return before && after ? to - from < MAX_UNSURE_WORDS : (before || after) && from === to && isText(word);
}
