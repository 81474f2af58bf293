import type { LaidLine } from './laid.js';
import { parseMarker } from './markers.js';

/** Has the line wide space in it that a list marker does not explain? */
export function hasCells(line: LaidLine): boolean {
  if (line.apart.size === 0) return false;
  const marker = parseMarker(line.words);
  return line.apart.size > 1 || marker === undefined || !line.apart.has(marker.wordCount);
}

/** In ems, between two words of a sentence. */
const MOST_GAP = 2.5;

export const hasWideGap = ({ apart, words, fontSize }: LaidLine): boolean =>
  [...apart].some((index) => (words[index]?.x0 ?? 0) - (words[index - 1]?.x1 ?? 0) > fontSize * MOST_GAP);

/** In ems, between a term and what it means: more than justified lines have between words. */
const TERM_GAP = 0.6;

/** Stands the line under what explains the term that the first one begins with? */
export function hangsUnderMeaning(line: LaidLine, { words, apart, fontSize }: LaidLine): boolean {
  if (apart.size > 1) return false;
  const at = words.findIndex(({ x0 }, index) => index > 0 && x0 - (words[index - 1]?.x1 ?? x0) > fontSize * TERM_GAP);
  return at > 0 && Math.abs(line.x0 - (words[at]?.x0 ?? 0)) < fontSize * 0.2;
}
