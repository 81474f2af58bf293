/** How much a list that grows for ever shows without `--limit`. */
export const DEFAULT_LIMIT = 100;
