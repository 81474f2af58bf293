import type { PageLine } from '../../../model/page.js';
import { beginsSmall, endsSentence, fillsLine, isWithinSentence } from '../lines/line-room.js';
import { isBold } from '../lines/lines.js';
import { parseMarker } from '../markers.js';
import { follows, partsOfNumber } from '../section-numbers.js';
import { isFull, type LineBreakContext } from './line-break-context.js';

export const isItem = ({ words }: PageLine): boolean => parseMarker(words) !== undefined;

/** True when the line begins an item, or a part of one. */
export const beginsItem = (context: LineBreakContext): boolean =>
  (isItem(context.line) && !isDashInText(context) && !isNumberInText(context) && !isCountedInText(context)) ||
  beginsPart(context) ||
  beginsNext(context);

/**
 * True when the dash or point that the line begins with stands between words. Another one in the block tells so, or an
 * item that had no room for it and hangs as this line does, with no other such dash below or above it.
 */
function isDashInText(context: LineBreakContext): boolean {
  const { line, previous, column } = context;
  const [sign] = line.words;
  if (sign === undefined || !/^[-·–—]$/.test(sign.text) || endsSentence(previous)) return false;
  if (sign.text !== '-' && isSeparated(sign.text, context)) return true;
  if (isPaired(sign.text, context)) return true;
  if (!hangsUnderItem(context) || !isFull(previous, column)) return false;
  return !column.lines.some((other) => other !== line && other.words[0]?.text === sign.text);
}

/** True when the sign stands between words of the block, and not before them. */
function isSeparated(sign: string, { block }: LineBreakContext): boolean {
  const words = block.lines.flatMap((line) => line.words);
  return parseMarker(words) === undefined && words.some(({ text }) => text === sign);
}

/** True when the second dash of a pair stands in the line, and the line above it is full. */
const isPaired = (sign: string, { line, previous, column }: LineBreakContext): boolean =>
  isFull(previous, column) && line.words.slice(2).some(({ text }) => text === sign);

/** Distance of the beginnings of level lines, and of a first line that is set in, in ems. */
const MAX_LEVEL_EM = 0.5;
const MAX_FIRST_INDENT_EM = 3;

/** Marks that a list begins with. */
const FIRST_MARK = /^\(?[1ai][.)]$/i;

/**
 * "1999." at the beginning of a line is no marker where a sentence runs over from a full line above it. Within an item,
 * "(3)" may be one of a list that begins above.
 */
function isNumberInText(context: LineBreakContext): boolean {
  const { line, previous, block, first, column } = context;
  const [mark, next] = line.words;
  if (parseMarker(line.words)?.ordered !== true || mark === undefined || next === undefined) return false;
  if (!isFull(previous, column) || endsSentence(previous)) return false;
  if (isItem(first)) {
    if (!hangsUnderItem(context) || FIRST_MARK.test(mark.text) || !beginsSmall({ words: [next] })) return false;
    const before = markBefore(mark.text);
    return !column.lines.some(({ words: [word] }) => word?.text === before);
  }
  const out = (previous.x0 - line.x0) / line.fontSize;
  // The first line of a paragraph may be set in.
  const most = block.lines.length === 1 ? MAX_FIRST_INDENT_EM : MAX_LEVEL_EM;
  return out > -MAX_LEVEL_EM && out < most;
}

/** Lines below a first mark in which the second one is looked for. */
const MAX_LINES_BETWEEN_MARKS = 6;

/**
 * True when the mark before this one, "(b)" before "(c)", stands between words of a block whose last line had no room
 * for more, or the one after a first mark does in the lines below.
 */
function isCountedInText({ line, previous, block, column }: LineBreakContext): boolean {
  const mark = line.words[0]?.text ?? '';
  if (!fillsLine(line, previous, column.edge)) return false;
  const second = SECOND_MARKS.get(mark);
  if (second === undefined) {
    const before = markBefore(mark);
    return before !== undefined && block.lines.some((other) => placeOf(before, other) > 0);
  }
  // A colon may introduce a list or go on in the sentence.
  if (endsSentence(previous) && !previous.words.at(-1)?.text.endsWith(':')) return false;
  const from = column.lines.indexOf(line) + 1;
  const next = column.lines.slice(from, from + MAX_LINES_BETWEEN_MARKS).map((other) => placeOf(second, other));
  return (next.find((place) => place >= 0) ?? 0) > 0;
}

/** The index of the word that is the mark; -1 where none is. */
const placeOf = (mark: string, { words }: PageLine): number => words.findIndex(({ text }) => text === mark);

const SECOND_MARKS: ReadonlyMap<string, string> = new Map([
  ['(1)', '(2)'],
  ['(a)', '(b)'],
  ['(i)', '(ii)'],
  ['1)', '2)'],
  ['a)', 'b)'],
  ['i)', 'ii)'],
]);

const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x'];
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** The mark before a mark: "(b)" of "(c)", "(iii)" of "(iv)", "1)" of "2)"; undefined where none comes before it, or it has no bracket. */
function markBefore(mark: string): string | undefined {
  const [, open = '', count] = /^(\(?)([a-z]{1,4}|\d{1,2})\)$/.exec(mark) ?? [];
  const before = count === undefined ? undefined : countBefore(count);
  return before === undefined ? undefined : `${open}${before})`;
}

function countBefore(count: string): string | undefined {
  if (/^\d/.test(count)) return String(Number(count) - 1);
  // "i" begins the Roman numbers, so that "h" comes before it.
  const order = ROMAN.indexOf(count) > 0 ? ROMAN : LETTERS;
  return order[order.indexOf(count) - 1];
}

/** True for "4.1." below "4.": a part of the item, as in a table of contents. */
function beginsPart({ line, first }: LineBreakContext): boolean {
  const number = line.words[0]?.text ?? '';
  const item = /^(\d{1,2}\.)/.exec(first.words[0]?.text ?? '')?.[1];
  return item !== undefined && /^(\d{1,2}\.)+\d{1,2}\.$/.test(number) && number.startsWith(item);
}

/** True for "1.2" below "1.1", or "2.1" below "1.4.2": the next entry of a list of sections. */
function beginsNext({ line, first }: LineBreakContext): boolean {
  const [number = [], before = []] = [line, first].map(({ words: [word] }) => partsOfNumber(word?.text ?? ''));
  return number.length > 1 && before.length > 1 && follows(number, before);
}

/** True when the line stands under the words of an item. */
export function hangsUnderItem({ line, first }: Pick<LineBreakContext, 'line' | 'first'>): boolean {
  const marker = parseMarker(first.words);
  const word = first.words[marker?.wordCount ?? 0];
  return marker !== undefined && word !== undefined && Math.abs(line.x0 - word.x0) < line.fontSize * 0.5;
}

/** True for a line that continues an item: the words at its beginning may be bold, and a part of its sentence. */
export function continuesItem(context: LineBreakContext): boolean {
  const { line, previous, column } = context;
  if (!hangsUnderItem(context)) return false;
  return !isBold(line) || (isFull(previous, column) && !endsSentence(previous));
}

/** True when the line stands left of the words under which all of the item hangs, though its first word had room in the line above. */
export function leavesText({ line, previous, block, first, column }: LineBreakContext): boolean {
  const marker = parseMarker(first.words);
  if (marker === undefined || isWithinSentence(line, previous)) return false;
  const [, ...others] = block.lines;
  if (fillsLine(line, previous, column.edge) || !others.every((other) => hangsUnderItem({ line: other, first })))
    return false;
  return line.x0 < (first.words[marker.wordCount]?.x0 ?? 0) - line.fontSize * 0.3;
}

/** True for the next of numbered paragraphs whose first lines alone are set in. */
export function isSetInLikeNumber({ line, previous, block, first, size }: LineBreakContext): boolean {
  const [, second] = block.lines;
  if (!isItem(first) || second === undefined || second.x0 >= first.x0 - size * 0.8) return false;
  return line.x0 - previous.x0 > size * 0.8 && Math.abs(line.x0 - first.x0) < size * 0.3;
}

/** True when the line comes back to an item's marker, or stands left of it, and no sentence runs over to it. */
export function comesBackToMarker({ line, previous, first, size, column }: LineBreakContext): boolean {
  if (!isItem(first) || line.x0 >= first.x0 + size * 0.3 || line.x0 >= previous.x0 - size * 0.3) return false;
  return !isWithinSentence(line, previous) && !(fillsLine(line, previous, column.edge) && !endsSentence(previous));
}
