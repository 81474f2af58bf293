import type {
  Block,
  BlockKind,
  Box,
  Line,
  OcrDocument,
  Page,
  TableCell,
  TextLayerVerdict,
  Word,
} from '../../model/document.js';
import { roundedConfidence } from '../../model/mean-confidence.js';
import { renderBlockText, renderCell, renderLine } from './text.js';

/** A page in the result of LAYOUT_ANALYSIS (its schema is in src/functions/layout-analysis.ts). */
export interface PageLayout {
  page: number;
  width: number;
  height: number;
  unit: 'point' | 'pixel';
  rotation: number;
  source: Page['source'];
  recogniser?: string;
  textLayer: TextLayerVerdict;
  blocks: BlockLayout[];
}

export interface BlockLayout {
  kind: BlockKind | 'title';
  box: Box;
  text: string;
  confidence: number | null;
  level?: number;
  marker?: string;
  depth?: number;
  continues?: true;
  table?: { rows: number; columns: number; cells: CellLayout[] };
  lines: LineLayout[];
}

export interface CellLayout {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  text: string;
  box: Box;
}

interface LineLayout {
  text: string;
  box: Box;
  confidence: number | null;
  direction: 'ltr' | 'rtl';
  fontSize: number;
  words?: WordLayout[];
}

interface WordLayout {
  text: string;
  box: Box;
  confidence: number | null;
  bold?: true;
  italic?: true;
  link?: string;
}

/** Describes the part of the model that callers get, with the texts of the plain text. */
export function describeLayout(
  { pages }: OcrDocument,
  { unit, hasWords }: { unit: 'point' | 'pixel'; hasWords: boolean },
): PageLayout[] {
  const title = findTitle(pages);
  return pages.map((page) => ({
    page: page.number,
    width: round(page.width, 2),
    height: round(page.height, 2),
    unit,
    rotation: page.rotation,
    source: page.source,
    ...(page.recogniser === undefined ? {} : { recogniser: page.recogniser }),
    textLayer: page.textLayer,
    blocks: page.blocks.map((block) => describeBlock(block, { page, isTitle: block === title, hasWords })),
  }));
}

/** The first heading of the document's first page, where it alone is of the highest level. */
function findTitle([first, ...rest]: readonly Page[]): Block | undefined {
  if (first?.number !== 1) return undefined;
  const title = first.blocks.find(({ kind }) => kind === 'heading');
  if (title?.level !== 1) return undefined;
  const isRival = (block: Block) => block !== title && block.kind === 'heading' && block.level === 1;
  return [first, ...rest].some(({ blocks }) => blocks.some(isRival)) ? undefined : title;
}

interface DescribeOptions {
  page: Page;
  isTitle: boolean;
  hasWords: boolean;
}

function describeBlock(block: Block, { page, isTitle, hasWords }: DescribeOptions): BlockLayout {
  const { kind, box, lines, level, marker, depth, continues, table } = block;
  return {
    kind: isTitle ? 'title' : kind,
    box,
    text: renderBlockText(block, page.source !== 'ocr'),
    confidence: roundedConfidence(lines),
    ...(level === undefined ? {} : { level }),
    ...(marker === undefined ? {} : { marker }),
    ...(depth === undefined ? {} : { depth }),
    ...(continues === true ? { continues } : {}),
    ...(table === undefined
      ? {}
      : {
          table: {
            rows: table.rows,
            columns: table.columns,
            cells: table.cells.map(describeCell),
          },
        }),
    lines: lines.map((line) => describeLine(line, hasWords)),
  };
}

export function describeCell(cell: TableCell): CellLayout {
  const { row, column, rowSpan, columnSpan, box } = cell;
  return { row, column, rowSpan, columnSpan, text: renderCell(cell), box };
}

function describeLine(line: Line, hasWords: boolean): LineLayout {
  const { box, direction, fontSize, words } = line;
  return {
    text: renderLine(line),
    box,
    confidence: roundedConfidence([line]),
    direction,
    fontSize: round(fontSize, 2),
    ...(hasWords ? { words: words.map(describeWord) } : {}),
  };
}

function describeWord({ text, box, confidence, bold, italic, link }: Word): WordLayout {
  return {
    text,
    box,
    confidence: confidence === null ? null : round(confidence, 3),
    ...(bold === true ? { bold } : {}),
    ...(italic === true ? { italic } : {}),
    ...(link === undefined ? {} : { link }),
  };
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
