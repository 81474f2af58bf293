/**
 * A document that has been read. Everything that a function returns (text, markdown, layout, tables, a searchable PDF) is
 * rendered from this, so that the text of a page is the same everywhere.
 */
export interface OcrDocument {
  pages: Page[];
  warnings: PageWarning[];
}

export interface Page {
  /** The page's number in the file, from 1. */
  number: number;
  /** Size of the page as it is read (after `rotation`): points (1/72 inch) for a PDF, pixels for an image. */
  width: number;
  height: number;
  /** Degrees, clockwise, by which the page as it is displayed was turned to be read: 0, 90, 180 or 270. */
  rotation: number;
  source: PageSource;
  textLayer: TextLayerVerdict;
  /** Blocks in reading order. */
  blocks: Block[];
  /** The engine that recognised the words of an `ocr` or `mixed` page: `tesseract-wasm`. */
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
  /** Level of a heading, 1-6. */
  level?: number;
  /** Marker of a list item as printed (`•`, `2.`); number or sign of a footnote. */
  marker?: string;
  /** Depth of a list item, from 0. */
  depth?: number;
  table?: Table;
  /** True for a paragraph of lines of a program, whose breaks and indents count. */
  code?: boolean;
  /** True for text in another direction than the page's, or in a picture: the text before it may go on after it. */
  turned?: boolean;
  /** True when it continues the paragraph, note or table before it, over the end of a column or a page. */
  continues?: boolean;
  /** True for a table, a caption or a note between the two parts of a paragraph. */
  floats?: boolean;
}

export interface Table {
  rows: number;
  columns: number;
  /** Cells row by row; empty cells are listed too, except those that another cell spans. */
  cells: TableCell[];
}

export interface TableCell {
  /** Row and column count from 0. */
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  /** The place between the rules around it; without rules, the place that the words of its row and column take. */
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
  /** How its last word is joined to the next line's first: without the hyphen (`word`) or with it (`compound`). */
  hyphenation?: 'word' | 'compound';
}

export interface Word {
  text: string;
  box: Box;
  /** 0-1 from recognition, null for text-layer text. */
  confidence: number | null;
  bold?: boolean;
  italic?: boolean;
  /** True when no space stands before it, as before the number of a note. */
  glued?: boolean;
  /** True for a word that is smaller than its line and above it: the number of a note, an exponent. */
  raised?: boolean;
  /** The target of a link: an address of the web or of electronic mail. */
  link?: string;
  /** True when the space before it is much wider than between words, as between the cells of a row. */
  apart?: boolean;
}

/** A note for the reader of the result; without a page, on the whole document. */
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
