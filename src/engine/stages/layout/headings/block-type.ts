import type { PageBlock } from '../../../model/page.js';
import { roundSize } from '../lines/line-pitch.js';
import { isBold, lineText } from '../lines/lines.js';
import { parseMarker } from '../markers.js';

/** A longer block is no heading. */
export const MAX_HEADING_CHARACTERS = 200;

/** The size of the largest line of a block. */
export const blockSize = ({ lines }: PageBlock): number =>
  roundSize(lines.reduce((largest, { fontSize }) => Math.max(largest, fontSize), -Infinity));

/** The type that a block is set in, as a key: its size and weight. */
export const typeOf = (block: PageBlock): string => `${blockSize(block)}/${block.lines.every(isBold)}`;

export const hasBullet = ({ lines: [first] }: PageBlock): boolean => parseMarker(first?.words ?? [])?.ordered === false;

const OPENING = /^(abstract|a b s t r a c t|résumé|zusammenfassung|(1|i)\.? introduction)[.:—–-]?$/i;

/** True for the title of an article's abstract or introduction. */
export const isOpening = ({ lines: [line, second] }: PageBlock): boolean =>
  line !== undefined && second === undefined && line.words.length < 14 && OPENING.test(lineText(line));

/** The type of a document that tells its headings: what most of its text is set in. */
export interface HeadingScale {
  bodySize: number;
  bodyBold: boolean;
  /** Types that paragraphs are set in, the body's and others: a short block in them is no heading. */
  proseTypes: ReadonlySet<string>;
  /** Titles that their type does not tell, by the depth that their numbers say; 0 without a number. */
  placedTitles: ReadonlyMap<PageBlock, number>;
  /** True where several blocks are a day each, as in a programme. */
  hasDays: boolean;
}
