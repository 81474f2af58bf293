import { append } from '../../../model/append.js';
import { extentOf } from '../../../model/geometry.js';
import { divide } from '../../../model/groups.js';
import type { PageBlock, PageLayout } from '../../../model/page.js';
import { lineText } from '../lines/lines.js';

/** Distance of stamps from the edges, where the names of axes do not stand, and least size of watermarks, as shares of the page. */
const MARGIN = 0.08;
const MIN_WATERMARK_SHARE = 0.03;
const SAME_PLACE = 0.012;

interface Stamp {
  block: PageBlock;
  page: number;
  x: number;
  y: number;
}

/**
 * Marks turned text along the edges of pages, or large turned text, that comes again at the same place, and lines
 * alone beside the text of a page: they are no text of theirs, but footers.
 */
export function markStamps(pages: readonly PageLayout[]): void {
  const byText = new Map<string, Stamp[]>();
  pages.forEach(({ width, height, blocks }, page) => {
    for (const block of blocks) {
      const [word] = block.turned ? (block.lines[0]?.words ?? []) : [];
      if (word === undefined) continue;
      const [x, y] = [(word.x0 + word.x1) / 2 / width, (word.y0 + word.y1) / 2 / height];
      if (Math.min(x, y, 1 - x, 1 - y) > MARGIN && word.fontSize < height * MIN_WATERMARK_SHARE) continue;
      const text = block.lines.map(lineText).join(' ').replace(/\d+/g, '#');
      append(byText, text, { block, page, x, y });
    }
    markLone(blocks);
  });
  const comesAgain = ({ page, x, y }: Stamp, alike: readonly Stamp[]) =>
    alike.some(
      (other) => other.page !== page && Math.abs(other.x - x) < SAME_PLACE && Math.abs(other.y - y) < SAME_PLACE,
    );
  for (const alike of byText.values())
    for (const stamp of alike) if (comesAgain(stamp, alike)) stamp.block.kind = 'footer';
}

/** Lines of a page of text, and words of what is printed along its side. */
const MIN_PAGE_LINES = 15;
const MAX_LONE_WORDS = 12;

/** Marks the only turned line of a page of text where it stands beside all of that text, as repositories of papers stamp it. */
function markLone(blocks: readonly PageBlock[]): void {
  const [[stamp, ...others], upright] = divide(blocks, ({ turned }) => turned === true);
  if (stamp === undefined || others.length > 0 || stamp.lines.length > 1) return;
  const words = stamp.lines.flatMap((line) => line.words);
  const side = extentOf(words);
  const text = upright.flatMap(({ lines }) => lines);
  const { x0, x1 } = extentOf(text);
  if (words.length > MAX_LONE_WORDS || text.length < MIN_PAGE_LINES || (side.x1 > x0 && side.x0 < x1)) return;
  stamp.kind = 'footer';
}
