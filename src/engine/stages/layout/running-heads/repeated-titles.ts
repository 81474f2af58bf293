import { lineText } from '../lines/lines.js';
import { type EdgeItem, type EdgePage, type EdgeRow, isBoldItem } from './edge-rows.js';

/** Least letters of a title: a shorter one may come again in other lines by chance. */
const MIN_TITLE_LETTERS = 6;
/** Ratio of a title's type to that of the running head. */
const MIN_TITLE_RATIO = 1.1;

/** True for a row that has the words of a title of its document. */
export type RepeatsTitle = (row: EdgeRow<EdgeItem>) => boolean;

/**
 * Tells of rows whether a part of them has the words of a title, which is set larger or in bold type. The titles are
 * gathered at the first call: few documents ask.
 */
export function createTitles(pages: readonly EdgePage<EdgeItem>[], bodySize: number): RepeatsTitle {
  let titles: Map<string, number> | undefined;
  return ({ items, size }) => {
    const plain = items.filter((item) => !isBoldItem(item));
    if (plain.length === 0) return false;
    titles ??= sizesOfTitles(pages, bodySize);
    return plain.some((item) => {
      const name = nameOf(item);
      return name.length >= MIN_TITLE_LETTERS && (titles?.get(name) ?? 0) > size * MIN_TITLE_RATIO;
    });
  };
}

/** The largest size in which each title is set; a bold one is larger than all type. */
function sizesOfTitles(pages: readonly EdgePage<EdgeItem>[], bodySize: number): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const item of pages.flatMap(({ items }) => items)) {
    const size = isBoldItem(item) ? Infinity : item.fontSize;
    if (size <= bodySize) continue;
    const name = nameOf(item);
    sizes.set(name, Math.max(size, sizes.get(name) ?? 0));
  }
  return sizes;
}

/** The letters of an item, whatever numbers and signs stand among them. */
const nameOf = (item: EdgeItem): string =>
  lineText(item)
    .toLowerCase()
    .replace(/\P{L}+/gu, '');
