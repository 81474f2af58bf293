import { countCharacters } from '../../../model/fragment.js';
import type { Span } from '../../../model/geometry.js';
import type { Fragment, PageWord } from '../../../model/page.js';
import { parseMarker } from '../markers.js';

/** Largest size of a mark, as a share of its line's size. */
export const MAX_MARK_RATIO = 0.85;
const MAX_MARK_CHARACTERS = 4;
/** Bounds of the distance of the base lines, in ems of the line; the lower one is larger for marks of nearly its size. */
const MAX_MARK_SHIFT_EM = 0.7;
const MIN_MARK_SHIFT_EM = 0.15;
const MIN_NOTE_SHIFT_EM = 0.35;
/** Largest gap to the word that the mark belongs to, in ems of the line. */
const MAX_MARK_GAP_EM = 0.15;
/** Largest gap between the mark of a note and its text, in ems of the text. */
const MAX_NOTE_GAP_EM = 0.6;
/** Largest distance of a mark and a word that no space separates, in ems of the word. */
const MAX_GLUED_GAP_EM = 0.05;
/** Distance of base lines that are still level, in ems of the line. */
const MAX_LEVEL_DIFFERENCE_EM = 0.1;
/** Distance of the beginnings of two indices of one slanted sign, in ems of theirs. */
const MAX_STACK_SHIFT_EM = 0.5;
/** Largest overlap, as a share of the narrower one. */
const MAX_OVERLAP_SHARE = 0.4;

/**
 * Rows of fragments, from the top → rows in which marks that are set so high or so low that they share no height with
 * their line (the index of an index, the marks of authors) stand in the line whose words they touch: all of a row, or
 * those that the text layer joins to a word.
 */
export function joinShiftedMarks(rows: Fragment[][]): Fragment[][] {
  const left = [...rows];
  for (const [index, whole] of rows.entries()) {
    if (!whole.every(isShort)) continue;
    for (const line of [left[index + 1], left[index + 2], left[index - 1]]) {
      const row = left[index] ?? [];
      if (line === undefined || line.length === 0) continue;
      const marks = row.filter((mark) => isMarkOf(mark, line));
      const moved = marks.length === row.length ? marks : marks.filter(({ words }) => words[0]?.glued);
      if (moved.length === 0) continue;
      line.push(...moved);
      left[index] = row.filter((fragment) => !moved.includes(fragment));
    }
  }
  return left.filter((row) => row.length > 0);
}

const isShort = (fragment: Fragment): boolean =>
  fragment.block === undefined && countCharacters(fragment) <= MAX_MARK_CHARACTERS;

function isMarkOf(mark: Fragment, line: readonly Fragment[]): boolean {
  const host = line.find(({ words, block }) => block === undefined && words.some((word) => touches(mark, word)));
  if (host === undefined) return leads(mark, line) || isBulletOf(mark, line);
  if (!(mark.words[0]?.glued || mark.fontSize <= host.fontSize * MAX_MARK_RATIO)) return false;
  return Math.abs(mark.baseline - host.baseline) < host.fontSize * MAX_MARK_SHIFT_EM && standsFree(mark, line);
}

/** True for the bullet of a line that a raised sign, which reaches down to the bullet, has put into a row of its own. */
function isBulletOf(mark: Fragment, line: readonly Fragment[]): boolean {
  const first = line.reduce((a, b) => (b.x0 < a.x0 ? b : a));
  if (mark.words.length > 1 || mark.x1 > first.x0) return false;
  return isLevel(mark, first) && parseMarker([...mark.words, ...first.words])?.wordCount === 1;
}

const isLevel = (mark: Fragment, host: Fragment): boolean =>
  Math.abs(mark.baseline - host.baseline) < host.fontSize * MAX_LEVEL_DIFFERENCE_EM;

/** True when the mark begins where the word ends. */
const touches = (mark: Fragment, word: PageWord): boolean =>
  Math.abs(mark.x0 - word.x1) < word.fontSize * MAX_MARK_GAP_EM && /[\p{L}\p{N})\]”"’.,]$/u.test(word.text);

/**
 * True for a word that stands raised in a line of type `size` on `baseline`: a mark, or the number of a note that is hardly
 * smaller than its text but half an em above it.
 */
export function isRaised(word: PageWord, size: number, baseline: number): boolean {
  const rise = baseline - word.baseline;
  if (word.glued || word.fontSize < size * MAX_MARK_RATIO) return rise > size * MIN_MARK_SHIFT_EM;
  return rise > size * MIN_NOTE_SHIFT_EM && isMarkOfNote(word, size);
}

/** True for the number or sign that a note begins with, in smaller type than its text. */
const isMarkOfNote = ({ text, fontSize }: PageWord, size: number): boolean =>
  fontSize < size && /^(\d{1,3}|[*∗†‡§¶]{1,3})$/.test(text);

/** True when a mark stands raised before the first word of the line, or right before one that no space separates from it. */
function leads({ words, baseline, x1 }: Fragment, line: readonly Fragment[]): boolean {
  const left = Math.min(...line.map(({ x0 }) => x0));
  return line.some((host) => {
    const rise = host.baseline - baseline;
    if (host.block !== undefined || rise <= 0 || rise >= host.fontSize * MAX_MARK_SHIFT_EM) return false;
    if (!words.every((word) => isMarkOfNote(word, host.fontSize))) return false;
    const slack = host.fontSize * MAX_GLUED_GAP_EM;
    return host.words.some(({ x0, glued }) =>
      x0 === left ? x0 - x1 > -slack && x0 - x1 < host.fontSize * MAX_NOTE_GAP_EM : glued && Math.abs(x0 - x1) < slack,
    );
  });
}

/**
 * True when none of the line's words stands over or under the fragment. Fragments on one base line, and marks, may
 * stand in the gap of another, and a mark above a comma.
 */
export const standsFree = (fragment: Fragment, line: readonly Fragment[]): boolean =>
  line.every((other) => !overlaps(fragment, other) || standsInGap(fragment, other) || standsInGap(other, fragment));

function standsInGap(mark: Fragment, host: Fragment): boolean {
  const areLevel = isLevel(mark, host);
  if (!areLevel && !(isShort(mark) && mark.fontSize <= host.fontSize * MAX_MARK_RATIO)) return false;
  const isFree = (word: PageWord, other: PageWord) =>
    !overlaps(word, other) || (!areLevel && (isPoint(other) || areStacked(word, other)));
  return mark.words.every((word) => host.words.every((other) => isFree(word, other)));
}

const isPoint = ({ text }: PageWord): boolean => /^[.,;]$/.test(text);

/** True for two indices of one sign. */
const areStacked = (a: PageWord, b: PageWord): boolean =>
  a.fontSize === b.fontSize && Math.abs(a.x0 - b.x0) < a.fontSize * MAX_STACK_SHIFT_EM;

const overlaps = (a: Span, b: Span): boolean =>
  Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) >= MAX_OVERLAP_SHARE * Math.min(a.x1 - a.x0, b.x1 - b.x0);
