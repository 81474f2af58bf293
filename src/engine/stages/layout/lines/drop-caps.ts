import { createFragment } from '../../../model/fragment.js';
import type { Fragment } from '../../../model/page.js';

/** A page of single letters, as a puzzle is, has no drop caps: each would be compared with all the others. */
const MAX_CAPS = 20;
/** Smallest ratio of a drop cap's size to the text's. */
const MIN_CAP_RATIO = 1.8;
/** Gap between the letter and the lines beside it, in ems of the text. */
const MAX_CAP_GAP_EM = 1.2;
const CAPITAL_HEIGHT = 0.7;
const CAP = /^[“"‘'«„]?\p{Lu}$/u;

/** Joins the large letters that paragraphs begin with, several lines high, to the words that they begin. */
export function joinDropCaps(fragments: Fragment[]): Fragment[] {
  const caps = fragments.filter(({ words: [word, second] }) => second === undefined && CAP.test(word?.text ?? ''));
  if (caps.length > MAX_CAPS) return fragments;
  const joined = new Map<Fragment, Fragment | undefined>();
  for (const cap of caps) {
    const line = lineBeside(cap, fragments);
    if (line === undefined) continue;
    joined.set(cap, undefined);
    joined.set(line, beginWith(cap, line, fragments));
  }
  if (joined.size === 0) return fragments;
  return fragments.flatMap((fragment) => (joined.has(fragment) ? (joined.get(fragment) ?? []) : fragment));
}

const topOf = ({ baseline, fontSize }: Fragment): number => baseline - fontSize * CAPITAL_HEIGHT;

/** The first of the lines that stand right beside the letter, from its top to its foot. */
function lineBeside(cap: Fragment, fragments: readonly Fragment[]): Fragment | undefined {
  const beside = fragments.filter(
    ({ x0, baseline, fontSize }) =>
      cap.fontSize > fontSize * MIN_CAP_RATIO &&
      x0 > cap.x1 - fontSize * 0.3 &&
      x0 < cap.x1 + fontSize * MAX_CAP_GAP_EM &&
      baseline > topOf(cap) &&
      baseline < cap.baseline + fontSize * 0.3,
  );
  const [first, second] = beside.sort((a, b) => a.baseline - b.baseline);
  if (first === undefined || second === undefined) return undefined;
  // Text that a letter names, as the part of a figure, begins with a capital of its own.
  return /^(\p{Ll}|[’']|\p{Lu}+\p{P}*$)/u.test(first.words[0]?.text ?? '') ? first : undefined;
}

/** The line with its letter. The first word keeps its box: it stays at the left of the lines below it. */
function beginWith(cap: Fragment, line: Fragment, fragments: readonly Fragment[]): Fragment {
  const [first, ...rest] = line.words;
  const [letter] = cap.words;
  if (first === undefined || letter === undefined) return line;
  const whole = letter.text + first.text;
  // "A" and "I" may be words of their own: the page tells, where it has the rest as a word elsewhere.
  const isApart = /^[AI]$/.test(letter.text) && count(first.text, fragments) > 1 && count(whole, fragments) === 0;
  const words = isApart
    ? [{ ...first, text: letter.text, x0: letter.x0, x1: letter.x1 }, first, ...rest]
    : [{ ...first, text: whole }, ...rest];
  return createFragment(words, line.order);
}

function count(text: string, fragments: readonly Fragment[]): number {
  const sought = text.toLowerCase();
  return fragments.flatMap(({ words }) => words).filter((word) => word.text.toLowerCase() === sought).length;
}
