import { isOblique, turnBack } from '../../../model/page-transform.js';
import { isStop } from '../../../model/text-direction.js';
import { characterOf } from '../fonts/characters.js';
import type { RunStyle } from '../fonts/run-style.js';
import { lengthOfOblique } from './oblique.js';
import type { PageText } from './page-text.js';
import type { RawWord } from './raw-word.js';
import type { Glyph } from './read-glyph.js';
import { isRightToLeft } from './right-to-left-letters.js';

/** The narrowest spaces are wider, in ems. */
const MAX_CLUSTER_GAP_EM = 0.12;

/** True when a glyph stands where a word ends, with no space between them. */
export function follows(word: RawWord, style: RunStyle, glyph: Readonly<Glyph>): boolean {
  const gap = glyph.x0 - word.x1;
  return gap < style.fontSize * MAX_CLUSTER_GAP_EM && gap > -style.fontSize;
}

/** Kerning moves letters by less, in ems, and spaces are wider. */
const MAX_KERNING_EM = 0.08;

/**
 * True when a glyph after a line break touches the last word, on its own base line. Behind a cluster, whose box ends with
 * its ink, it stands further off.
 */
export function continues(
  word: RawWord | undefined,
  style: RunStyle,
  glyph: Readonly<Glyph>,
  endsInCluster = false,
): boolean {
  if (word === undefined || word.angle !== 0 || style.angle !== 0) return false;
  const most = style.fontSize * MAX_KERNING_EM;
  if (Math.abs(glyph.originY - word.originY) >= most) return false;
  return Math.abs(glyph.x0 - word.x1) < most || (endsInCluster && follows(word, style, glyph) && glyph.x0 > word.x1);
}

/** Largest size of a raised or lowered mark, as a share of its word's size, and largest distance of the base lines, in ems of the larger. */
const MAX_MARK_RATIO = 0.9;
const MAX_MARK_SHIFT_EM = 0.6;
const MIN_MARK_SHIFT_EM = 0.15;

/**
 * True when a raised or lowered mark after a line break stands right at the last word, or a full stop at the raised mark of a
 * note: PDFium takes marks for lines.
 */
export function standsAtMark(
  word: RawWord | undefined,
  style: RunStyle,
  glyph: Readonly<Glyph>,
  character: string,
): boolean {
  if (word === undefined || word.angle !== 0 || style.angle !== 0) return false;
  const size = Math.max(word.fontSize, style.fontSize);
  const rise = glyph.originY - word.originY;
  if (Math.abs(glyph.x0 - word.x1) > size * MAX_KERNING_EM || Math.abs(rise) > size * MAX_MARK_SHIFT_EM) return false;
  if (style.fontSize < word.fontSize * MAX_MARK_RATIO)
    return Math.abs(rise) > size * MIN_MARK_SHIFT_EM && /[\p{L}\p{N})\]”"’.,]$/u.test(word.text);
  return word.glued === true && word.fontSize < style.fontSize && /^[\p{L}\p{N}.,;:!?)\]’”»/]$/u.test(character);
}

/** True when a glyph after a space may belong to the word before it. Leaders and lines to write on are not letters of one word. */
export function mayContinueWord(word: RawWord, style: RunStyle, glyph: Readonly<Glyph>, character: string): boolean {
  return continues(word, style, glyph) && /[\p{L}\p{N}]$/u.test(word.text) && /[\p{L}\p{N},;:)]/u.test(character);
}

/**
 * The side of the word that a glyph stands at: left (-1), right (1) or neither (0). PDFium puts signs about Hebrew and
 * Arabic out of their order, and swashes of letters reach over full stops: their origins tell.
 * @param heading direction of the word: -1 to the left
 */
export function sideOf(word: RawWord, { originX, x0, x1 }: Readonly<Glyph>, code: number, heading: number): number {
  if (word.angle !== 0) return 0;
  const isAtStop = isRightToLeft(code) ? isStop(word.text) : heading === -1 && isStop(characterOf(code));
  if (isAtStop) return Math.sign(originX - word.originX);
  const slack = word.fontSize * 0.05;
  if (x1 < word.x0 + slack) return -1;
  return x0 > word.x1 - slack ? 1 : 0;
}

/** Dots of a leader: an ellipsis at the end of a sentence has fewer. */
const MIN_LEADER_DOTS = 6;

/** True for the dots of a leader. */
export const isDot = (character: string): boolean => character === '.' || character === '·';

const endsWithLeader = (text: string): boolean =>
  isDot(text.slice(-1)) && text.endsWith(text.slice(-1).repeat(MIN_LEADER_DOTS));

/** True when a row of dots that leads to a number begins or ends at these letters. It is a word of its own, so that its ends are known. */
export function meetsLeader(before: string, letters: string, text: PageText, index: number): boolean {
  if (!isDot(letters)) return endsWithLeader(before);
  if (isDot(before.slice(-1)) || index + MIN_LEADER_DOTS > text.count) return false;
  for (let at = index + 1; at < index + MIN_LEADER_DOTS; at++)
    if (text.codeAt(at) !== letters.codePointAt(0)) return false;
  return true;
}

export const isSigns = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);

/**
 * True when a glyph stands at the left of a word that is no sign alone, or of another sign right beside it. Letters and
 * figures there are a word of their own.
 */
export const standsAtSign = (word: RawWord, glyph: Readonly<Glyph>, code: number): boolean =>
  !isSigns(word.text) || (isSigns(characterOf(code)) && word.x0 - glyph.x1 < word.fontSize * MAX_CLUSTER_GAP_EM);

/** Signs that only begin list items: the text behind them is a word of its own, however close it stands. */
const BULLET = /^[\u2022\u25e6\u25aa\u25ab\u2023\u25cf\u25cb\u25a0\u25a1\u25c6\u2610-\u2612\u27a2\u2713\ue000-\uf8ff]$/;

/** Distance of the base lines of two words in one type, in ems: letters of one word are lowered by less, as in the name of TeX. */
const MIN_LINE_SHIFT_EM = 0.45;

/** Largest size of a mark, as a share of its word's size, and of one that stands high: WeasyPrint makes it 3 % smaller. */
const MAX_SMALL_RATIO = 0.85;
const MAX_HIGH_RATIO = 0.99;
/** Least distance of the base lines of a mark that stands high, in ems of the larger. */
const MIN_HIGH_SHIFT_EM = 0.35;

/**
 * Finds a jump that PDFium gave no break: another base line, another direction, or too far along the line; or a raised
 * figure, before which no space stands.
 */
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
  const maxRatio = shift > size * MIN_HIGH_SHIFT_EM ? MAX_HIGH_RATIO : MAX_SMALL_RATIO;
  if (shift > size * MIN_MARK_SHIFT_EM && Math.min(word.fontSize, style.fontSize) < size * maxRatio) {
    return gap > size * 0.25 ? 'apart' : 'glued';
  }
  // Cells of several lines stand this close to those beside them.
  if (shift > size * MIN_LINE_SHIFT_EM && gap > size * MAX_KERNING_EM) return 'apart';
  return word.text.length === 1 && BULLET.test(word.text) ? 'apart' : undefined;
}

/** True when a glyph of the direction of an oblique word stands on another base line, or too far along its own. */
function standsApart(word: RawWord, { fontSize, angle }: RunStyle, glyph: Glyph): boolean {
  const [x, y] = [glyph.originX - word.originX, glyph.originY - word.originY];
  const [along, across] = turnBack(x, y, angle);
  const size = Math.max(word.fontSize, fontSize, 1);
  const end = lengthOfOblique(word);
  return Math.abs(across) > size * 0.6 || along > end + size * 0.6 || along < -size * 0.6;
}
