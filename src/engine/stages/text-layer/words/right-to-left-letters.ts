import type { RunStyle } from '../fonts/run-style.js';
import type { RawWord } from './raw-word.js';
import type { Glyph } from './read-glyph.js';

/** True for points of Hebrew and vowels of Arabic: they stand over or under a letter. */
export const isMark = (code: number): boolean =>
  (code >= 0x591 && code <= 0x5c7 && code !== 0x5be && code !== 0x5c0 && code !== 0x5c3 && code !== 0x5c6) ||
  (code >= 0x64b && code <= 0x65f) ||
  code === 0x670;

/**
 * True when the mark belongs to the letter. PDFium may give a mark before its letter, with a space before both: it is
 * drawn from the letter's origin, or over it.
 */
export const ownsMarks = ({ originX, x0, x1 }: Readonly<Glyph>, markX: number, atStart: boolean): boolean =>
  originX === markX || (atStart && x0 <= markX && markX <= x1);

/** Spaces are wider, in ems. */
const MAX_GAP_IN_WORD_EM = 0.12;

/** True when a letter of a right-to-left script continues this word, although PDFium saw a space before its mark. */
export function adjoins(word: RawWord | undefined, style: RunStyle, glyph: Readonly<Glyph>): boolean {
  if (word === undefined || word.angle !== style.angle) return false;
  const gap = word.x0 - glyph.x1;
  const most = style.fontSize * MAX_GAP_IN_WORD_EM;
  return Math.abs(gap) < most * 2 && gap < most && Math.abs(word.originY - glyph.originY) < most;
}

export const isRightToLeft = (code: number): boolean => code >= 0x590 && code <= 0x8ff;

let forms: ReadonlySet<string> | undefined;

/**
 * The letters of one glyph in reading order: PDFium turns them about with their line, unless it has them from one of
 * Unicode's presentation forms.
 */
export function orderLigature(letters: string): string {
  forms ??= new Set(
    Array.from({ length: 0xfefd - 0xfb50 }, (_, index) => String.fromCharCode(0xfb50 + index).normalize('NFKC')),
  );
  return forms.has(letters) ? letters : [...letters].reverse().join('');
}
