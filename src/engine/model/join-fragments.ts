import { createFragment } from './fragment.js';
import { splitWhere } from './groups.js';
import { findJustified } from './justified-lines.js';
import type { Fragment, PageWord } from './page.js';
import { isDots, isPage } from './page-references.js';
import { findLinesFromLeft, hasLetter, isRtl, orderLines } from './text-direction.js';

/** A gap wider than any space between two words of a sentence; narrower gutters are not seen. */
export const WIDE_GAP_EM = 1;
/** Two spaces of fixed pitch are narrower: after a sentence, or behind the shorter of two words below each other. */
const WIDE_GAP_OF_FIXED_PITCH_EM = 1.5;

/** Joins words that follow each other in the content stream to fragments. */
export function joinFragments(words: readonly PageWord[]): Fragment[] {
  const rtl = words.some(({ text }) => isRtl(text));
  const justified = findJustified(words);
  const fragments = splitWhere(rtl ? orderLines(words) : words, (word, last, run) => {
    if (justified.has(word)) return false;
    return word.beginsCell === true || !follows(last, word) || endsContentsEntry(last, run.at(-2));
  }).map(createFragment);
  if (rtl) {
    const runsFromLeft = findLinesFromLeft(fragments.map((fragment) => fragment.words));
    for (const fragment of fragments) if (runsFromLeft(fragment.words)) fragment.direction = 'ltr';
  }
  return fragments;
}

/** Dots of a leader in one word; an ellipsis has fewer. */
const MIN_LEADER_DOTS = 6;

/** True for the number at the end of an entry of a table of contents: text behind it belongs to the next column, however close it stands. */
const endsContentsEntry = ({ text }: PageWord, before: PageWord | undefined): boolean =>
  before !== undefined && before.text.length >= MIN_LEADER_DOTS && isDots(before.text) && isPage(text);

function follows(last: PageWord, next: PageWord): boolean {
  const size = Math.max(last.fontSize, next.fontSize, 1);
  if (Math.abs(last.baseline - next.baseline) > size * 0.3) return false;
  const rtl = isRtl(last.text) || isRtl(next.text);
  const forward = next.x0 - last.x1;
  const backward = last.x0 - next.x1;
  const gap = rtl && backward > -size ? backward : forward;
  const wide = last.monospaced && next.monospaced ? WIDE_GAP_OF_FIXED_PITCH_EM : WIDE_GAP_EM;
  // Swashes of Arabic reach over the sign behind them.
  return gap > -size * (rtl ? 1 : 0.5) && gap < widestSpace(last, next) * wide;
}

/** Widest space of a title that smaller type follows. */
const TITLE_SPACE_EM = 0.6;

/** The type that a space is measured by: text beside the title of another column is no part of it, however large the title is. */
const widestSpace = (last: PageWord, next: PageWord): number =>
  Math.max(next.fontSize, last.fontSize * (isTitleBefore(last, next) ? TITLE_SPACE_EM : 1), 1);

const isTitleBefore = (last: PageWord, next: PageWord): boolean =>
  next.fontSize < last.fontSize * 0.8 && hasLetter(last) && hasLetter(next);
