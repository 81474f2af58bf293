import { isOblique, turnBack } from '../../../model/page-transform.js';
import type { RunStyle } from '../fonts/run-style.js';
import { lengthOfOblique } from './oblique.js';
import type { PageText } from './page-text.js';
import type { RawWord } from './raw-word.js';
import type { Glyph } from './read-glyph.js';
import { isRightToLeft } from './right-to-left-letters.js';

/** In ems; the narrowest spaces are wider. */
const MOST_GAP_BY_CLUSTER = 0.12;

/** Does a glyph stand where a word ends, with no space between them? */
export function follows(word: RawWord, style: RunStyle, glyph: Readonly<Glyph>): boolean {
  const gap = glyph.x0 - word.x1;
  return gap < style.fontSize * MOST_GAP_BY_CLUSTER && gap > -style.fontSize;
}

/** In ems: kerning moves letters by less, and spaces are wider. */
const MOST_KERNING = 0.08;

/** Does a glyph after a break of lines touch the last word, on its own base line? */
export function continues(word: RawWord | undefined, style: RunStyle, glyph: Readonly<Glyph>): boolean {
  if (word === undefined || word.angle !== style.angle || style.angle !== 0) return false;
  const most = style.fontSize * MOST_KERNING;
  return Math.abs(glyph.x0 - word.x1) < most && Math.abs(glyph.originY - word.originY) < most;
}

/** Does a stop after a break of lines stand right at the raised mark of a note, which PDFium takes for a line? */
export function standsAtMark(
  word: RawWord | undefined,
  style: RunStyle,
  glyph: Readonly<Glyph>,
  character: string,
): boolean {
  if (word?.glued !== true || word.angle !== 0 || style.angle !== 0 || !/^[.,;:!?)\]’”»]$/.test(character))
    return false;
  const rise = glyph.originY - word.originY;
  const gap = Math.abs(glyph.x0 - word.x1);
  return (
    word.fontSize < style.fontSize && rise > 0 && rise < style.fontSize * 0.6 && gap < style.fontSize * MOST_KERNING
  );
}

/** May a glyph after a space belong to the word before it? Leaders and lines to write on are not letters of one. */
export function mayGoOn(word: RawWord, style: RunStyle, glyph: Readonly<Glyph>, character: string): boolean {
  return continues(word, style, glyph) && /[\p{L}\p{N}]$/u.test(word.text) && /[\p{L}\p{N},;:)]/u.test(character);
}

/** Does a glyph stand left of the word (-1), right of it (1) or at neither side? PDFium puts signs about Hebrew and Arabic out of their order. */
export function sideOf(word: RawWord, { x0, x1 }: Readonly<Glyph>): number {
  if (word.angle !== 0) return 0;
  const slack = word.fontSize * 0.05;
  if (x1 < word.x0 + slack) return -1;
  return x0 > word.x1 - slack ? 1 : 0;
}

/** Dots of a row that leads the eye: an ellipsis at the end of a sentence has fewer. */
const LEAST_LEADER = 6;

/** Of the dots that lead the eye. */
export const isDot = (character: string): boolean => character === '.' || character === '·';

const endsWithLeader = (text: string): boolean =>
  isDot(text.slice(-1)) && text.endsWith(text.slice(-1).repeat(LEAST_LEADER));

/** Begins or ends a row of dots that leads to a number at these letters? It is a word of its own, so that its ends are known. */
export function meetsLeader(before: string, letters: string, text: PageText, index: number): boolean {
  if (!isDot(letters)) return endsWithLeader(before);
  if (isDot(before.slice(-1)) || index + LEAST_LEADER > text.count) return false;
  for (let at = index + 1; at < index + LEAST_LEADER; at++)
    if (text.codeAt(at) !== letters.codePointAt(0)) return false;
  return true;
}

export const isSigns = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);

/** Is a glyph at the left of a word that is no sign alone, or another sign right beside it? Letters there are a word of their own. */
export const standsAtSign = (word: RawWord, glyph: Readonly<Glyph>, code: number): boolean =>
  !isSigns(word.text) || (!isRightToLeft(code) && word.x0 - glyph.x1 < word.fontSize * MOST_GAP_BY_CLUSTER);

/** Signs that begin list items and nothing else: what follows is a word of its own, however close it stands. */
const BULLET = /^[\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u25c6\u2610-\u2612\u27a2\u2713\ue000-\uf8ff]$/;

/** A jump that PDFium gave no break: another base line, another direction, or too far along the line; or a raised figure, before which no space stands. */
export function endOfWord(word: RawWord, style: RunStyle, glyph: Glyph): 'apart' | 'glued' | undefined {
  if (word.angle !== style.angle) return 'apart';
  if (isOblique(style.angle)) return standsApart(word, style, glyph) ? 'apart' : undefined;
  const upright = style.angle % 180 === 0;
  const size = Math.max(word.fontSize, style.fontSize, 1);
  const shift = Math.abs(upright ? glyph.originY - word.originY : glyph.originX - word.originX);
  if (shift > size * 0.6) return 'apart';
  const gap = upright
    ? Math.max(glyph.x0 - word.x1, word.x0 - glyph.x1)
    : Math.max(glyph.y0 - word.y1, word.y0 - glyph.y1);
  if (gap > size * 0.6) return 'apart';
  if (shift > size * 0.15 && Math.min(word.fontSize, style.fontSize) < size * 0.85) {
    return gap > size * 0.25 ? 'apart' : 'glued';
  }
  return word.text.length === 1 && BULLET.test(word.text) ? 'apart' : undefined;
}

/** Is a glyph of the direction of an oblique word on another base line, or too far along its own? */
function standsApart(word: RawWord, { fontSize, angle }: RunStyle, glyph: Glyph): boolean {
  const [x, y] = [glyph.originX - word.originX, glyph.originY - word.originY];
  const [along, across] = turnBack(x, y, angle);
  const size = Math.max(word.fontSize, fontSize, 1);
  const end = lengthOfOblique(word);
  return Math.abs(across) > size * 0.6 || along > end + size * 0.6 || along < -size * 0.6;
}
