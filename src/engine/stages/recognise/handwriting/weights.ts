/** Weights of the measures of handwriting, by `npm run bench -- fit-handwriting`. */
export const WEIGHTS = {
  /** For a word by itself: its measures in their order. */
  word: { bias: 6.81, weights: [-1.19, -8.06, -5.35, -2.89, -1.95, 5.66, 2.99, -0.67, -5.76] },
  /** For a word among others: its own log odds, those of the words beside it, and those of the page. */
  context: { bias: 1.38, weights: [0.83, 0.24, 0.32] },
  /** For a page that could hardly be read. */
  page: { bias: -9.1, weights: [-23.22, -14.47, -0.61, 12.87, 2.3] },
};
