import type { PageBlock, PageLine } from '../../../model/page.js';
import { hasCells } from '../lines/line-cells.js';
import { isBold, lineText } from '../lines/lines.js';
import { typeOf } from './block-type.js';

/** A block of one line that may be a title, and the first line of the text below it. */
interface LineOverText {
  block: PageBlock;
  line: PageLine;
  below: PageLine;
  /** Distance of their base lines. */
  step: number;
  bodySize: number;
  /** True when the text below is one line. */
  isOverLine: boolean;
}

/**
 * Finds titles that are no larger than the text: lines in italics, bold and smaller, or in capitals over a rule. `pages` are
 * blocks in reading order.
 */
export function findQuietTitles(pages: readonly (readonly PageBlock[])[], bodySize: number): PageBlock[] {
  const candidates = pages.flatMap((blocks) =>
    blocks.flatMap((block, index) => lineOverText(block, blocks[index + 1], bodySize) ?? []),
  );
  return [isItalicTitle, isSmallTitle, isUnderlinedTitle].flatMap((isTitle) => {
    const titles = new Set(candidates.filter(isTitle).map(({ block }) => block));
    // A single one may be a line of its own for another reason.
    if (titles.size < 2) return [];
    const isAlike = createComparer(titles);
    const alike = pages.flatMap((blocks) => blocks.filter((block) => !titles.has(block) && isAlike(block)));
    const unsure = alike.filter(({ underlined }) => !underlined);
    return unsure.length <= titles.size ? [...titles, ...alike] : [...titles];
  });
}

/** Distance of titles that begin below each other, in points. */
const LEVEL_TOLERANCE = 1;

/** Tells blocks of one line that are set as a title is, and begin level with it or stand on a rule as it does. */
function createComparer(titles: Iterable<PageBlock>): (block: PageBlock) => boolean {
  const known = new Map<string, PageBlock[]>();
  const areLevel = (a: PageBlock, b: PageBlock) =>
    Math.abs((a.lines[0]?.x0 ?? 0) - (b.lines[0]?.x0 ?? 0)) < LEVEL_TOLERANCE;
  const isLike = (title: PageBlock, block: PageBlock) =>
    areLevel(title, block) || (title.underlined === true && block.underlined === true);
  // Titles of one place are kept once: a book has thousands.
  for (const title of titles) {
    const alike = known.get(styleOf(title)) ?? [];
    if (!alike.some((other) => areLevel(other, title) && other.underlined === title.underlined))
      known.set(styleOf(title), [...alike, title]);
  }
  return (block) => {
    const [line, second] = block.lines;
    if (block.kind !== undefined || line === undefined || second !== undefined) return false;
    if (hasCells(line) || !TITLE.test(lineText(line))) return false;
    return known.get(styleOf(block))?.some((title) => isLike(title, block)) ?? false;
  };
}

/** The type of a block of one line as a key, with its slope and whether it is in capitals. */
function styleOf(block: PageBlock): string {
  const [line] = block.lines;
  const text = line === undefined ? '' : lineText(line);
  return `${typeOf(block)}/${line !== undefined && isItalic(line)}/${text === text.toUpperCase()}`;
}

/** Words that begin and end as those of titles do. */
const TITLE = /^[\p{Lu}\p{Lo}\p{N}].*[\p{L}\p{M}\p{N})?]$/u;

/** Least width of the line below. */
const MIN_WIDTH_EM = 16;

/** Undefined where the block has more lines, or no wide line below it. */
function lineOverText(block: PageBlock, next: PageBlock | undefined, bodySize: number): LineOverText | undefined {
  const [[line, second], [below, ...others]] = [block.lines, next?.lines ?? []];
  if (block.kind !== undefined || next?.kind !== undefined || second !== undefined) return undefined;
  if (line === undefined || below === undefined || below.x1 - below.x0 < line.fontSize * MIN_WIDTH_EM) return undefined;
  const step = below.baseline - line.baseline;
  return step < 0 ? undefined : { block, line, below, step, bodySize, isOverLine: others.length === 0 };
}

/** True for a line in italics, no sentence, right above a paragraph that is not. */
function isItalicTitle({ line, below, step, isOverLine }: LineOverText): boolean {
  if (isOverLine || !isItalic(line) || isItalic(below)) return false;
  const size = line.fontSize;
  if (step > size * 2.5 || Math.abs(below.fontSize - size) > size * 0.1) return false;
  if (Math.abs(below.x0 - line.x0) > size * 2) return false;
  return /^[\p{Lu}\p{N}].*[\p{L}\p{M}\p{N})]$/u.test(lineText(line));
}

/** Size of small titles, as shares of the body's: browsers set the headings of the fifth level in .83. */
const MIN_SMALL_RATIO = 0.75;
const MAX_SMALL_RATIO = 0.95;

/** True for a bold line smaller than the body, no sentence, right above plain text of the body's size. */
function isSmallTitle({ line, below, step, bodySize }: LineOverText): boolean {
  const { fontSize: size } = line;
  if (size < bodySize * MIN_SMALL_RATIO || size > bodySize * MAX_SMALL_RATIO || !isBold(line) || hasCells(line))
    return false;
  if (isBold(below) || Math.abs(below.fontSize - bodySize) > bodySize * 0.05) return false;
  return step <= size * 4 && TITLE.test(lineText(line));
}

/** Size of underlined titles, as a share of the body's. */
const MIN_UNDERLINED_RATIO = 0.9;

/** True for a line in capitals over a rule, and text of the body's size below it. */
function isUnderlinedTitle({ block, line, step, bodySize }: LineOverText): boolean {
  const text = lineText(line);
  if (block.underlined !== true || line.fontSize < bodySize * MIN_UNDERLINED_RATIO || hasCells(line)) return false;
  return step <= line.fontSize * 4 && text === text.toUpperCase() && /\p{Lu}{3}/u.test(text) && TITLE.test(text);
}

const isItalic = ({ words }: PageLine): boolean => words.every(({ italic }) => italic);
