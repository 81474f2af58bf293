import type { Area } from '../../model/geometry.js';
import type { PageBlock, PageLine, PageWord } from '../../model/page.js';
import { type Dot, findDot } from '../picture/find/find-dot.js';
import type { Raster } from '../picture/raster.js';
import { toLine } from './hocr.js';

/** Gap between a bullet and its text, and white space before the bullet. */
const MIN_GAP_EM = 0.2;
const MAX_GAP_EM = 3.2;
const MIN_SPACE_BEFORE_EM = 0.4;
/** Length of the text that a recogniser takes a bullet for. */
const MAX_CHARACTERS = 2;
/** Ratio of two sizes that count as one: the bullets of a page have one size. */
const SAME_SIZE_RATIO = 1.3;

/** A line that begins with a dot: the dot and the words after it. */
interface Item {
  dot: Dot;
  text: PageWord[];
  /** True when the recogniser read something at the place of the dot. */
  isRead: boolean;
}

/**
 * Restores the bullets in front of lines from the picture: a recogniser overlooks them, or takes them for letters, in the
 * line or apart from it. A speck may be in front of a line as well: a dot at which nothing was read needs a second one like
 * it on the page.
 */
export function markBullets(raster: Raster, blocks: readonly PageBlock[]): PageBlock[] {
  const lines = blocks.flatMap((block) => block.lines);
  const singleWordLines = lines.filter(({ words }) => words.length === 1 && isShort(words[0]));
  const items = new Map<PageLine, Item>();
  const mistaken = new Set<PageLine>();
  for (const line of lines) {
    const item = findItem(raster, line);
    if (item === undefined) continue;
    const apart = singleWordLines.find((other) => other !== line && isWithin(item.dot, other));
    if (apart !== undefined) mistaken.add(apart);
    items.set(line, { ...item, isRead: item.isRead || apart !== undefined });
  }
  const all = [...items.values()];
  const restore = (line: PageLine): PageLine => {
    const item = items.get(line);
    return item !== undefined && isBullet(item, all) ? toLine([bulletOf(item), ...item.text], line.order) : line;
  };
  return blocks
    .map((block) => ({ ...block, lines: block.lines.filter((line) => !mistaken.has(line)).map(restore) }))
    .filter((block) => block.lines.length > 0);
}

const isShort = (word: PageWord | undefined): boolean => word !== undefined && word.text.length <= MAX_CHARACTERS;

function isWithin({ x0, x1, y0, y1 }: Dot, box: Area): boolean {
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1;
}

function findItem(raster: Raster, line: PageLine): Item | undefined {
  const [first, second] = line.words;
  if (first === undefined || line.y1 - line.y0 > 2 * (line.x1 - line.x0)) return undefined;
  const overlooked = findBefore(raster, first);
  if (overlooked !== undefined) return { dot: overlooked, text: line.words, isRead: false };
  if (second === undefined || !isShort(first)) return undefined;
  const dot = findBefore(raster, second);
  return dot !== undefined && isWithin(dot, first) ? { dot, text: line.words.slice(1), isRead: true } : undefined;
}

/** Finds the dot in front of a word, with only paper around it. */
function findBefore(raster: Raster, { x0, baseline, fontSize }: PageWord): Dot | undefined {
  const [from, to] = [x0 - fontSize * MAX_GAP_EM, x0 - fontSize * MIN_GAP_EM];
  return findDot(raster, { from, to, before: fontSize * MIN_SPACE_BEFORE_EM, baseline, fontSize });
}

const isBullet = (item: Item, items: readonly Item[]): boolean =>
  item.isRead || items.some((other) => other !== item && areAlike(item.dot, other.dot));

function areAlike(a: Dot, b: Dot): boolean {
  const [one, other] = [a.y1 - a.y0, b.y1 - b.y0];
  return a.isFilled === b.isFilled && Math.max(one, other) < Math.min(one, other) * SAME_SIZE_RATIO;
}

const bulletOf = ({ dot: { x0, y0, x1, y1 }, text: [first] }: Item): PageWord => ({
  ...{ text: '•', x0, y0, x1, y1, bold: false, italic: false },
  baseline: first?.baseline ?? y1,
  fontSize: first?.fontSize ?? y1 - y0,
  confidence: first?.confidence ?? null,
});
