import type { Bend } from './bend.js';
import type { Area, Span } from './geometry.js';
import type { Sheet } from './sheet.js';

// The parts of a page while it is laid out, from the word to the block.

/** A word of a page, in the page's units (points or pixels) from the top left, upright. */
export interface PageWord extends Area {
  text: string;
  /** The y of the base line. */
  baseline: number;
  fontSize: number;
  bold: boolean;
  italic: boolean;
  confidence: number | null;
  /** True when no space stands before it. */
  glued?: boolean;
  /** True for one that begins a cell, though it stands close to the word before. */
  beginsCell?: boolean;
  /** True for a word that is smaller than its line and above it: a note's number, an exponent. */
  raised?: boolean;
  /** True for a part of a formula that stands over or under the others: a limit of a sum, a numerator. */
  stacked?: boolean;
  /** True when its characters are not what is seen (Wingdings and its like). */
  pictorial?: boolean;
  monospaced?: boolean;
  /** True where the PDF marks it as no content of the page, as running heads are. */
  artifact?: boolean;
  /** Number of its typeface on the page, from 1, where that is known. */
  face?: number;
  /** True for dots that lead to a number at the end of the line. */
  leader?: boolean;
  /** The target of a link. */
  link?: string;
  /** The box to check that is drawn beside it. The layout sees the word alone: the box would shift columns. */
  check?: CheckMark;
  /** The drawn box around it, where boxes make no table: text does not run on from one to the next. */
  box?: Area;
}

/** A box to check beside a word: what it shows, and where it stands. */
export interface CheckMark extends Span {
  sign: '☐' | '☑' | '☒';
}

/** A run of words on one base line without a wide gap: no border of a column or a cell parts them. */
export interface Fragment extends Area {
  words: PageWord[];
  baseline: number;
  fontSize: number;
  direction: 'ltr' | 'rtl';
  /** Place in the content stream. */
  order: number;
  /** The block that the fragment stands for: a table that was found before the reading order. */
  block?: PageBlock;
  /** Indices of words before which there is a gap wider than between words. */
  apart?: Set<number>;
  /** True when a recogniser saw a paragraph begin here. */
  beginsParagraph?: boolean;
}

/** A line: fragments on one base line, in reading direction. */
export interface PageLine extends Fragment {
  apart: Set<number>;
}

/** Lines that belong together, before their kind (heading, paragraph, list item) is known. */
export interface PageBlock {
  lines: PageLine[];
  /** The kind, where the page's layout has shown it already. */
  kind?: 'header' | 'footer' | 'table' | 'paragraph' | 'figure';
  table?: PageTable;
  /** The place of a figure, which has no lines. */
  area?: Area;
  /** The blocks inside of a box: this block holds their place in the reading order. */
  boxed?: PageBlock[];
  /** True when it stands in a drawn frame, as the words of a drawing do. */
  framed?: boolean;
  /** True for a line that stands alone on a coloured band, as titles do. */
  banded?: boolean;
  /** True for a line close above a rule that begins with it and goes on behind its end. */
  underlined?: boolean;
  /** True for text in another direction than that of the page, which it is no part of. */
  turned?: boolean;
  /** True for lines of a program: their breaks and indents are a part of the text. */
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
  /** The area between the rules that are drawn around it. */
  area?: Area;
}

/** The blocks of one page in reading order, before their kinds are known: those depend on the type of the whole document. */
export interface PageLayout {
  width: number;
  height: number;
  blocks: PageBlock[];
  distortion?: PageDistortion;
}

/** How the text of a picture lies on the page as it is displayed: bent, then skewed, then on a sheet that was photographed. Plain data, which crosses threads. */
export interface PageDistortion {
  /** Degrees, clockwise, by which the text stands turned about the middle of the page; 0 where absent. */
  skew?: number;
  bend?: Bend;
  sheet?: Sheet;
}

/** The content of a page in reading direction: the one shape in which the text layer and recognition hand a page on to the layout. */
export interface PageContent {
  /** The page as it is read, in points or pixels. */
  width: number;
  height: number;
  /** Upright text: runs of words of a text layer in the order of its content stream, or lines of a recognised page. */
  fragments: Fragment[];
  /** Words of other directions (a stamp along the margin, the head of a narrow column), each direction upright in a frame of its own. */
  turned: TurnedWords[];
  /** Straight lines along the page's sides. */
  rules: readonly Area[];
  images: readonly Area[];
  /** Rectangles filled with a colour. */
  shades: readonly Area[];
  /** Rectangles with round corners, and those filled white: the boxes of cards. */
  boxes?: readonly Area[];
  /** True when everything here was found in a picture: sizes and places are measured, and a rule may be missing. */
  isRecognised: boolean;
  distortion?: PageDistortion;
}

/** Words of one direction that is not the page's. */
export interface TurnedWords {
  words: PageWord[];
  /** Clockwise turn of their glyphs on the displayed page, in degrees; oblique ones are turned about its middle. */
  angle: number;
  /** From the frame of these words to the page's, and back. */
  toPage(area: Area): Area;
  fromPage(area: Area): Area;
}
