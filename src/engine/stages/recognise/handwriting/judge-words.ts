import { gapBetween } from '../../../model/geometry.js';
import type { MeasuredWord } from './measure-words.js';
import { WEIGHTS } from './weights.js';

export interface JudgedWord extends Pick<MeasuredWord, 'word' | 'length'> {
  /** Log odds that a pen wrote it. */
  odds: number;
}

interface Weights {
  bias: number;
  weights: readonly number[];
}

/** Bounds of the log odds of one word: none settles what the others are. */
const MAX_OWN_ODDS = 8;
const MAX_NEAR_ODDS = 6;
/** Gap to the words beside a word that were written with it. */
const MAX_GAP_EM = 1.8;

/** Judges the words of each line by their measures, by the words beside them and by the page. */
export function judgeWords(lines: readonly (readonly MeasuredWord[])[], { word, context } = WEIGHTS): JudgedWord[] {
  const odds = lines.map((words) => words.map(({ measures }) => weigh(measures, word)));
  const inContext = measureContext(lines, odds);
  return lines.flatMap((words, row) =>
    words.map(({ word, length }, index) => ({ word, length, odds: weigh(inContext[row]?.[index] ?? [], context) })),
  );
}

/** Returns the log odds of each word, those of the words beside it and those of the page, given each word's own. */
export function measureContext(
  lines: readonly (readonly MeasuredWord[])[],
  odds: readonly (readonly number[])[],
): number[][][] {
  const bounded = odds.map((row) => row.map((own) => clamp(own, MAX_NEAR_ODDS)));
  const page = mean(bounded.flat());
  return lines.map((words, row) =>
    words.map(({ word }, index) => {
      const near = [index - 1, index + 1].filter((at) => {
        const other = words[at]?.word;
        return other !== undefined && gapBetween(word, other) < word.fontSize * MAX_GAP_EM;
      });
      const own = clamp(odds[row]?.[index] ?? 0, MAX_OWN_ODDS);
      return [own, mean(near.map((at) => bounded[row]?.[at] ?? 0)), page];
    }),
  );
}

/** Returns the log odds that measures give. */
export const weigh = (measures: readonly number[], { bias, weights }: Weights): number =>
  measures.reduce((sum, measure, index) => sum + measure * (weights[index] ?? 0), bias);

const clamp = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
