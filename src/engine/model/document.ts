/**
 * What a document is once it has been read. Everything that a function returns (text, markdown, layout, tables, a
 * searchable PDF) is rendered from this, so that the text of a page is the same everywhere.
 */
export interface OcrDocument {
  pages: Page[];
  warnings: PageWarning[];
}

export interface Page {
  /** As in the file, from 1. */
  number: number;
  /** Of the page as it is read (after `rotation`): points (1/72 inch) for a PDF, pixels for an image. */
  width: number;
  height: number;
  /** Degrees, clockwise, by which the page as it is displayed was turned to be read: 0, 90, 180 or 270. */
  rotation: number;
  source: PageSource;
  textLayer: TextLayerVerdict;
  /** In reading order. */
  blocks: Block[];
  /** Who recognised the words of an `ocr` or `mixed` page: `tesseract-wasm`. */
  recogniser?: string;
}

export type PageSource = 'text-layer' | 'ocr' | 'mixed';

export interface TextLayerVerdict {
  verdict: 'trusted' | 'suspect' | 'absent';
  /** For people, e.g. `no word spaces`. Empty when trusted. */
  reasons: string[];
}

/** [x0, y0, x1, y1], each 0-1, from the top left of the page as it is read. */
export type Box = readonly [number, number, number, number];

export interface Block {
  kind: BlockKind;
  box: Box;
  lines: Line[];
  /** Of a heading: 1-6. */
  level?: number;
  /** Of a list item: its marker as printed (`•`, `2.`) and how deep it stands, from 0. Of a footnote: its number or sign. */
  marker?: string;
  depth?: number;
  table?: Table;
  /** Of a paragraph: lines of a program, whose breaks and indents count. */
  code?: boolean;
  /** Of text in another direction than that of the page: what is before it may go on after it. */
  turned?: boolean;
  /** It goes on from the paragraph or table before it, over the end of a column or a page. */
  continues?: boolean;
}

export interface Table {
  rows: number;
  columns: number;
  /** Row by row; cells that nothing is in are listed too, except those that another one spans. */
  cells: TableCell[];
}

export interface TableCell {
  /** From 0. */
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  /** Between the rules around it; where there are none, what the words of its row and column take. */
  box: Box;
  lines: Line[];
}

/**
 * A figure is a picture, without lines. Headers and footers (with page numbers) stand outside of the flow: renderings leave them out unless they are asked for.
 */
export type BlockKind = 'heading' | 'paragraph' | 'list-item' | 'table' | 'footnote' | 'figure' | 'header' | 'footer';

export interface Line {
  box: Box;
  words: Word[];
  /** Height of the type, in the page's units (points or pixels). */
  fontSize: number;
  direction: 'ltr' | 'rtl';
  /** Its last word goes on in the next line: without the hyphen (`word`) or with it (`compound`). */
  goesOn?: 'word' | 'compound';
}

export interface Word {
  text: string;
  box: Box;
  /** 0-1 from recognition, null for text-layer text. */
  confidence: number | null;
  bold?: boolean;
  italic?: boolean;
  /** No space stands before it, as before the number of a note. */
  glued?: boolean;
  /** Smaller than its line and above it: the number of a note, an exponent. */
  raised?: boolean;
  /** Where it leads to: an address of the web or of electronic mail. */
  link?: string;
  /** Space before it that is much wider than between words, as between the cells of a row. */
  apart?: boolean;
}

/** What a reader of the result should know; of the whole document where it names no page. */
export interface DocumentWarning {
  /** From 1. */
  page?: number;
  message: string;
}

export interface PageWarning {
  /** From 1. */
  page: number;
  message: string;
}
