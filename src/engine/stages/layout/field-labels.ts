import type { PageLine } from '../../model/page.js';

/** Words of a label, with the colon. */
const MAX_LABEL_WORDS = 4;

/**
 * Number of the words of the label that the line begins with, its colon included, where the labelled text stands
 * beside it; 0 without one.
 */
export function labelLength({ words }: Pick<PageLine, 'words'>): number {
  const at = words.slice(0, MAX_LABEL_WORDS).findIndex(({ text }) => text.endsWith(':') || text.endsWith('：'));
  return at < words.length - 1 && /^\p{Lu}/u.test(words[0]?.text ?? '') ? at + 1 : 0;
}

export const isField = (line: Pick<PageLine, 'words'>): boolean => labelLength(line) > 0;
