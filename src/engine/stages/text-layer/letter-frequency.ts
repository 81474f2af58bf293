/** Frequency of the letters a-z, in per cent, over the larger languages of the Latin script taken together. */
const USUAL_LETTERS = [
  9.5, 1.3, 3, 4.2, 13, 1.4, 1.9, 2.5, 8, 0.8, 2, 4.8, 3, 7.5, 6.5, 2.6, 0.3, 6.5, 6.5, 6.5, 4, 1.5, 0.9, 0.2, 1.2, 1.3,
];

/**
 * The similarity of letter counts, a to z, to those of languages in the Latin script: the cosine. Texts in some
 * language have .85 and more, shuffled letters less than .6. NaN without letters.
 */
export function likenessToLanguage(counts: readonly number[]): number {
  const dot = counts.reduce((sum, count, at) => sum + count * (USUAL_LETTERS[at] ?? 0), 0);
  return dot / (Math.hypot(...counts) * Math.hypot(...USUAL_LETTERS));
}
