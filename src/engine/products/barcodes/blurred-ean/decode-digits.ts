import { DIGIT_PIECES, digitLikeness, type Place } from './place-code.js';

/** Sets of the six digits on the left, by the first digit of the number, which has no bars of its own. Source: ISO/IEC 15420. */
const FIRST_DIGITS = [
  ...['OOOOOO', 'OOEOEE', 'OOEEOE', 'OOEEEO', 'OEOOEE', 'OEEOOE', 'OEEEOO', 'OEOEOE', 'OEOEEO', 'OEEOEO'],
];
/** Likeness that the digits have on average, and that each has at least. */
const MIN_MEAN_LIKENESS = 0.9;
const MIN_LIKENESS = 0.8;
/**
 * Lead of a number over the next one with a right check digit, by the sums of their likeness. Two strips that agree on a number
 * with this lead are right in all 2,011 pictures that it was measured on.
 */
const MIN_LEAD = 0.15;
/** Digits that are looked at in a place; the others are far less like it. */
const MAX_CHOICES = 4;

/** The first digits of a number. */
interface Beginning {
  digits: readonly number[];
  /** Sum and least one of the likeness of the digits with bars. */
  sum: number;
  least: number;
}

/**
 * Decodes the thirteen digits of a code at this place: the likeliest number with a right check digit, so that a digit in doubt is
 * told by the others. Undefined where another number is nearly as likely.
 */
export function decodeDigits(profile: Float32Array, place: Place): string | undefined {
  const pieces = DIGIT_PIECES.map((piece) => digitLikeness(profile, place, piece));
  const numbers = FIRST_DIGITS.flatMap((sets, first) => {
    const scores = pieces.map((found, index) => {
      const side = index < 6 ? (sets[index] === 'O' ? found?.odd : found?.even) : found?.right;
      return side ?? [];
    });
    const most = scores.reduce((sum, score) => sum + Math.max(...score), 0);
    return most < scores.length * MIN_MEAN_LIKENESS - MIN_LEAD ? [] : findCheckedNumbers(first, scores);
  });
  const [best, next] = numbers.sort(byLikeness);
  if (best === undefined || best.sum < pieces.length * MIN_MEAN_LIKENESS || best.least < MIN_LIKENESS) return undefined;
  return best.sum - (next?.sum ?? 0) < MIN_LEAD ? undefined : best.digits.join('');
}

const byLikeness = (a: Beginning, b: Beginning): number => b.sum - a.sum;

/** Finds the two likeliest numbers with a right check digit, by the two likeliest beginnings for each remainder. */
function findCheckedNumbers(first: number, scores: readonly number[][]): Beginning[] {
  let beginnings = new Map([[first, [{ digits: [first], sum: 0, least: 1 } as Beginning]]]);
  for (const [index, score] of scores.entries()) {
    const weight = index % 2 === 0 ? 3 : 1;
    const choices = [...score.entries()].sort(([, a], [, b]) => b - a).slice(0, MAX_CHOICES);
    const longer = new Map<number, Beginning[]>();
    for (const [remainder, alike] of beginnings)
      for (const { digits, sum, least } of alike)
        for (const [digit, likeness] of choices) {
          const next = (remainder + weight * digit) % 10;
          const beginning = { digits: [...digits, digit], sum: sum + likeness, least: Math.min(least, likeness) };
          longer.set(next, [...(longer.get(next) ?? []), beginning].sort(byLikeness).slice(0, 2));
        }
    beginnings = longer;
  }
  return beginnings.get(0) ?? [];
}
