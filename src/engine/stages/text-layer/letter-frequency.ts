/** How often the letters a-z come, in per cent, over the larger languages of the Latin script taken together. */
const USUAL_LETTERS = [
  9.5, 1.3, 3, 4.2, 13, 1.4, 1.9, 2.5, 8, 0.8, 2, 4.8, 3, 7.5, 6.5, 2.6, 0.3, 6.5, 6.5, 6.5, 4, 1.5, 0.9, 0.2, 1.2, 1.3,
];

/**
 * How much letters come as often as in languages of the Latin script: the cosine, from their counts, a to z. Texts in some
 * language have .85 and more, shuffled letters less than .6. NaN where there are none.
 */
export function likenessToLanguage(counts: readonly number[]): number {
  const dot = counts.reduce((sum, count, at) => sum + count * (USUAL_LETTERS[at] ?? 0), 0);
  return dot / (Math.hypot(...counts) * Math.hypot(...USUAL_LETTERS));
}
