import { meanConfidence } from '../../model/mean-confidence.js';
import type { PageBlock, PageWord } from '../../model/page.js';
import { LEAST_CONFIDENCE } from './hocr.js';

/** Where a page was read several times, a word that is less sure than this after all is likelier noise: no other reading confirmed it. */
const LEAST_CONFIRMED = 0.7;

/** The words of a recognised page that are likelier text than noise. `wasConfirmed`: the page was read several times. */
export function dropNoise(blocks: readonly PageBlock[], wasConfirmed: boolean): PageBlock[] {
  const read = keep(blocks, wasConfirmed ? isConfirmed : isLikely);
  const words = read.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  return isMereNoise(words) ? keep(read, isSureText) : read;
}

type Choice = (words: readonly PageWord[], index: number) => boolean;

function keep(blocks: readonly PageBlock[], isRead: Choice): PageBlock[] {
  return blocks
    .map(({ lines }) => ({
      lines: lines
        .map((line) => ({ ...line, words: line.words.filter((_, index) => isRead(line.words, index)) }))
        .filter(({ words }) => words.length > 0),
    }))
    .filter(({ lines }) => lines.length > 0);
}

/** Fewer words tell too little: a slip that is hard to read has a few. */
const LEAST_NOISE = 10;
/** Pages of text, also poor copies of copies, have .87 and more; grain, stains and the texture of paper .4 to .5. */
const NOISE_CONFIDENCE = 0.6;
/** Specks are read as marks, and surely. Tables of dashes have their heads and labels. */
const LEAST_MARKS = 0.5;
const MOST_TEXT = 0.1;

/** Is what was read no text, but the paper of an empty page? */
function isMereNoise(words: readonly PageWord[]): boolean {
  if (words.length < LEAST_NOISE) return false;
  const count = (isSuch: (word: PageWord) => boolean) => words.filter(isSuch).length;
  return (
    (meanConfidence(words) ?? 1) < NOISE_CONFIDENCE ||
    (count(({ text }) => !/[\p{L}\p{N}]/u.test(text)) >= words.length * LEAST_MARKS &&
      count(isText) <= words.length * MOST_TEXT)
  );
}

const isText = ({ text }: PageWord): boolean => /[\p{L}\p{M}\p{N}]{3}/u.test(text);

/** A title or a stamp on such a page. */
const isSureText: Choice = (words, index) => {
  const word = words[index];
  return word !== undefined && isText(word) && sureOf(word) >= LEAST_SURE_BESIDE;
};

/** Of an amount on such a page, and of a word that sure ones stand beside: noise hardly ever looks so. */
const LEAST_AMID = 0.5;
const AMOUNT = /^\P{L}{0,2}\d{1,6}[.,]\d{2}$/u;

const isConfirmed = (words: readonly PageWord[], index: number): boolean => {
  const [word, sure] = [words[index], sureOf(words[index])];
  if (word === undefined || sure >= LEAST_CONFIRMED) return true;
  if (AMOUNT.test(word.text)) return sure >= LEAST_CONFIDENCE;
  return sure >= LEAST_AMID && isText(word) && isAmidText(words, index);
};
const isLikely = (words: readonly PageWord[], index: number): boolean =>
  sureOf(words[index]) >= LEAST_CONFIDENCE || isAmidText(words, index);

const sureOf = (word: PageWord | undefined): number => word?.confidence ?? 1;

/** Beside words that are surer than this, in ems apart at most, something is printed, however badly it was read; without it words would stand apart like columns. */
const LEAST_SURE_BESIDE = 0.85;
const MOST_BESIDE_EM = 0.7;

/** Does a word stand between sure words? At an end of its line one is enough for what has letters that follow each other: edges and stains are read as others. */
function isAmidText(words: readonly PageWord[], index: number): boolean {
  const word = words[index];
  if (word === undefined || !/[\p{L}\p{N}]/u.test(word.text)) return false;
  const beside = [words[index - 1], words[index + 1]].filter((other) => other !== undefined);
  const isAtEnd = beside.length === 1;
  return (isAtEnd ? isText(word) : beside.length > 1) && beside.every((other) => isSureBeside(word, other));
}

function isSureBeside(word: PageWord, other: PageWord): boolean {
  const gap = Math.max(word.x0, other.x0) - Math.min(word.x1, other.x1);
  return sureOf(other) >= LEAST_SURE_BESIDE && gap < word.fontSize * MOST_BESIDE_EM;
}
