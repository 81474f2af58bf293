import { logOdds, shareOf } from '../../model/log-odds.js';
import type { PageBlock } from '../../model/page.js';

/**
 * The log odds that a word is right are a line of those that the readings give it. Readings err alike, so that what they agree
 * on is less sure than if each of them erred for itself: of words with .99 some .87 are right. Fitted by logistic regression
 * to 5,874 words of receipts, forms and charts (Platt 1999, section 2); `npm run bench -- scan-quality` prints what is left.
 */
const BIAS = -0.8;
const SLOPE = 0.6;
/** Doubt that no number of readings takes away. */
const MIN_DOUBT = 1e-4;

/** Returns the blocks of a page that was read more than once, each word with the confidence that it deserves. */
export const calibrate = (blocks: readonly PageBlock[]): PageBlock[] =>
  blocks.map((block) => ({
    ...block,
    lines: block.lines.map((line) => ({
      ...line,
      words: line.words.map((word) => ({
        ...word,
        confidence: word.confidence === null ? null : deserved(word.confidence),
      })),
    })),
  }));

const deserved = (confidence: number): number => shareOf(BIAS + SLOPE * boundedLogOdds(confidence));

/** Returns the log odds of a confidence, bounded: no word is certain. */
export const boundedLogOdds = (confidence: number): number =>
  logOdds(Math.min(1 - MIN_DOUBT, Math.max(MIN_DOUBT, confidence)));
