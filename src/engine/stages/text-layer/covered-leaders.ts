import { extentOf, middleOf, type Span } from '../../model/geometry.js';
import { splitWhere } from '../../model/groups.js';
import { WIDE_GAP_EM } from '../../model/join-fragments.js';
import type { PageWord } from '../../model/page.js';
import { isDots } from '../../model/page-references.js';

/** Words on one base line differ by less, in ems. */
const SAME_LINE_EM = 0.3;
/** Fewer dots are an ellipsis, or a leader that is too short to be covered by text. */
const MIN_DOTS = 10;
/** Widest space between the words of a title. */
const MAX_SPACE_EM = 0.6;
/** Shorter ends of leaders that touch text, or go on behind it, are dots of another font than the one that was meant. */
const MIN_COVERED_EM = 1.5;
/** Smaller type stands on a leader as a sign: "ADD" in a dark arrow. */
const MIN_SIZE_RATIO = 0.8;

/**
 * Cuts the dots of leaders that are not seen. Style sheets have no leaders of their own: pages for browsers set a row of
 * dots right across, below the title and the number, which cover it, and cut it off where it is too long. What is seen
 * begins where the title ends and ends where the next text begins.
 */
export function cutCoveredLeaders(words: PageWord[]): PageWord[] {
  if (!words.some(({ text }) => isDots(text))) return words;
  const leaders = splitWhere(
    words,
    (word, last) => !isDots(word.text) || !isDots(last.text) || !goesOn(last, word),
  ).filter((run) => isDots(run[0].text) && countDots(run) >= MIN_DOTS);
  const shown = new Map<PageWord, PageWord | undefined>();
  for (const leader of leaders) {
    const visible = visibleSpan(leader, words);
    if (visible === undefined) continue;
    for (const word of leader) shown.set(word, cutDots(word, visible));
  }
  if (shown.size === 0) return words;
  return words.flatMap((word) => (shown.has(word) ? (shown.get(word) ?? []) : word));
}

const areLevel = (a: PageWord, b: PageWord): boolean =>
  Math.abs(a.baseline - b.baseline) < Math.min(a.fontSize, b.fontSize) * SAME_LINE_EM;

function goesOn(last: PageWord, dot: PageWord): boolean {
  const gap = dot.x0 - last.x1;
  return areLevel(last, dot) && gap > -dot.fontSize && gap < dot.fontSize * WIDE_GAP_EM;
}

const countDots = (leader: readonly PageWord[]): number => leader.reduce((count, { text }) => count + text.length, 0);

/** Returns the part of a leader that no text covers; undefined when it is seen whole. */
function visibleSpan(leader: readonly [PageWord, ...PageWord[]], words: readonly PageWord[]): Span | undefined {
  const [first] = leader;
  const { x1 } = leader.at(-1) ?? first;
  const em = first.fontSize;
  const step = (x1 - first.x0) / countDots(leader);
  const texts = words
    .filter((word) => word.x1 > first.x0 && word.x0 < x1 && areLevel(word, first) && !isDots(word.text))
    .filter(({ fontSize }) => fontSize > em * MIN_SIZE_RATIO)
    .sort((a, b) => a.x0 - b.x0);
  const spans = splitWhere(texts, (word, last) => word.x0 - last.x1 > em * MAX_SPACE_EM).map(extentOf);
  const title = spans.find((span) => span.x0 < first.x0 + step && span.x1 > first.x0 + em * MIN_COVERED_EM);
  const begin = title?.x1 ?? first.x0;
  const target = spans.find((span) => span.x0 > begin && middleOf(span) < x1);
  const goesFar = target !== undefined && x1 - target.x1 > em * MIN_COVERED_EM;
  if (title === undefined && !goesFar) return undefined;
  return { x0: begin, x1: target?.x0 ?? x1 };
}

/** Returns the dots of a word that lie within the span. */
function cutDots(word: PageWord, { x0, x1 }: Span): PageWord | undefined {
  const step = (word.x1 - word.x0) / word.text.length;
  const from = Math.max(0, Math.ceil((x0 - word.x0) / step));
  const to = Math.min(word.text.length, Math.floor((x1 - word.x0) / step));
  if (from >= to) return undefined;
  if (to - from === word.text.length) return word;
  return { ...word, text: word.text.slice(from, to), x0: word.x0 + from * step, x1: word.x0 + to * step };
}
