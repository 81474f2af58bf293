import type { PageBlock, PageWord } from './page.js';

/** Lists the words of blocks, in their order. */
export const wordsOf = (blocks: readonly PageBlock[]): PageWord[] =>
  blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words));
