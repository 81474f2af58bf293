import type { BlockView, CellView, DocumentView, PageView, PieceView } from './document-view.js';
import { type KnownWord, markWords } from './mark-words.js';
import { boxOf, listOf, objectOf, shareOf, textOf, wholeNumberOf } from './read-values.js';

type Json = Record<string, unknown>;

/** Bound on the spans of a cell: a result that claims more would fill the page with nothing. */
const MAX_SPAN = 1000;
/** Longest text of a result that is shown as it is. */
const MAX_REST_LENGTH = 200_000;
/** Longest string within such a result: files come as base64. */
const MAX_STRING_LENGTH = 2000;

/** Returns what a result shows: its layout, its tables or its text; of any other result its JSON. */
export function viewResult(result: unknown): DocumentView {
  const { pages, tables, text } = objectOf(result);
  const found = listOf(pages);
  if (found.some(({ blocks }) => Array.isArray(blocks))) return finish(found.map(viewPage));
  if (Array.isArray(tables)) return finish(viewTables(listOf(tables)));
  if (typeof text === 'string') return finish(viewText(text, found));
  return { ...finish([]), rest: describeRest(result) };
}

function finish(pages: PageView[]): DocumentView {
  const runs = pages.flatMap(({ blocks }) => blocks.flatMap(piecesOf)).flatMap((piece) => piece.runs);
  return { pages, unsureCount: runs.filter(({ unsure }) => unsure !== undefined).length };
}

/** Returns the texts of a block that have boxes. */
export function piecesOf(block: BlockView): PieceView[] {
  if (block.kind === 'table') return block.rows.flat();
  return block.kind === 'figure' || block.kind === 'plain' ? [] : block.lines;
}

function viewPage(page: Json, index: number): PageView {
  const { width, height } = page;
  const isSized = typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0;
  const blocks = listOf(page.blocks).flatMap(viewBlock);
  const rotation = Number(page.rotation);
  return {
    number: wholeNumberOf(page.page, index + 1),
    ...(isSized ? { size: { width, height } } : {}),
    rotation: [90, 180, 270].includes(rotation) ? rotation : 0,
    ...(textOf(page.source) === '' ? {} : { source: textOf(page.source) }),
    blocks,
    hasBoxes: blocks.some((block) => piecesOf(block).some(({ box }) => box !== undefined)),
  };
}

function viewBlock(block: Json): BlockView[] {
  const lines = viewLines(block);
  switch (block.kind) {
    case 'title':
      return [{ kind: 'heading', level: 1, lines }];
    case 'heading':
      return [{ kind: 'heading', level: wholeNumberOf(block.level, 2, 6), lines }];
    case 'figure':
      return [{ kind: 'figure', box: boxOf(block.box) }];
    case 'header':
    case 'footer':
      return [{ kind: 'running', lines }];
    case 'list-item':
    case 'footnote':
      return [{ kind: block.kind, lines }];
    case 'table': {
      const table = viewTable(objectOf(block.table), wordsOf(block));
      return [table ?? { kind: 'paragraph', lines }];
    }
    default:
      return [{ kind: 'paragraph', lines }];
  }
}

function viewLines(block: Json): PieceView[] {
  const lines = listOf(block.lines).map((line) => ({
    runs: markWords(textOf(line.text), listOf(line.words).map(viewWord)),
    box: boxOf(line.box),
    isRightToLeft: line.direction === 'rtl',
  }));
  if (lines.length > 0 || textOf(block.text) === '') return lines;
  return [{ runs: [{ text: textOf(block.text) }], box: boxOf(block.box), isRightToLeft: false }];
}

function viewWord({ text, confidence, box }: Json): KnownWord {
  return { text: textOf(text), confidence: shareOf(confidence), box: boxOf(box) };
}

function wordsOf(block: Json): KnownWord[] {
  return listOf(block.lines).flatMap(({ words }) => listOf(words).map(viewWord));
}

/** Returns undefined for a table without cells. */
function viewTable(table: Json, words: readonly KnownWord[]): Extract<BlockView, { kind: 'table' }> | undefined {
  const cells = listOf(table.cells);
  if (cells.length === 0) return undefined;
  const byRow = new Map<number, Array<CellView & { column: number }>>();
  for (const cell of cells) {
    const row = placeOf(cell.row);
    const box = boxOf(cell.box);
    const inside = words.filter((word) => box !== undefined && word.box !== undefined && isWithin(word.box, box));
    const own = shareOf(cell.confidence);
    const text = textOf(cell.text);
    // The cells of TABLE_EXTRACTION have a confidence and no words.
    const known = inside.length > 0 ? inside : [{ text, confidence: own, box }];
    const view = {
      column: placeOf(cell.column),
      runs: markWords(text, known),
      box,
      isRightToLeft: false,
      rowSpan: wholeNumberOf(cell.rowSpan, 1, MAX_SPAN),
      columnSpan: wholeNumberOf(cell.columnSpan, 1, MAX_SPAN),
    };
    byRow.set(row, [...(byRow.get(row) ?? []), view]);
  }
  const rows = [...byRow.keys()].sort((a, b) => a - b).map((row) => byRow.get(row) ?? []);
  for (const row of rows) row.sort((a, b) => a.column - b.column);
  return { kind: 'table', rows };
}

function placeOf(value: unknown): number {
  return Number.isSafeInteger(value) ? Number(value) : 0;
}

function isWithin(word: NonNullable<KnownWord['box']>, cell: NonNullable<KnownWord['box']>): boolean {
  const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2];
  return x >= cell.x0 && x <= cell.x1 && y >= cell.y0 && y <= cell.y1;
}

function viewTables(tables: readonly Json[]): PageView[] {
  const byPage = new Map<number, BlockView[]>();
  for (const table of tables) {
    const number = wholeNumberOf(table.page, 1);
    const view = viewTable(table, []);
    if (view !== undefined) byPage.set(number, [...(byPage.get(number) ?? []), view]);
  }
  return [...byPage.entries()]
    .sort(([a], [b]) => a - b)
    .map(([number, blocks]) => ({ number, rotation: 0, blocks, hasBoxes: true }));
}

/** Text of pages where the result has it, otherwise the whole text beside the first page. */
function viewText(text: string, pages: readonly Json[]): PageView[] {
  const hasTexts = pages.length > 0 && pages.every((page) => typeof page.text === 'string');
  const numbers = pages.length === 0 ? [1] : pages.map((page, index) => wholeNumberOf(page.page, index + 1));
  return numbers.map((number, index) => {
    const source = textOf(pages[index]?.source);
    const shown = hasTexts ? textOf(pages[index]?.text) : index === 0 ? text : '';
    return {
      number,
      rotation: 0,
      ...(source === '' ? {} : { source }),
      blocks: shown === '' ? [] : [{ kind: 'plain', text: shown }],
      hasBoxes: false,
    };
  });
}

function describeRest(result: unknown): string {
  const shorten = (_name: string, value: unknown) =>
    typeof value === 'string' && value.length > MAX_STRING_LENGTH
      ? `${value.slice(0, 80)}… (${value.length} characters)`
      : value;
  const text = JSON.stringify(result, shorten, 2) ?? '';
  return text.length > MAX_REST_LENGTH ? `${text.slice(0, MAX_REST_LENGTH)}\n…` : text;
}
