import type { Block, Line, OcrDocument, Page, Table, TableCell } from '../../model/document.js';

export interface RenderOptions {
  /** Also what stands outside of the flow: headers, footers, page numbers. */
  headersFooters?: boolean;
}

/**
 * A document as plain text: lines as on the page, an empty line between blocks and pages, but for lines that stand each for
 * itself right below each other, as on a receipt. In text-layer text a word
 * that a hyphen parts at a line's end is put together again; recognised text keeps the lines as they are printed.
 */
export function renderText(document: OcrDocument, options: RenderOptions = {}): string {
  return document.pages
    .map((page) => renderPageText(page, options))
    .filter((text) => text !== '')
    .join('\n\n');
}

export function renderPageText(page: Page, options: RenderOptions = {}): string {
  const blocks = flowOf(page, options);
  return blocks
    .map((block, index) => {
      const previous = blocks[index - 1];
      const space = previous === undefined ? '' : areSingleLines(previous, block) ? '\n' : '\n\n';
      return space + renderBlockText(block, page.source === 'text-layer');
    })
    .join('');
}

/** Of a line's height: between lines that stand right below each other. */
const MOST_SPACE = 0.6;
/** Of the page's width: lines begin at one edge. */
const SAME_EDGE = 0.01;

/** Is one of two paragraphs a line alone, and does the other stand right below or above it? */
function areSingleLines(previous: Block, block: Block): boolean {
  const [above, below] = [previous.lines.at(-1), block.lines[0]];
  if (previous.kind !== 'paragraph' || block.kind !== 'paragraph' || above === undefined || below === undefined)
    return false;
  if (previous.lines.length > 1 && block.lines.length > 1) return false;
  const [left, , , bottom] = above.box;
  const [x0, top, , y1] = below.box;
  return Math.abs(left - x0) < SAME_EDGE && Math.abs(top - bottom) < (y1 - top) * MOST_SPACE;
}

/** The blocks of a page that are to be rendered. */
export function flowOf(page: Page, { headersFooters = false }: RenderOptions): Block[] {
  return page.blocks.filter(
    ({ kind }) => kind !== 'figure' && (headersFooters || (kind !== 'header' && kind !== 'footer')),
  );
}

export function renderBlockText(block: Block, joinHyphens: boolean): string {
  if (block.table === undefined) return renderLines(block.lines, joinHyphens);
  return tableRows(block.table)
    .map((cells) => cells.filter((cell) => cell !== '').join('  '))
    .join('\n');
}

const renderLines = (lines: readonly Line[], joinHyphens: boolean): string =>
  toRows(lines, joinHyphens)
    .filter((row) => row !== '')
    .join('\n');

/** Of each line its text, where the rest of a word has moved up to its beginning. */
function toRows(lines: readonly Line[], joinHyphens: boolean): string[] {
  const rows = lines.map(renderLine);
  if (joinHyphens) {
    for (let index = 0; index + 1 < rows.length; index++) {
      const goesOn = lines[index]?.hyphenation;
      const row = rows[index] ?? '';
      if (goesOn === undefined) rows[index] = row.replace(/\u00ad$/, '');
      else {
        // The rest of the word moves up to where it begins.
        const [, rest = '', next = ''] = /^(\S*)\s*(.*)$/s.exec(rows[index + 1] ?? '') ?? [];
        rows[index] = (goesOn === 'word' ? row.slice(0, -1) : row) + rest;
        rows[index + 1] = next;
      }
    }
  }
  return rows;
}

/** One line: words by a space, wide gaps (between cells) by two. */
export function renderLine(line: Line): string {
  return line.words
    .map((word, index) => (index === 0 || word.glued ? '' : word.apart ? '  ' : ' ') + word.text)
    .join('')
    .replaceAll('\u00ad', (_, offset: number, whole: string) => (offset === whole.length - 1 ? '\u00ad' : ''));
}

/** A table's rows: the text of each row's cells, one for each column; a cell that spans several is in the first alone. */
export function tableRows(table: Table): string[][] {
  const rows = Array.from({ length: table.rows }, () => Array.from({ length: table.columns }, () => ''));
  for (const cell of table.cells) {
    const row = rows[cell.row];
    if (row !== undefined) row[cell.column] = renderCell(cell);
  }
  return rows;
}

/** On one line: Chinese and Japanese go on without a space. */
export function renderCell({ lines }: Pick<TableCell, 'lines'>): string {
  const rows = toRows(lines, true);
  return rows.reduce((text, row, index) => {
    const isGlued = lines[index]?.words[0]?.glued && lines[index - 1]?.hyphenation === undefined;
    return text === '' || row === '' || isGlued ? text + row : `${text} ${row}`;
  }, '');
}
