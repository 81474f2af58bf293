import type { PageWord } from './page.js';

/** Spaces of a justified line, at least: fewer are equal by chance. */
const MIN_SPACES = 3;
/** Narrower spaces, in ems, part no words. */
const MIN_SPACE_EM = 0.9;
/** Difference of the spaces of one line, in ems, and of the widths of its words: words of one width stand as far apart in columns. */
const MAX_SPREAD_EM = 0.04;
const MIN_WIDTH_SPREAD_EM = 1;
/** Difference of base lines that are one, in ems. */
const LEVEL_EM = 0.05;

/**
 * Finds the words that stand behind wide spaces of a justified line, all of them equally wide. Cells do not: words of
 * several widths that begin or end level in columns have spaces of several widths between them.
 */
export function findJustified(words: readonly PageWord[]): Set<PageWord> {
  const justified = new Set<PageWord>();
  let run: PageWord[] = [];
  const finish = (next: PageWord[]) => {
    if (run.length > MIN_SPACES && haveSeveralWidths(run) && isProse(run))
      for (const word of run.slice(1)) justified.add(word);
    run = next;
  };
  for (const word of words) {
    const last = run.at(-1);
    const space = spaceBetween(last, word);
    if (last === undefined || !(space > word.fontSize * MIN_SPACE_EM)) finish([]);
    // A line may begin with the last word of the one in the column before.
    else if (Math.abs(space - spaceBetween(run[0], run[1] ?? word)) > word.fontSize * MAX_SPREAD_EM) finish([last]);
    run.push(word);
  }
  finish([]);
  return justified;
}

/** Returns the space before a word; not a number where it stands on another line than the one before it, or left of it. */
function spaceBetween(before: PageWord | undefined, word: PageWord): number {
  if (before === undefined || Math.abs(before.baseline - word.baseline) > word.fontSize * LEVEL_EM) return Number.NaN;
  return word.x0 >= before.x1 ? word.x0 - before.x1 : Number.NaN;
}

/** True when most words begin with a small letter, as those of a sentence do. */
const isProse = (words: readonly PageWord[]): boolean =>
  words.filter(({ text }) => /^\p{Ll}/u.test(text)).length * 2 > words.length;

function haveSeveralWidths(words: readonly PageWord[]): boolean {
  const widths = words.map(({ x0, x1 }) => x1 - x0);
  return Math.max(...widths) - Math.min(...widths) > (words[0]?.fontSize ?? 0) * MIN_WIDTH_SPREAD_EM;
}
