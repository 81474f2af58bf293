import type { Block, BlockKind, Box, Line } from '../model.js';
import type { LaidBlock } from './blocks.js';
import { isBold } from './blocks.js';
import type { LaidLine } from './lines.js';
import { parseMarker } from './markers.js';

/** The blocks of one page before their kinds are known: those depend on the type of the whole document. */
export interface LaidPage {
  width: number;
  height: number;
  blocks: LaidBlock[];
}

/** The type that most of the document's text is set in. */
interface BodyType {
  size: number;
  bold: boolean;
}

export interface HeadingScale {
  body: BodyType;
  /** Sizes of headings, from the largest. */
  sizes: number[];
}

const MOST_HEADING_CHARACTERS = 200;

/** Finds the body's type and the sizes that headings have, over all pages. */
export function measureType(pages: readonly LaidPage[]): HeadingScale {
  const characters = new Map<string, { size: number; bold: boolean; count: number }>();
  for (const line of pages.flatMap(({ blocks }) => blocks.flatMap(({ lines }) => lines))) {
    const size = roundSize(line.fontSize);
    const bold = isBold(line);
    const entry = characters.get(`${size}/${bold}`) ?? { size, bold, count: 0 };
    entry.count += lineText(line).length;
    characters.set(`${size}/${bold}`, entry);
  }
  const body = [...characters.values()].reduce((a, b) => (b.count > a.count ? b : a), {
    size: 10,
    bold: false,
    count: 0,
  });
  const scale = { body: { size: body.size, bold: body.bold }, sizes: [] as number[] };
  const sizes = new Set<number>();
  for (const block of pages.flatMap(({ blocks }) => blocks)) {
    const size = blockSize(block);
    if (block.kind === undefined && size >= scale.body.size * 1.1 && looksLikeHeading(block, scale.body))
      sizes.add(size);
  }
  scale.sizes = [...sizes].sort((a, b) => b - a);
  return scale;
}

/** Turns the blocks of a page to the model's: kinds, levels and boxes of 0-1. */
export function classifyBlocks(page: LaidPage, scale: HeadingScale): Block[] {
  return page.blocks.map((block) => {
    const lines = block.lines.map((line) => toModelLine(line, page));
    const box = unite(lines.map((line) => line.box));
    const kind = block.kind ?? kindOf(block, scale);
    if (block.table !== undefined) {
      const cells = block.table.cells.map((cell) => ({
        ...cell,
        lines: cell.lines.map((line) => toModelLine(line, page)),
      }));
      const { rows, columns } = block.table;
      cells.sort((a, b) => a.row - b.row || a.column - b.column);
      return { kind, box, lines: cells.flatMap((cell) => cell.lines), table: { rows, columns, cells } };
    }
    if (kind === 'heading') return { kind, box, lines, level: headingLevel(block, scale) };
    if (kind === 'list-item') {
      const marker = parseMarker(block.lines[0]?.words.map(({ text }) => text) ?? []);
      return { kind, box, lines, marker: marker?.text ?? '•', depth: 0 };
    }
    return { kind, box, lines };
  });
}

function kindOf(block: LaidBlock, scale: HeadingScale): BlockKind {
  if (looksLikeHeading(block, scale.body)) return 'heading';
  const first = block.lines[0];
  if (first !== undefined && first.apart.size <= 1 && parseMarker(first.words.map(({ text }) => text)) !== undefined) {
    return 'list-item';
  }
  return 'paragraph';
}

function looksLikeHeading(block: LaidBlock, body: BodyType): boolean {
  const text = block.lines.map(lineText).join(' ');
  if (text.length > MOST_HEADING_CHARACTERS || block.lines.length > 4) return false;
  if (!/\p{L}{2}/u.test(text)) return false;
  if (block.lines.some(({ apart }) => apart.size > 1)) return false;
  const size = blockSize(block);
  if (size >= body.size * 1.15) return true;
  if (block.lines.some(({ words }) => words.some(({ confidence }) => confidence !== null))) return false;
  const bold = !body.bold && block.lines.every(isBold);
  if (bold && size >= body.size * 0.95 && block.lines.length <= 2) return !/[,;:]$/.test(text) && text.length < 120;
  return size >= body.size * 1.1 && block.lines.length <= 2;
}

function headingLevel(block: LaidBlock, scale: HeadingScale): number {
  const size = blockSize(block);
  const index = scale.sizes.findIndex((known) => size >= known - 0.4);
  if (index !== -1) return Math.min(index + 1, 6);
  return Math.min(scale.sizes.length + 1, 6);
}

const roundSize = (size: number): number => Math.round(size * 2) / 2;

function blockSize(block: LaidBlock): number {
  return roundSize(Math.max(...block.lines.map(({ fontSize }) => fontSize)));
}

function lineText(line: LaidLine): string {
  return line.words.map(({ text }) => text).join(' ');
}

function toModelLine(line: LaidLine, page: LaidPage): Line {
  const words = line.words.map((word, index) => ({
    text: word.text,
    box: normalise(word, page),
    confidence: word.confidence,
    ...(word.bold ? { bold: true } : {}),
    ...(word.italic ? { italic: true } : {}),
    ...(line.apart.has(index) ? { apart: true } : {}),
    ...(word.glued ? { glued: true } : {}),
    ...(word.raised ? { raised: true } : {}),
    ...(word.link === undefined ? {} : { link: word.link }),
  }));
  return { box: unite(words.map(({ box }) => box)), words, fontSize: line.fontSize, direction: line.direction };
}

function normalise(word: { x0: number; y0: number; x1: number; y1: number }, page: LaidPage): Box {
  const share = (value: number, whole: number) => Math.round(Math.min(1, Math.max(0, value / whole)) * 1e5) / 1e5;
  return [
    share(word.x0, page.width),
    share(word.y0, page.height),
    share(word.x1, page.width),
    share(word.y1, page.height),
  ];
}

function unite(boxes: readonly Box[]): Box {
  return [
    Math.min(...boxes.map((box) => box[0])),
    Math.min(...boxes.map((box) => box[1])),
    Math.max(...boxes.map((box) => box[2])),
    Math.max(...boxes.map((box) => box[3])),
  ];
}
