import type { PageLine } from '../../../model/page.js';
import { parseMarker } from '../markers.js';
import { isWide } from './line-room.js';
import { lineText } from './lines.js';

/** True when the line has wide space in it that neither a list marker nor the number of a clause or note explains. */
export function hasCells(line: PageLine): boolean {
  if (line.apart.size === 0) return false;
  if (line.apart.size > 1) return true;
  const marker = parseMarker(line.words);
  return marker === undefined ? !beginsClause(line) : !line.apart.has(marker.wordCount);
}

/** The words between the wide spaces of a line, part by part. */
export function partsOf({ words, apart }: PageLine): PageLine['words'][] {
  const starts = [0, ...apart].sort((a, b) => a - b);
  return starts.map((start, index) => words.slice(start, starts[index + 1]));
}

const CLAUSE = /^\d{1,2}(?:\.\d{1,2})+\.?$/;
/** The number of a paragraph of a court’s opinion, in the margin, or of a law. */
const PARAGRAPH = /^\[?[¶§]+ ?\d{1,4}(?:\.\d{1,3})*\]?$/;
const NOTE = /^(?:\d{1,3}|[*∗†‡§¶‖]{1,3}|[a-z])$/;

/**
 * True when wide space parts only its number from a line of prose, as in "14.1. Notices. All notices must be in
 * writing" and "¶ 3  The court held", or in a note.
 */
export const beginsClause = (line: PageLine): boolean => {
  const length = line.apart.has(2) ? 2 : 1;
  const [number, word] = [line.words[0], line.words[length]];
  if (number === undefined || word === undefined || !line.apart.has(length) || !isWide(line)) return false;
  const text = lineText({ words: line.words.slice(0, length) });
  if (!(number.raised ? NOTE : CLAUSE).test(text) && !PARAGRAPH.test(text)) return false;
  return /^[\p{Lu}\p{Pi}\p{Ps}"']/u.test(word.text);
};

/** Largest gap between two words of a sentence, in ems. */
const MAX_WORD_GAP_EM = 2.5;

export const hasWideGap = ({ apart, words, fontSize }: PageLine): boolean =>
  [...apart].some((index) => (words[index]?.x0 ?? 0) - (words[index - 1]?.x1 ?? 0) > fontSize * MAX_WORD_GAP_EM);

/** Gap between a term and its meaning, in ems: more than justified lines have between words. */
const MIN_TERM_GAP_EM = 0.6;

/** True when the line stands under the meaning of the term that the first line begins with. */
export function hangsUnderMeaning(line: PageLine, { words, apart, fontSize }: PageLine): boolean {
  if (apart.size > 1) return false;
  const at = words.findIndex(
    ({ x0 }, index) => index > 0 && x0 - (words[index - 1]?.x1 ?? x0) > fontSize * MIN_TERM_GAP_EM,
  );
  return at > 0 && Math.abs(line.x0 - (words[at]?.x0 ?? 0)) < fontSize * 0.2;
}
