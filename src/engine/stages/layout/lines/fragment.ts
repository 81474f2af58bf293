import type { PageWord } from '../../../model/page.js';

/** True for the dots of a leader, from an entry to its number. */
export const isLeader = ({ leader }: PageWord): boolean => leader === true;

/** The target of leaders: a page, an amount. */
const LED_TO = /^[($€£]*(\d[\d.,:/-]*|[ivxlc]+)[)%€]*$/i;
const MAX_WORDS_AFTER = 2;
/** A leader of so many dots leads to all the text after it. */
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
    reached ||= dots >= LONG_LEADER || end - index <= MAX_WORDS_AFTER;
  });
  if (!reached) for (const word of words) delete word.leader;
}
