import { createFragment } from '../../../model/fragment.js';
import type { Area } from '../../../model/geometry.js';
import type { Fragment, PageBlock, PageWord } from '../../../model/page.js';
import { hasLetter, isRtl } from '../../../model/text-direction.js';
import { isDots, isPage } from '../page-references.js';
import { isSetFromLeft, orderLines } from './directions.js';

/** A gap that no space between two words of a sentence has, in ems; narrower gutters than this are not seen. */
export const WIDE_GAP_EM = 1;
/** Two spaces of fixed pitch, as after a sentence or the shorter of two words below each other, are less. */
const WIDE_GAP_OF_FIXED_PITCH_EM = 1.5;

/** Joins words that follow each other in the content stream to fragments. */
export function joinFragments(words: readonly PageWord[]): Fragment[] {
  const fragments: Fragment[] = [];
  let current: PageWord[] = [];
  const rtl = words.some(({ text }) => isRtl(text));
  for (const word of rtl ? orderLines(words) : words) {
    const last = current.at(-1);
    if (last !== undefined && (!follows(last, word) || isLedTo(last, current.at(-2)))) {
      fragments.push(createFragment(current, fragments.length));
      current = [];
    }
    current.push(word);
  }
  if (current.length > 0) fragments.push(createFragment(current, fragments.length));
  if (rtl && isSetFromLeft(fragments.map((fragment) => fragment.words)))
    for (const fragment of fragments) fragment.direction = 'ltr';
  return fragments;
}

/** Dots in one word; an ellipsis has fewer. */
const LEAST_LEADING = 6;

/** Is it the number at the end of an entry of a table of contents? What stands behind that is of the next column, however close. */
const isLedTo = ({ text }: PageWord, before: PageWord | undefined): boolean =>
  before !== undefined && before.text.length >= LEAST_LEADING && isDots(before.text) && isPage(text);

function follows(last: PageWord, next: PageWord): boolean {
  const size = Math.max(last.fontSize, next.fontSize, 1);
  if (Math.abs(last.baseline - next.baseline) > size * 0.3) return false;
  const rtl = isRtl(last.text) || isRtl(next.text);
  const forward = next.x0 - last.x1;
  const backward = last.x0 - next.x1;
  const gap = rtl && backward > -size ? backward : forward;
  const wide = last.monospaced && next.monospaced ? WIDE_GAP_OF_FIXED_PITCH_EM : WIDE_GAP_EM;
  return gap > -size * 0.5 && gap < widestSpace(last, next) * wide;
}

/** Of the title alone where smaller type follows. */
const SPACE_OF_TITLE = 0.6;

/** What stands beside the title of another column is no part of it, however large the title is. */
const widestSpace = (last: PageWord, next: PageWord): number =>
  Math.max(next.fontSize, last.fontSize * (isTitleBefore(last, next) ? SPACE_OF_TITLE : 1), 1);

const isTitleBefore = (last: PageWord, next: PageWord): boolean =>
  next.fontSize < last.fontSize * 0.8 && hasLetter(last) && hasLetter(next);

/** What has been made out already (a table, a box of text) and fills the area, as one piece for the order of reading. */
export function standFor(words: PageWord[], block: PageBlock, { x0, y0, x1, y1 }: Area, order = 0): Fragment {
  const fragment = createFragment(words, order);
  return { ...fragment, x0, y0, x1, y1, baseline: y0 + fragment.fontSize * 0.8, block };
}

/** Dots that lead the eye from an entry to its number. */
export const isLeader = ({ leader }: PageWord): boolean => leader === true;

/** What leaders lead to: a page, an amount. */
const LED_TO = /^[($€£]*(\d[\d.,:/-]*|[ivxlc]+)[)%€]*$/i;
const MOST_WORDS_AFTER = 2;
/** So many dots lead to all that comes after them. */
const LONG_LEADER = 10;

/** Marks runs of dots, whether they are words or the letters of one, where a number ends the line after them. */
export function markLeaders(words: readonly PageWord[]): void {
  const end = words.length - 1;
  if (!LED_TO.test(words[end]?.text ?? '')) return;
  let from = 0;
  let reached = false;
  let dots = 0;
  let last = -2;
  words.forEach((word, index) => {
    if (/^[.·…]{4,}$/.test(word.text)) word.leader = true;
    if (!/^[.·…]$/.test(word.text)) from = index + 1;
    else if (index - from >= 2) for (const dot of words.slice(from, index + 1)) dot.leader = true;
    if (!word.leader) return;
    dots = index === last + 1 ? dots + word.text.length : word.text.length;
    last = index;
    reached ||= dots >= LONG_LEADER || end - index <= MOST_WORDS_AFTER;
  });
  if (!reached) for (const word of words) delete word.leader;
}
