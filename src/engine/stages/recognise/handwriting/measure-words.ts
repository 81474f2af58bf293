import { append } from '../../../model/append.js';
import { areLevel, gapBetween } from '../../../model/geometry.js';
import { logOdds } from '../../../model/log-odds.js';
import { meanConfidence } from '../../../model/mean-confidence.js';
import { median } from '../../../model/median.js';
import type { PageBlock, PageLine, PageWord } from '../../../model/page.js';
import { wordsOf } from '../../../model/words-of.js';
import type { Part } from '../../picture/find/parts.js';
import type { Raster } from '../../picture/raster.js';
import { findLetters } from './find-letters.js';

/** The words that the readings of a page found, and the picture that they read. */
export interface Evidence {
  raster: Raster;
  /** The words that the readings were merged to. */
  blocks: readonly PageBlock[];
  readings: readonly (readonly PageBlock[])[];
  /** Mean confidence of the best reading. */
  meanConfidence: number;
}

/** A word with what tells handwriting from print. */
export interface MeasuredWord {
  word: PageWord;
  /** Number of letters and digits in its text. */
  length: number;
  /**
   * The measures, in the order of their weights:
   *
   * - surroundings: log odds of what the readings found in its row, near it; most handwriting is read with little confidence;
   * - fill: share of the letters' boxes that ink fills; a pen is thin for the size of its letters;
   * - feet: how far the letters' feet are from each other's height; a hand keeps no line;
   * - level: share of the letters with another one of the same top and foot in the line;
   * - twins: share of the letters with another one as wide and high in the line; no two written letters are alike;
   * - size: logarithm of the letters' height by the usual one of the page, 0 for smaller ones, and for headlines; people write larger than print;
   * - width: width of a character by the height of the letters;
   * - length: letters and digits; a short word tells little;
   * - page: mean confidence of the page.
   */
  measures: readonly number[];
}

/** Bounds of the measures. */
const MIN_ODDS_CONFIDENCE = 0.1;
const MAX_ODDS_CONFIDENCE = 0.96;
const MAX_SIZE_RATIO = 4;
const MAX_WIDTH = 1.6;
const MAX_LENGTH = 8;
/** Measures of a word without letters in the picture, or with one. */
const USUAL_FILL = 0.45;
const USUAL_FEET = 0.12;
const USUAL_LEVEL = 0.7;
const USUAL_TWINS = 0.6;
const MAX_FEET = 0.5;
/** Difference of the sides of two letters that are alike, by the size of the type, and in pixels. */
const ALIKE_EM = 0.06;
const MIN_ALIKE_PX = 1;
/** Height of a letter by those of its word: capitals and ascenders count, signs do not. */
const LETTER_HEIGHT_SHARE = 0.75;
const CAPITAL_EM = 0.7;
/** Words that show the usual height of letters: letters, and confidence of their surroundings. */
const MIN_USUAL_LENGTH = 3;
const MIN_USUAL_CONFIDENCE = 0.85;

/** Measures the words of each line. */
export function measureWords({ raster, blocks, readings, meanConfidence: page }: Evidence): MeasuredWord[][] {
  const confidenceAround = createSurroundings(readings);
  const lines = blocks.flatMap((block) => block.lines);
  const measured = lines.map((line) => measureLetters(raster, line));
  const parts = measured.flat();
  const around = new Map(parts.map(({ word }) => [word, confidenceAround(word)]));
  const isUsual = ({ word, length }: (typeof parts)[number]) =>
    length >= MIN_USUAL_LENGTH && (around.get(word) ?? 0) > MIN_USUAL_CONFIDENCE;
  const heights = parts.filter(isUsual).map(({ height }) => height);
  const usual = median(heights.length > 0 ? heights : parts.map(({ height }) => height)) ?? 1;
  return measured.map((words) =>
    words.map(({ word, length, height, ...letters }) => ({
      word,
      length,
      measures: [
        logOdds(Math.min(MAX_ODDS_CONFIDENCE, Math.max(MIN_ODDS_CONFIDENCE, around.get(word) ?? 0))),
        ...[letters.fill, letters.feet, letters.level, letters.twins],
        height > usual * MAX_SIZE_RATIO ? 0 : Math.log(Math.max(1, height / usual)),
        Math.min(MAX_WIDTH, (word.x1 - word.x0) / Math.max(1, word.text.length) / height),
        Math.min(MAX_LENGTH, length) / MAX_LENGTH,
        page,
      ],
    })),
  );
}

/** Measures the letters of a line's words in the picture. */
function measureLetters(raster: Raster, line: PageLine) {
  const lettersOf = new Map(line.words.map((word) => [word, findLetters(raster, word)]));
  const all = [...lettersOf.values()].flat();
  return line.words.map((word) => {
    const letters = lettersOf.get(word) ?? [];
    const reach = Math.max(MIN_ALIKE_PX, word.fontSize * ALIKE_EM);
    const heights = letters.map(({ y0, y1 }) => y1 - y0).sort((a, b) => a - b);
    const boxes = letters.reduce((sum, { x0, x1, y0, y1 }) => sum + (x1 - x0) * (y1 - y0), 0);
    const ink = letters.reduce((sum, { area }) => sum + area, 0);
    const height = heights[Math.floor(heights.length * LETTER_HEIGHT_SHARE)] ?? word.fontSize * CAPITAL_EM;
    const foot = median(letters.map(({ y1 }) => y1)) ?? 0;
    const feet = letters.reduce((sum, { y1 }) => sum + Math.min(MAX_FEET, Math.abs(y1 - foot) / height), 0);
    const countPaired = (isPair: (a: Part, b: Part, reach: number) => boolean) =>
      letters.filter((letter) => all.some((other) => other !== letter && isPair(letter, other, reach))).length;
    const isFew = letters.length < 2;
    return {
      ...{ word, height, length: word.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0 },
      fill: boxes === 0 ? USUAL_FILL : ink / boxes,
      feet: isFew ? USUAL_FEET : feet / letters.length,
      level: isFew ? USUAL_LEVEL : countPaired(areLevelled) / letters.length,
      twins: isFew ? USUAL_TWINS : countPaired(areAlike) / letters.length,
    };
  });
}

const areLevelled = (a: Part, b: Part, reach: number): boolean =>
  Math.abs(a.y0 - b.y0) <= reach && Math.abs(a.y1 - b.y1) <= reach;

const areAlike = (a: Part, b: Part, reach: number): boolean =>
  Math.abs(a.x1 - a.x0 - (b.x1 - b.x0)) <= reach && Math.abs(a.y1 - a.y0 - (b.y1 - b.y0)) <= reach;

/** Gap to a word that is near, and share of their height that two words of a row have in common. */
const MAX_GAP_EM = 4;
const MIN_COMMON_HEIGHT_SHARE = 0.4;
/** Height of a band. Words are grouped by bands, so that the work does not grow with the square of the words. */
const BAND_PX = 64;

/** Returns the mean confidence of what the readings found around a word, in its row. */
function createSurroundings(readings: Evidence['readings']): (word: PageWord) => number {
  const bands = new Map<number, PageWord[]>();
  for (const word of readings.flatMap(wordsOf)) for (const band of bandsOf(word)) append(bands, band, word);
  return (word) => {
    const near = new Set(bandsOf(word).flatMap((band) => bands.get(band) ?? []));
    const row = [...near].filter(
      (other) => gapBetween(word, other) < word.fontSize * MAX_GAP_EM && areLevel(word, other, MIN_COMMON_HEIGHT_SHARE),
    );
    return meanConfidence(row) ?? word.confidence ?? 1;
  };
}

function bandsOf({ y0, y1 }: PageWord): number[] {
  const [from, to] = [Math.floor(y0 / BAND_PX), Math.floor(y1 / BAND_PX)];
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
