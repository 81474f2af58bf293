import type { PageBlock, PageLine } from '../../../model/page.js';
import { hasCells } from '../lines/line-cells.js';
import { continuesList, type Marker, parseMarker } from '../markers.js';

/** The lists of a document, as its blocks come in reading order. */
export interface Lists {
  /** Turns to the next page, whose text begins at `left`: lists continue where that is the same as on the page before. */
  turnPage(left: number): void;
  /** The marker as printed (`•` for every bullet) and the depth, from 0, of an item of the list before it or of a new one; undefined for other blocks. */
  take(block: PageBlock): { marker: string; depth: number } | undefined;
  /** Passes a block that is no item: text at the left of a list ends it. */
  passBy(block: PageBlock): void;
}

/** Deeper items stand further right, but not as far as another column. */
const MIN_INDENT_EM = 0.5;
const MAX_INDENT_EM = 8;

/** Difference in units of the page. Left and right pages of a book have margins of their own. */
const MAX_LEFT_DIFFERENCE = 1;

interface Level {
  x0: number;
  marker: Marker;
}

/** The beginning of a line, counted in the direction of reading. */
const startOf = ({ direction, x0, x1 }: PageLine): number => (direction === 'rtl' ? -x1 : x0);

/** True for a block that looks like an item and is none: the author of a quotation, or a note under a star. */
export function isNoItem(blocks: readonly PageBlock[], index: number): boolean {
  const [before = '', sign = '', after = ''] = [-1, 0, 1].map((step) => blocks[index + step]?.lines[0]?.words[0]?.text);
  if (/^[—―]$/.test(sign))
    return ![before, after].some((text) => /^[-‐‒–—―]$/.test(text)) && /[^:]$/.test(endOf(blocks[index - 1]));
  return sign === '*' && before !== '*' && after !== '*' && blocks.slice(0, index).some(hasStar);
}

const endOf = (block: PageBlock | undefined): string => block?.lines.at(-1)?.words.at(-1)?.text ?? '';

/** True when a word of the text, or of a table, has a star behind it. */
const hasStar = ({ lines }: PageBlock): boolean =>
  lines.some(({ words }) =>
    words.some(({ text }, at) => /[\p{L}\p{N}),%:.]\*$/u.test(text) || (at > 0 && text === '*')),
  );

export function createLists(): Lists {
  /** The last item at each depth. */
  let levels: Level[] = [];
  let [lastY, lastLeft] = [-Infinity, 0];
  const depthOf = (x0: number, size: number): number => {
    const depth = levels.findLastIndex((level) => x0 > level.x0 - size * MIN_INDENT_EM);
    if (depth === -1) return 0;
    const indent = x0 - (levels[depth]?.x0 ?? 0);
    if (indent < size * MIN_INDENT_EM) return depth;
    return indent > size * MAX_INDENT_EM ? 0 : depth + 1;
  };
  return {
    turnPage(left) {
      if (Math.abs(left - lastLeft) > MAX_LEFT_DIFFERENCE) levels = [];
      lastLeft = left;
      lastY = -Infinity;
    },
    take({ lines: [first, second] }) {
      const marker = parseMarker(first?.words ?? []);
      if (first === undefined || marker === undefined || (second === undefined && hasCells(first))) return undefined;
      const [x0, size] = [startOf(first), first.fontSize];
      if (!continuesList(marker, levels[depthOf(x0, size)]?.marker)) return undefined;
      // A new column begins above.
      if (first.baseline < lastY) levels = [];
      lastY = first.baseline;
      const depth = depthOf(x0, size);
      levels = [...levels.slice(0, depth), { x0, marker }];
      return { marker: marker.text, depth };
    },
    passBy({ lines: [first] }) {
      const [top] = levels;
      if (first && top && startOf(first) < top.x0 + first.fontSize * MIN_INDENT_EM) levels = [];
    },
  };
}
