import type { PageBlock, PageWord } from '../../model/page.js';
import { toLine } from './hocr.js';

/** Leaves words out. Lines that lose some have new sides and gaps. */
export const withoutWords = (blocks: readonly PageBlock[], isLeftOut: (word: PageWord) => boolean): PageBlock[] =>
  blocks
    .map((block) => ({
      ...block,
      lines: block.lines.flatMap((line) => {
        const words = line.words.filter((word) => !isLeftOut(word));
        if (words.length === line.words.length) return [line];
        return words.length === 0 ? [] : [toLine(words, line.order)];
      }),
    }))
    .filter(({ lines }) => lines.length > 0);
