import type { Fragment, PageWord } from '../../../model/page.js';

/** As a share of its line's size. */
const MOST_OF_MARK = 0.85;
const MOST_CHARACTERS = 4;
/** Of base lines, in ems of the line. */
const MOST_SHIFT = 0.7;
/** In ems of the line: from the word that the mark belongs to. */
const MOST_GAP = 0.15;
/** Of base lines, in ems of the line. */
const LEVEL = 0.1;
/** Of the narrower of both. */
const MOST_SHARED = 0.4;

/**
 * Rows of fragments, from the top: marks that are set so high or so low that they share no height with their line (the
 * index of an index, the marks of authors) go back into the line whose words they touch.
 */
export function joinShiftedMarks(rows: Fragment[][]): Fragment[][] {
  const joined = new Set<Fragment[]>();
  for (const [index, row] of rows.entries()) {
    if (!row.every(isShort)) continue;
    const line = [rows[index + 1], rows[index + 2], rows[index - 1]].find(
      (other) => other !== undefined && !joined.has(other) && row.every((mark) => isMarkOf(mark, other)),
    );
    if (line === undefined) continue;
    line.push(...row);
    joined.add(row);
  }
  return joined.size === 0 ? rows : rows.filter((row) => !joined.has(row));
}

const isShort = ({ words, block }: Fragment): boolean =>
  block === undefined && words.reduce((sum, { text }) => sum + text.length, 0) <= MOST_CHARACTERS;

function isMarkOf(mark: Fragment, line: readonly Fragment[]): boolean {
  const host = line.find(({ words, block }) => block === undefined && words.some((word) => touches(mark, word)));
  if (host === undefined || mark.fontSize > host.fontSize * MOST_OF_MARK) return false;
  return Math.abs(mark.baseline - host.baseline) < host.fontSize * MOST_SHIFT && standsFree(mark, line);
}

/** Begins the mark where the word ends? */
const touches = (mark: Fragment, word: PageWord): boolean =>
  Math.abs(mark.x0 - word.x1) < word.fontSize * MOST_GAP && /[\p{L}\p{N})\]”"’.,]$/u.test(word.text);

/** Stands none of the line's words over or under the fragment? What is on one base line, or a mark, may stand in the gap of another, and a mark above a comma. */
export const standsFree = (fragment: Fragment, line: readonly Fragment[]): boolean =>
  line.every((other) => !overlaps(fragment, other) || standsInGap(fragment, other) || standsInGap(other, fragment));

function standsInGap(mark: Fragment, host: Fragment): boolean {
  const isLevel = Math.abs(mark.baseline - host.baseline) < host.fontSize * LEVEL;
  if (!isLevel && !(isShort(mark) && mark.fontSize <= host.fontSize * MOST_OF_MARK)) return false;
  return mark.words.every((word) => host.words.every((over) => (!isLevel && isPoint(over)) || !overlaps(word, over)));
}

const isPoint = ({ text }: PageWord): boolean => /^[.,;]$/.test(text);

interface Stretch {
  x0: number;
  x1: number;
}

const overlaps = (a: Stretch, b: Stretch): boolean =>
  Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) >= MOST_SHARED * Math.min(a.x1 - a.x0, b.x1 - b.x0);
