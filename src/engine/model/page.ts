import type { Bend } from './bend.js';
import type { Area } from './geometry.js';
import type { Sheet } from './sheet.js';

// What a page is made of while it is laid out, from the word to the block.

/** A word while the page is being laid out: absolute units (points or pixels), upright, from the top left. */
export interface PageWord {
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
  words: PageWord[];
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
  block?: PageBlock;
}

/** A line: fragments on one base line, in reading direction. */
export interface PageLine extends Fragment {
  /** Indices of words before which there is a gap wider than between words. */
  apart: Set<number>;
}

/** Lines that belong together, before what they are (heading, paragraph, list item) is known. */
export interface PageBlock {
  lines: PageLine[];
  /** Where the page's layout has shown it already. */
  kind?: 'header' | 'footer' | 'table' | 'paragraph' | 'figure';
  table?: PageTable;
  /** Of a figure, which has no lines. */
  area?: Area;
  /** What stands in a box, in whose place this is. */
  boxed?: PageBlock[];
  /** Stands in a drawn frame, as the words of a drawing do. */
  framed?: boolean;
  /** Set in another direction than the text of the page, which it is no part of. */
  turned?: boolean;
  /** Lines of a program: their breaks and indents are a part of the text. */
  code?: boolean;
}

/** A table before it is a block of the model; rows and columns count from 0. */
export interface PageTable {
  rows: number;
  columns: number;
  cells: PageCell[];
}

export interface PageCell {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  /** Empty where nothing is in it. */
  lines: PageLine[];
  /** Where rules are drawn around it. */
  area?: Area;
}

/** The blocks of one page before their kinds are known: those depend on the type of the whole document. */
export interface PageLayout {
  width: number;
  height: number;
  blocks: PageBlock[];
  /** Lines that are drawn on it, of a recognised page; level or upright. */
  rules?: readonly Area[];
  /** Of a scan that lies aslant: degrees, clockwise, by which all this stands turned about the middle of the page. */
  skew?: number;
  /** Of a scan whose lines are bent: how all this stands bent on the page, before it is turned. */
  bend?: Bend;
  /** Of a photograph: the sheet on which all this stands, bent and turned. */
  sheet?: Sheet;
}

/** What stands on a page, turned so that most of its text stands upright. */
export interface PageContent {
  width: number;
  height: number;
  /** Clockwise turn, in degrees, from the displayed page to the page as it is read. */
  rotation: number;
  /** Upright words, in the order of the content stream. */
  words: PageWord[];
  /** Words of other directions (a stamp along the margin, the head of a narrow column), each direction upright in a frame of its own. */
  turned: TurnedWords[];
  rules: Area[];
  /** Whether these lines were found in a picture of the page. */
  traced?: boolean;
  images: Area[];
  /** Rectangles filled with a colour. */
  shades: Area[];
}

export interface TurnedWords {
  words: PageWord[];
  /** Clockwise turn of their glyphs on the displayed page, in degrees; oblique ones are turned about its middle. */
  angle: number;
  /** From the frame of these words to the page's. */
  toPage(area: Area): Area;
}
