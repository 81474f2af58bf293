import type { Block, Line, OcrDocument, Page, Table, TableCell } from '../../model/document.js';
import { renderListing } from './code.js';

export interface RenderOptions {
  /** True to include text outside of the flow: headers, footers, page numbers. */
  headersFooters?: boolean;
}

/**
 * Renders a document as plain text: lines as on the page, an empty line between blocks and pages, but none between
 * single lines right below each other, as on a receipt; programs keep their indents. In text-layer text a word that a
 * hyphen splits at a line's end is joined again; recognised text keeps the lines as they are printed.
 */
export function renderText(document: OcrDocument, options: RenderOptions = {}): string {
  return document.pages
    .map((page) => renderPageText(page, options))
    .filter((text) => text !== '')
    .join('\n\n');
}

/** A form feed, as pdftotext and printers have it, at the beginning of a line. */
export function joinPageTexts(texts: readonly string[]): string {
  return texts.join('\n\f');
}

export function renderPageText(page: Page, options: RenderOptions = {}): string {
  const blocks = flowOf(page, options);
  return blocks
    .map((block, index) => {
      const previous = blocks[index - 1];
      const space = previous === undefined ? '' : areSingleLines(previous, block) ? '\n' : '\n\n';
      return space + renderBlockText(block, page.source !== 'ocr');
    })
    .join('');
}

/** Space between lines that stand right below each other, as a share of a line's height. */
const MAX_LINE_SPACE = 0.6;
/** Difference of left ends that is still one edge, as a share of the page's width. */
const MAX_EDGE_DIFFERENCE = 0.01;

/** True when one of two paragraphs is a single line and the other stands right below or above it. */
function areSingleLines(previous: Block, block: Block): boolean {
  const [above, below] = [previous.lines.at(-1), block.lines[0]];
  if (previous.kind !== 'paragraph' || block.kind !== 'paragraph' || above === undefined || below === undefined)
    return false;
  if (previous.lines.length > 1 && block.lines.length > 1) return false;
  const [left, , , bottom] = above.box;
  const [x0, top, , y1] = below.box;
  return Math.abs(left - x0) < MAX_EDGE_DIFFERENCE && Math.abs(top - bottom) < (y1 - top) * MAX_LINE_SPACE;
}

/** The blocks of a page that are rendered. */
export function flowOf(page: Page, { headersFooters = false }: RenderOptions): Block[] {
  return page.blocks.filter(
    ({ kind }) => kind !== 'figure' && (headersFooters || (kind !== 'header' && kind !== 'footer')),
  );
}

export function renderBlockText(block: Block, joinHyphens: boolean): string {
  if (block.code) return renderListing(block.lines);
  if (block.table === undefined) return renderLines(block.lines, joinHyphens);
  return tableRows(block.table)
    .map((cells) => cells.filter((cell) => cell !== '').join('  '))
    .join('\n');
}

const renderLines = (lines: readonly Line[], joinHyphens: boolean): string =>
  toRows(lines, joinHyphens)
    .filter((row) => row !== '')
    .join('\n');

/** The text of each line, where the rest of a split word has moved up to its beginning. */
function toRows(lines: readonly Line[], joinHyphens: boolean): string[] {
  const rows = lines.map(renderLine);
  if (joinHyphens) {
    for (let index = 0; index + 1 < rows.length; index++) {
      const hyphenation = lines[index]?.hyphenation;
      const row = rows[index] ?? '';
      if (hyphenation === undefined) rows[index] = row.replace(/\u00ad$/, '');
      else {
        // The rest of the word moves up to its beginning.
        const [, rest = '', next = ''] = /^(\S*)\s*(.*)$/s.exec(rows[index + 1] ?? '') ?? [];
        rows[index] = (hyphenation === 'word' ? row.slice(0, -1) : row) + rest;
        rows[index + 1] = next;
      }
    }
  }
  return rows;
}

/** Renders one line: words are separated by one space, wide gaps (between cells) by two. */
export function renderLine(line: Line): string {
  return line.words
    .map((word, index) => (index === 0 || word.glued ? '' : word.apart ? '  ' : ' ') + word.text)
    .join('')
    .replaceAll('\u00ad', (_, offset: number, whole: string) => (offset === whole.length - 1 ? '\u00ad' : ''));
}

/** Texts of a table's rows, one for each column; the text of a cell that spans several stands in the first alone. */
export function tableRows(table: Table): string[][] {
  const rows = Array.from({ length: table.rows }, () => Array.from({ length: table.columns }, () => ''));
  for (const cell of table.cells) {
    const row = rows[cell.row];
    if (row !== undefined) row[cell.column] = renderCell(cell);
  }
  return rows;
}

/** Renders a cell on one line: Chinese and Japanese lines are joined without a space. */
export function renderCell({ lines }: Pick<TableCell, 'lines'>): string {
  const rows = toRows(lines, true);
  return rows.reduce((text, row, index) => {
    const isGlued = lines[index]?.words[0]?.glued && lines[index - 1]?.hyphenation === undefined;
    return text === '' || row === '' || isGlued ? text + row : `${text} ${row}`;
  }, '');
}
