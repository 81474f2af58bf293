import { boundedLogOdds } from '../src/engine/stages/recognise/calibrate.js';
import { splitWords } from '../test/support/word-f1.js';
import { fitLogistic } from './fit-logistic.js';

/** Lower bounds of the confidences that are counted together. */
const BOUNDS = [0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.4, 0];

/** A recognised word, and whether the text of its page has it. */
export interface JudgedWord {
  confidence: number;
  isRight: boolean;
}

/** Judges the words of a layout result: each word of the text counts once, wherever it stands. */
export function judgeWords(layout: unknown, truth: string): JudgedWord[] {
  const left = new Map<string, number>();
  for (const word of splitWords(truth)) left.set(word, (left.get(word) ?? 0) + 1);
  const judged: JudgedWord[] = [];
  // Sure words come first: a misread one must not take the place of the right one.
  for (const { text, confidence } of listWords(layout).sort((a, b) => b.confidence - a.confidence)) {
    for (const word of splitWords(text)) {
      const count = left.get(word) ?? 0;
      if (count > 0) left.set(word, count - 1);
      judged.push({ confidence, isRight: count > 0 });
    }
  }
  return judged;
}

/** Prints how many words of each confidence, and of it or more, are right, and what `calibrate` would have to correct. */
export function printCalibration(words: readonly JudgedWord[]): void {
  console.log('confidence      words   right   right from here up');
  for (const [index, bound] of BOUNDS.entries()) {
    const upper = BOUNDS[index - 1] ?? Number.POSITIVE_INFINITY;
    const within = words.filter(({ confidence }) => confidence >= bound && confidence < upper);
    const above = words.filter(({ confidence }) => confidence >= bound);
    const columns = [String(within.length).padStart(6), share(within).padStart(7), share(above).padStart(7)];
    console.log(`${bound.toFixed(2)} and more  ${columns.join(' ')}`);
  }
  if (words.length === 0) return;
  const { bias, weights } = fitLogistic(
    words.map(({ confidence, isRight }) => ({ measures: [boundedLogOdds(confidence)], isTrue: isRight })),
  );
  const slope = weights[0]?.toFixed(2);
  console.log(
    `bias ${bias.toFixed(2)}, slope ${slope} (0 and 1 where confidence is the share of words that are right)`,
  );
}

function share(words: readonly JudgedWord[]): string {
  if (words.length === 0) return '-';
  return (words.filter(({ isRight }) => isRight).length / words.length).toFixed(3);
}

interface Word {
  text: string;
  confidence: number;
}

/** The words of a result that recognition gave: those of a text layer have no confidence. */
function listWords(value: unknown): Word[] {
  if (Array.isArray(value)) return value.flatMap(listWords);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'words' && Array.isArray(inner)
      ? inner.filter((word: Partial<Word>): word is Word => typeof word.confidence === 'number')
      : listWords(inner),
  );
}
