import type { PageLine } from '../../../model/page.js';
import { parseMarker } from '../markers.js';
import { isWide } from './line-room.js';

/** Has the line wide space in it that neither a list marker nor the number of a clause or note explains? */
export function hasCells(line: PageLine): boolean {
  if (line.apart.size === 0) return false;
  if (line.apart.size > 1) return true;
  const marker = parseMarker(line.words);
  return marker === undefined ? !beginsClause(line) : !line.apart.has(marker.wordCount);
}

const CLAUSE = /^\d{1,2}(?:\.\d{1,2})+\.?$/;
const NOTE = /^(?:\d{1,3}|[*∗†‡§¶‖]{1,3}|[a-z])$/;

/** Is its number all that wide space parts from a line of prose, as in "14.1.   Notices. All notices must be in writing", or in a note? */
const beginsClause = (line: PageLine): boolean => {
  const [number, word] = line.words;
  if (number === undefined || word === undefined || !line.apart.has(1) || !isWide(line)) return false;
  if (!(number.raised ? NOTE : CLAUSE).test(number.text)) return false;
  return /^[\p{Lu}\p{Pi}\p{Ps}"']/u.test(word.text);
};

/** In ems, between two words of a sentence. */
const MOST_GAP = 2.5;

export const hasWideGap = ({ apart, words, fontSize }: PageLine): boolean =>
  [...apart].some((index) => (words[index]?.x0 ?? 0) - (words[index - 1]?.x1 ?? 0) > fontSize * MOST_GAP);

/** In ems, between a term and what it means: more than justified lines have between words. */
const TERM_GAP = 0.6;

/** Stands the line under what explains the term that the first one begins with? */
export function hangsUnderMeaning(line: PageLine, { words, apart, fontSize }: PageLine): boolean {
  if (apart.size > 1) return false;
  const at = words.findIndex(({ x0 }, index) => index > 0 && x0 - (words[index - 1]?.x1 ?? x0) > fontSize * TERM_GAP);
  return at > 0 && Math.abs(line.x0 - (words[at]?.x0 ?? 0)) < fontSize * 0.2;
}
