import type { PageBlock } from '../../../model/page.js';
import { withoutWords } from '../without-words.js';
import { type JudgedWord, judgeWords } from './judge-words.js';
import { looksHandwritten } from './looks-handwritten.js';
import { type Evidence, measureWords } from './measure-words.js';

/** The handwriting of a page, which is left out. */
export interface Handwriting {
  /** Words that were left out. */
  words: number;
  /** True when most of the page is written by hand. */
  isMost: boolean;
}

/** Mean confidence below which a page may be written by hand as a whole. Printed forms that were filled in have .6 and more. */
export const MAX_POOR_CONFIDENCE = 0.5;
/** Confidence of a word that stays whoever wrote it: several readings agree on it. */
const MIN_SURE_CONFIDENCE = 0.95;
/** Letters of a word that can be sure, on a printed page and on a handwritten one, and of a word that counts as evidence. */
const MIN_SURE_LENGTH = { printed: 2, handwritten: 3 };
const MIN_LENGTH = 3;
/** Log odds from which a word is evidence, and the bound of what one adds. */
const MIN_CLEAR_ODDS = 1;
const MAX_EVIDENCE = 4;
/** Evidence of a page with handwriting: more than one word. Receipts, typefaces that look written and drawings have less. */
const MIN_PAGE_EVIDENCE = 4.2;
/** Evidence by the words of the page: of a newspaper's thousands a few always look written. */
const MIN_EVIDENCE_SHARE = 0.005;

/**
 * Leaves out the words that a pen wrote: what is read there is noise more often than not. A page loses words only if several of
 * them are clearly handwriting, since single words of poor print look like it too.
 */
export function leaveOutHandwriting(evidence: Evidence): { blocks: PageBlock[]; handwriting?: Handwriting } {
  const blocks = [...evidence.blocks];
  const isMost = evidence.meanConfidence < MAX_POOR_CONFIDENCE;
  // A page that poor is all handwriting, or it is something else that is hard to read.
  if (isMost && !looksHandwritten(evidence.raster)) return { blocks };
  const judged = judgeWords(measureWords(evidence));
  const minSureLength = isMost ? MIN_SURE_LENGTH.handwritten : MIN_SURE_LENGTH.printed;
  const isSure = ({ word, length }: JudgedWord) =>
    length >= minSureLength && (word.confidence ?? 1) >= MIN_SURE_CONFIDENCE;
  const clear = judged
    .filter((word) => word.length >= MIN_LENGTH && !isSure(word))
    .reduce((sum, { odds }) => sum + Math.min(MAX_EVIDENCE, Math.max(0, odds - MIN_CLEAR_ODDS)), 0);
  if (!isMost && clear < Math.max(MIN_PAGE_EVIDENCE, judged.length * MIN_EVIDENCE_SHARE)) return { blocks };
  // Signs on a handwritten page are pieces of its strokes and rules.
  const isWritten = (word: JudgedWord) => (word.odds > 0 && !isSure(word)) || (isMost && word.length === 0);
  const written = new Set(judged.filter(isWritten).map(({ word }) => word));
  return { blocks: withoutWords(blocks, (word) => written.has(word)), handwriting: { words: written.size, isMost } };
}
