import type { Block, Line, OcrDocument, Page, Table, Word } from '../../model/document.js';
import { streamOf } from '../../model/streams.js';
import { renderCode } from './code.js';
import { escapeStart, type InlineStyle, renderInline } from './inline.js';
import { labelNotes } from './label-notes.js';
import { flowOf, type RenderOptions } from './text.js';

/** A block with all its lines or tables, also those of the blocks that continue it. */
interface Entry {
  block: Block;
  lines: Line[];
  tables: Table[];
}

/**
 * Renders a document as GitHub Flavored Markdown: headings, paragraphs joined over lines, columns and pages, lists,
 * tables joined over pages, footnotes, emphasis, links. Text that looks like markup is escaped.
 */
export function renderMarkdown(document: OcrDocument, options: RenderOptions = {}): string {
  return renderEntries(takeEntries(document.pages, options), documentStyle(document));
}

/**
 * Renders each page by itself: nothing runs on from one to the next. Labels of footnotes and emphasis are those of the
 * whole document.
 */
export function renderMarkdownPages(document: OcrDocument, options: RenderOptions = {}): string[] {
  const style = documentStyle(document);
  return document.pages.map((page) => renderEntries(takeEntries([page], options), style));
}

/** Joins the Markdown of pages: a comment, which no renderer shows, says which page begins. */
export function joinMarkdownPages(pages: readonly Page[], texts: readonly string[]): string {
  return pages
    .flatMap(({ number }, index) => [...(index === 0 ? [] : [`<!-- page ${number} -->`]), texts[index] ?? ''])
    .filter((part) => part !== '')
    .join('\n\n');
}

interface DocumentStyle {
  inline: InlineStyle;
  noteLabels: ReadonlyMap<Block, string>;
}

function documentStyle(document: OcrDocument): DocumentStyle {
  const { labels, marks } = labelNotes(document);
  const inline = { ...chooseEmphasis(document), links: true, noteOf: (word: Word) => marks.get(word) };
  return { inline, noteLabels: labels };
}

function renderEntries(entries: readonly Entry[], { inline: style, noteLabels }: DocumentStyle): string {
  const parts: string[] = [];
  let list = NO_LIST;
  for (const entry of entries) {
    const { block, lines } = entry;
    if (block.kind === 'list-item') {
      const item = renderItem(entry, style, list);
      parts.push(parts.length === 0 ? item.text : item.separator + item.text);
      list = item.list;
      continue;
    }
    const label = noteLabels.get(block);
    const text = label === undefined ? renderBlock(entry, style) : renderNote(label, lines, style);
    if (text === '') continue;
    parts.push(parts.length === 0 ? text : `\n\n${text}`);
    list = NO_LIST;
  }
  return parts.join('');
}

function takeEntries(pages: readonly Page[], options: RenderOptions): Entry[] {
  const entries: Entry[] = [];
  for (const block of pages.flatMap((page) => flowOf(page, options))) {
    const tables = block.table === undefined ? [] : [block.table];
    const isPart = ({ block: part, tables: own }: Entry) =>
      part.turned === block.turned &&
      own.length > 0 === tables.length > 0 &&
      (tables.length > 0 || streamOf(part) === streamOf(block));
    const before = block.continues ? entries.findLast(isPart) : undefined;
    if (before === undefined) entries.push({ block, lines: block.lines, tables });
    else if (block.table === undefined) before.lines = [...before.lines, ...block.lines];
    else before.tables.push(...tables);
  }
  return entries;
}

function renderBlock({ block, lines, tables }: Entry, style: InlineStyle): string {
  if (tables.length > 0) return renderTable(tables, style);
  if (block.code) return renderCode(lines);
  if (block.kind !== 'heading') return escapeStart(renderInline(lines, style));
  const text = renderInline(lines, { ...style, bold: false, italic: false, links: false });
  return text === '' ? '' : `${'#'.repeat(block.level ?? 1)} ${text.replace(/(\s|^)(#+)$/, '$1\\$2')}`;
}

/** Renders a table, or several parts of one, as a GFM table. Its first row is the head; a head that is repeated is left out. */
function renderTable(parts: readonly Table[], style: InlineStyle): string {
  const [first = [], ...others] = parts.map((part) => rowsOf(part, style));
  const [head = '', ...body] = [...first, ...others.flatMap((rows) => rows.slice(headLength(rows, first)))];
  return [head, `|${' --- |'.repeat(parts[0]?.columns ?? 0)}`, ...body].join('\n');
}

const MAX_HEAD_ROWS = 4;

/** Number of rows at the beginning that both parts share; 0 where nothing else follows them. */
function headLength(rows: readonly string[], first: readonly string[]): number {
  const other = rows.findIndex((row, index) => row !== first[index]);
  return other === -1 ? 0 : Math.min(other, MAX_HEAD_ROWS);
}

/** A label of rows or columns is shorter, and has to be read in each of them. */
const MAX_LABEL_CHARACTERS = 40;

/**
 * Rows of a GFM table. GFM knows no spans: the label of several rows or columns is repeated in each of them, while a
 * text, as in the boxes of a form, stands in the first alone. Cells hold their text without links, so that a column
 * can be read down; the model has the links.
 */
function rowsOf(table: Table, style: InlineStyle): string[] {
  const rows = Array.from({ length: table.rows }, () => Array.from({ length: table.columns }, () => ''));
  for (const cell of table.cells) {
    const text = renderInline(cell.lines, { ...style, bold: style.bold && cell.row > 0, links: false });
    const [rowSpan, columnSpan] = text.length > MAX_LABEL_CHARACTERS ? [1, 1] : [cell.rowSpan, cell.columnSpan];
    for (const row of rows.slice(cell.row, cell.row + rowSpan)) row.fill(text, cell.column, cell.column + columnSpan);
  }
  return rows.map((cells) => `| ${cells.join(' | ')} |`);
}

/** Open lists, the outermost first: the depth that the page shows, the width of the indent of its items, the number of the last item. */
type OpenLists = readonly { depth: number; width: number; number: number | undefined }[];
const NO_LIST: OpenLists = [];

/** Check boxes and how GFM's task items begin. */
const TASKS: Record<string, string> = { '☐': '[ ] ', '□': '[ ] ', '◻': '[ ] ', '☑': '[x] ', '☒': '[x] ' };

function renderItem(
  { block, lines }: Entry,
  style: InlineStyle,
  list: OpenLists,
): { text: string; separator: string; list: OpenLists } {
  // The first item after a heading may be a deep one: items of its depth that follow stand beside it.
  const shown = block.depth ?? 0;
  const depth = list.filter((outer) => outer.depth < shown).length;
  const indent = list[depth - 1]?.width ?? 0;
  const digits = /^\(?(\d{1,3})[.)]$/.exec(block.marker ?? '')?.[1];
  const number = digits === undefined ? undefined : Number(digits);
  const marker = number === undefined ? '-' : `${number}.`;
  // Lettered markers are not CommonMark: they stay a part of the item.
  const body = number === undefined && block.marker !== '•' ? lines : withoutFirstWord(lines);
  const task = block.marker === '•' ? TASKS[block.lines[0]?.words[0]?.text ?? ''] : undefined;
  const pad = ' '.repeat(indent);
  const open = [...list.slice(0, depth), { depth: shown, width: indent + marker.length + 1, number }];
  // CommonMark numbers items itself, from the first of the list: a gap in the numbers needs a new list.
  const last = list[depth]?.number;
  const skips = number !== undefined && last !== undefined && number !== last + 1;
  // Right below the text of an item, only a list that begins with 1 is a list.
  const isAfterText = number !== undefined && number !== 1 && list[depth] === undefined;
  return {
    text: `${pad}${marker} ${task ?? ''}${escapeStart(renderInline(body, style))}`,
    separator: skips ? `\n\n${pad}<!-- -->\n\n` : list.length === 0 || isAfterText ? '\n\n' : '\n',
    list: open,
  };
}

function withoutFirstWord([first, ...rest]: readonly Line[]): Line[] {
  return first === undefined ? [] : [{ ...first, words: first.words.slice(1) }, ...rest];
}

function renderNote(label: string, lines: readonly Line[], style: InlineStyle): string {
  return `[^${label}]: ${escapeStart(renderInline(withoutFirstWord(lines), style))}`;
}

/** Bold is no emphasis where most of the text is bold. */
function chooseEmphasis({ pages }: OcrDocument): { bold: boolean; italic: boolean } {
  let [all, bold, italic] = [0, 0, 0];
  for (const { blocks } of pages) {
    for (const { kind, lines } of blocks) {
      if (kind === 'heading') continue;
      for (const { words } of lines) {
        for (const word of words) {
          all += word.text.length;
          if (word.bold) bold += word.text.length;
          if (word.italic) italic += word.text.length;
        }
      }
    }
  }
  return { bold: bold < all * 0.5, italic: italic < all * 0.5 };
}
