import type { PageLine } from '../../model/page.js';

/** In words, with the colon. */
const MOST_LABEL = 4;

/** How many words are the label that the line begins with, its colon included, with what it labels beside it; 0 without one. */
export function labelLength({ words }: PageLine): number {
  const at = words.slice(0, MOST_LABEL).findIndex(({ text }) => text.endsWith(':') || text.endsWith('：'));
  return at < words.length - 1 && /^\p{Lu}/u.test(words[0]?.text ?? '') ? at + 1 : 0;
}

export const isField = (line: PageLine): boolean => labelLength(line) > 0;
