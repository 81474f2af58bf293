/** The parts of a document that a page for the browser shows, whatever function its result is from. */
export interface DocumentView {
  pages: PageView[];
  /** Words that recognition is not sure of. */
  unsureCount: number;
  /** A result without pages, as text; undefined where the pages show it all. */
  rest?: string;
}

export interface PageView {
  number: number;
  /** The size in any unit; undefined where the result does not say. */
  size?: { width: number; height: number };
  /** Degrees, clockwise, by which the displayed page was turned to be read. */
  rotation: number;
  /** The origin of the text, in the words of the result. */
  source?: string;
  blocks: BlockView[];
  /** A box for each piece of text that has one. */
  hasBoxes: boolean;
}

export type BlockView =
  | { kind: 'heading'; level: number; lines: PieceView[] }
  | { kind: 'paragraph' | 'list-item' | 'footnote' | 'running'; lines: PieceView[] }
  | { kind: 'figure'; box: BoxView | undefined }
  | { kind: 'table'; rows: CellView[][] }
  | { kind: 'plain'; text: string };

/** A text that has one box: a line, or a cell of a table. */
export interface PieceView {
  runs: RunView[];
  box: BoxView | undefined;
  isRightToLeft: boolean;
}

export interface CellView extends PieceView {
  rowSpan: number;
  columnSpan: number;
}

export interface RunView {
  text: string;
  /** Present for a word that recognition is not sure of. */
  unsure?: { confidence: number; box: BoxView | undefined };
}

/** Shares of the page, from its top left. */
export interface BoxView {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}
