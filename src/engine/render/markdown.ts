import type { Block, Line, OcrDocument, Table } from '../model.js';
import { carryHyphen, flowOf, type RenderOptions, renderLine } from './text.js';

/** A document as CommonMark: headings, paragraphs joined over their lines, lists. Text that looks like markup is escaped. */
export function renderMarkdown(document: OcrDocument, options: RenderOptions = {}): string {
  const blocks = document.pages.flatMap((page) => flowOf(page, options));
  const parts: string[] = [];
  blocks.forEach((block, index) => {
    const text = renderBlock(block);
    if (text === '') return;
    const tight = block.kind === 'list-item' && blocks[index - 1]?.kind === 'list-item';
    if (parts.length > 0) parts.push(tight ? '\n' : '\n\n');
    parts.push(text);
  });
  return parts.join('');
}

function renderBlock(block: Block): string {
  if (block.kind === 'list-item') return renderItem(block);
  if (block.table !== undefined) return renderTable(block.table);
  const text = joinLines(block);
  if (text === '') return '';
  return block.kind === 'heading' ? `${'#'.repeat(block.level ?? 1)} ${escapeInline(text)}` : escapeBlock(text);
}

/** A GFM table, its first row the head. GFM knows no spans: a cell that spans several is repeated in each of them. */
function renderTable(table: Table): string {
  const rows = Array.from({ length: table.rows }, () => Array.from({ length: table.columns }, () => ''));
  for (const cell of table.cells) {
    const text = escapeInline(joinRows(cell.lines));
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++) {
      for (let column = cell.column; column < cell.column + cell.columnSpan; column++) {
        const cells = rows[row];
        if (cells !== undefined) cells[column] = text;
      }
    }
  }
  const [head = [], ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [head, `|${' --- |'.repeat(table.columns)}`, ...body].join('\n');
}

function renderItem(block: Block): string {
  const text = joinLines(block);
  const space = text.search(/\s/);
  const body = space === -1 ? '' : text.slice(space + 1).trimStart();
  const number = /^\(?(\d{1,3})[.)]$/.exec(block.marker ?? '')?.[1];
  const indent = '  '.repeat(block.depth ?? 0);
  if (number !== undefined) return `${indent}${number}. ${escapeBlock(body)}`;
  // Lettered markers are no CommonMark: they stay part of the item.
  const marker = block.marker === '•' ? '' : `${escapeInline(block.marker ?? '')} `;
  return `${indent}- ${marker}${escapeBlock(body)}`;
}

const joinLines = (block: Block): string => joinRows(block.lines);

/** Lines as one, hyphenation undone. */
function joinRows(lines: readonly Line[]): string {
  const rows = lines.map((line) => renderLine(line));
  for (let index = 0; index + 1 < rows.length; index++) {
    const [row, next] = carryHyphen(rows[index] ?? '', rows[index + 1] ?? '');
    rows[index] = row;
    rows[index + 1] = next;
  }
  return rows
    .filter((row) => row !== '')
    .join(' ')
    .replaceAll('\u00ad', '')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Escapes what CommonMark or GFM would read as markup inside a line. */
export function escapeInline(text: string): string {
  return text
    .replace(/[\\`*[\]<>|~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/&(?=#?\w+;)/g, '\\&');
}

/** The same, and what it would read as markup at the beginning of a line. */
export function escapeBlock(text: string): string {
  return escapeInline(text)
    .replace(/^(#{1,6})(?=\s|$)/, '\\$1')
    .replace(/^([-+])(?=\s|$)/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^(=+|-{2,})\s*$/, '\\$1');
}
