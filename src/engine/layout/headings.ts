import { hasCells, isBold, type LaidBlock } from './blocks.js';
import type { LaidLine } from './lines.js';

/** What tells the headings of a document: the type that most of its text is set in, and the types of its headings. */
export interface HeadingScale {
  bodySize: number;
  bodyBold: boolean;
  /** By type: the level of its headings, and the least depth of their numbers (1 for "3", 2 for "3.1"). */
  levels: Map<string, { level: number; leastDepth: number }>;
}

const MOST_CHARACTERS = 200;
const MOST_LEVEL = 6;
/** The words of a drawing may be larger than the text around it. */
const LEAST_IN_FRAME = 1.4;
/** So many blocks of one type with nothing between them are a list of something, not headings. */
const MOST_IN_A_ROW = 2;

/** Finds the body's type and the types of headings over all pages; `pages` are blocks in reading order. */
export function measureType(pages: readonly (readonly LaidBlock[])[]): HeadingScale {
  const characters = new Map<number, { size: number; bold: boolean; count: number }>();
  for (const line of pages.flatMap((blocks) => blocks.flatMap(({ lines }) => lines))) {
    const size = roundSize(line.fontSize);
    const bold = isBold(line);
    const key = bold ? -size : size;
    let entry = characters.get(key);
    if (entry === undefined) {
      entry = { size, bold, count: 0 };
      characters.set(key, entry);
    }
    for (const { text } of line.words) entry.count += text.length + 1;
  }
  const body = [...characters.values()].reduce((a, b) => (b.count > a.count ? b : a), {
    size: 10,
    bold: false,
    count: 0,
  });
  const scale: HeadingScale = { bodySize: body.size, bodyBold: body.bold, levels: new Map() };
  rankTypes(pages, scale);
  return scale;
}

/**
 * Larger type ranks higher, bold before plain; where one type has numbers of several depths, each depth is a level. A
 * type that is used once (on a cover, say) takes no level of its own, except the title's.
 */
function rankTypes(pages: readonly (readonly LaidBlock[])[], scale: HeadingScale): void {
  const types = new Map<string, { size: number; bold: boolean; depths: number[]; count: number }>();
  for (const block of pages.flat()) {
    if (block.kind !== undefined || !looksLikeHeading(block, scale)) continue;
    const key = typeOf(block);
    const type = types.get(key) ?? { size: blockSize(block), bold: block.lines.every(isBold), depths: [], count: 0 };
    type.count++;
    const depth = numberDepth(block);
    if (depth > 0) type.depths.push(depth);
    types.set(key, type);
  }
  let level = 1;
  const ranked = [...types].sort(([, a], [, b]) => b.size - a.size || Number(b.bold) - Number(a.bold));
  const few = ranked.length <= 3;
  ranked.forEach(([key, { depths, count }], index) => {
    const leastDepth = Math.min(...depths, MOST_LEVEL);
    scale.levels.set(key, { level, leastDepth });
    if (few || index === 0 || count > 1) level += 1 + Math.max(0, Math.max(...depths, 0) - leastDepth);
  });
}

/** Which blocks of a page are headings, with their levels. */
export function findHeadings(blocks: readonly LaidBlock[], scale: HeadingScale): Map<LaidBlock, number> {
  const headings = new Map<LaidBlock, number>();
  let row: LaidBlock[] = [];
  const finish = () => {
    if (row.length <= MOST_IN_A_ROW) for (const block of row) headings.set(block, levelOf(block, scale));
    row = [];
  };
  for (const block of blocks) {
    const heading = block.kind === undefined && looksLikeHeading(block, scale);
    const [last] = row;
    if (last !== undefined && (!heading || typeOf(last) !== typeOf(block))) finish();
    if (heading) row.push(block);
  }
  finish();
  return headings;
}

function looksLikeHeading(block: LaidBlock, { bodySize, bodyBold }: HeadingScale): boolean {
  if (block.lines.length > 4 || block.lines.some(hasCells)) return false;
  // Most blocks are text of the body's size: told without putting their words together.
  const size = blockSize(block);
  if (size < bodySize * 0.95 || (size < bodySize * 1.1 && !block.lines.every(isBold))) return false;
  const text = block.lines.map(lineText).join(' ');
  if (text.length > MOST_CHARACTERS || !/\p{L}{2}/u.test(text)) return false;
  if (/^(table|figure|fig\.|tabelle|abbildung|tableau)\s+[\divx]/i.test(text)) return false;
  if (block.framed) return size >= bodySize * LEAST_IN_FRAME;
  if (size >= bodySize * 1.15) return true;
  if (block.lines.some(({ words }) => words.some(({ confidence }) => confidence !== null))) return false;
  if (block.lines.length > 2) return false;
  if (!bodyBold && size >= bodySize * 0.95 && block.lines.every(isBold)) {
    if (text.length >= 120 || /[,;:]$/.test(text)) return false;
    return !/\.$/.test(text) || text.split(' ').length <= 6;
  }
  return size >= bodySize * 1.1;
}

function levelOf(block: LaidBlock, scale: HeadingScale): number {
  const type = scale.levels.get(typeOf(block));
  if (type === undefined) return MOST_LEVEL;
  const depth = numberDepth(block);
  return Math.min(MOST_LEVEL, type.level + (depth > 0 ? depth - type.leastDepth : 0));
}

/** How deep a heading's number says that it stands: 1 for "3. Title", 2 for "3.1 Title"; 0 without a number. */
function numberDepth(block: LaidBlock): number {
  const first = block.lines[0]?.words[0]?.text ?? '';
  if (block.lines[0]?.words[1] === undefined || !/^(\d{1,3}|[A-Z])(\.\d{1,3})*\.?$/.test(first)) return 0;
  return first.replace(/\.$/, '').split('.').length;
}

const typeOf = (block: LaidBlock): string => `${blockSize(block)}/${block.lines.every(isBold)}`;
const roundSize = (size: number): number => Math.round(size * 2) / 2;
const blockSize = (block: LaidBlock): number => roundSize(Math.max(...block.lines.map(({ fontSize }) => fontSize)));
const lineText = (line: LaidLine): string => line.words.map(({ text }) => text).join(' ');
