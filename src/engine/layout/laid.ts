import type { Area } from '../pdf/read-drawing.js';

// What a page is made of while it is laid out, from the word to the block.

/** A word while the page is being laid out: absolute units (points or pixels), upright, from the top left. */
export interface PlacedWord {
  text: string;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  /** y of the base line. */
  baseline: number;
  fontSize: number;
  bold: boolean;
  italic: boolean;
  confidence: number | null;
  /** No space stands before it. */
  glued?: boolean;
  /** Smaller than its line and above it: a note's number, an exponent. */
  raised?: boolean;
  /** Its characters are not what is seen (Wingdings and its like). */
  pictorial?: boolean;
  monospaced?: boolean;
  /** Which of the page's typefaces it is set in, from 1, where that is known. */
  face?: number;
  leader?: boolean;
  /** Where it leads to. */
  link?: string;
  /** The drawn box that it stands in, of those that make no table: text does not run on from one to the next. */
  box?: Area;
}

/** Words that follow each other on one base line without a wide gap: what no column or cell border parts. */
export interface Fragment {
  words: PlacedWord[];
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  baseline: number;
  fontSize: number;
  direction: 'ltr' | 'rtl';
  /** Place in the content stream. */
  order: number;
  /** What it stands for, when that has been made out before the order of reading (a table). */
  block?: LaidBlock;
}

/** A line: fragments on one base line, in reading direction. */
export interface LaidLine extends Fragment {
  /** Indices of words before which there is a gap wider than between words. */
  apart: Set<number>;
}

/** Lines that belong together, before what they are (heading, paragraph, list item) is known. */
export interface LaidBlock {
  lines: LaidLine[];
  /** Where the page's layout has shown it already. */
  kind?: 'header' | 'footer' | 'table' | 'paragraph' | 'figure';
  table?: LaidTable;
  /** Of a figure, which has no lines. */
  area?: Area;
  /** What stands in a box, in whose place this is. */
  boxed?: LaidBlock[];
  /** Stands in a drawn frame, as the words of a drawing do. */
  framed?: boolean;
  /** Set in another direction than the text of the page, which it is no part of. */
  turned?: boolean;
  /** Lines of a program: their breaks and indents are a part of the text. */
  code?: boolean;
}

/** A table before it is a block of the model; rows and columns count from 0. */
export interface LaidTable {
  rows: number;
  columns: number;
  cells: LaidCell[];
}

export interface LaidCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  /** Empty where nothing is in it. */
  lines: LaidLine[];
  /** Where rules are drawn around it. */
  area?: Area;
}
