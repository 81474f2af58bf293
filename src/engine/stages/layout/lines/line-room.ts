import type { PageLine } from '../../../model/page.js';
import { isLeader } from './fragment.js';
import { isBold } from './lines.js';

/** Least width of a line of prose: narrower text breaks its lines anywhere. */
const MIN_PROSE_WIDTH_EM = 18;

/** Lines further apart, in ems, are no list of lines. */
const MAX_STEP_EM = 3;

/** Abbreviations whose point ends no sentence. */
const SHORTENED = /^[([]?(?:al|cf|e\.g|i\.e|vs|figs?|eqs?|refs?|nos?|pp?|dr|mr|mrs|ms|prof|st)\.$/i;

export const lastText = ({ words }: Pick<PageLine, 'words'>): string => words.at(-1)?.text ?? '';

/** True when the line ends a sentence, or a part of it; the page that leaders lead to ends an entry. */
export const endsSentence = (line: PageLine): boolean =>
  (/[.:;!?。！？：；]$/.test(lastText(line)) && !SHORTENED.test(lastText(line))) || line.words.some(isLeader);

/** True when the line begins in a small letter. */
export const beginsSmall = ({ words: [word] }: Pick<PageLine, 'words'>): boolean => /^\p{Ll}/u.test(word?.text ?? '');

/** Counts the words that begin in a small letter. */
export const countSmall = (words: PageLine['words']): number =>
  words.filter((word) => beginsSmall({ words: [word] })).length;

/** True when a sentence continues with the line, as its small letter or the end of the line before it tells, whatever room there was. */
export const isWithinSentence = (line: PageLine, previous: PageLine): boolean =>
  beginsSmall(line) || /[,，、(]$|\p{L}[-‐]$/u.test(lastText(previous));

/** True when the first word of a line had no room in the line before it. */
export const fillsLine = ({ words: [word] }: PageLine, previous: PageLine, right: number): boolean =>
  word !== undefined && previous.x1 + (word.x1 - word.x0) > right - word.fontSize * 0.25;

/** True when the line is set in the size of the other one. */
export const isInSizeOf = (line: PageLine, { fontSize }: PageLine): boolean =>
  Math.abs(line.fontSize - fontSize) <= fontSize * 0.06;

/** True when it is as wide as a line of prose. */
export const isWide = ({ x0, x1, fontSize }: PageLine): boolean => x1 - x0 > fontSize * MIN_PROSE_WIDTH_EM;

/** True when both lines stand about one middle, and neither fills the other's width. */
export function isCentred(line: PageLine, previous: PageLine): boolean {
  const off = Math.abs(line.x0 + line.x1 - previous.x0 - previous.x1) / 2;
  return off < line.fontSize * 0.5 && Math.abs(line.x0 - previous.x0) > line.fontSize;
}

/**
 * True when the line before this one ended although this one's first word would have found room in it: a paragraph
 * ended there. The room is that of the lines around both: two of them are as long.
 */
export function endsShort(lines: readonly PageLine[], index: number): boolean {
  const [line, previous] = [lines[index], lines[index - 1]];
  const [word] = line?.words ?? [];
  if (line === undefined || previous === undefined || word === undefined) return false;
  if (line.direction === 'rtl' || isBold(line) || isCentred(line, previous)) return false;
  const size = line.fontSize;
  const around = [lines[index - 2], line, lines[index + 1]].flatMap((near) =>
    near === undefined || near.block !== undefined || !isInSizeOf(near, line) ? [] : [near.x1],
  );
  const [, right = 0] = around.sort((a, b) => b - a);
  if (right - previous.x0 < size * MIN_PROSE_WIDTH_EM) return false;
  return previous.x1 + size * 1.5 + (word.x1 - word.x0) < right;
}

/** The lines of another column begin further right. */
const SAME_COLUMN_EM = 4;

/** The right end of the lines of prose that are set like this one and begin where it does or left of that. Two of them have to reach it. */
function proseEdge(line: PageLine, prose: readonly PageLine[]): number {
  let [first, second] = [-Infinity, -Infinity];
  for (const other of prose) {
    if (!isInSizeOf(other, line) || other.x0 > line.x0 + line.fontSize * SAME_COLUMN_EM || other.x1 <= second) continue;
    [first, second] = other.x1 > first ? [other.x1, first] : [first, other.x1];
  }
  return second;
}

/**
 * True for one of several lines that stand each for itself, as in an address, a verse or the answers to a question.
 * Each begins like a sentence, though all of it would have found room in the line before it.
 */
export function standsAlone(lines: readonly PageLine[], index: number, prose: readonly PageLine[]): boolean {
  const line = lines[index];
  // Most lines begin with a small letter: this check comes before the search for the edge.
  if (line === undefined || !hadRoom(lines[index - 1], line, Infinity)) return false;
  const edge = proseEdge(line, prose);
  if (!hadRoom(lines[index - 1], line, edge)) return false;
  if (!hadRoom(lines[index], lines[index + 1], edge) && !hadRoom(lines[index - 2], lines[index - 1], edge))
    return false;
  return countWrapped(lines, index, edge) < MIN_WRAPPED_LINES;
}

/** Lines that continue with a small letter, and so tell that their text is set narrower than the text around it. */
const MIN_WRAPPED_LINES = 2;

/** Counts the lines below each other around this one that continue a sentence, though they had room in the line before. */
function countWrapped(lines: readonly PageLine[], index: number, edge: number): number {
  const continuesFrom = (previous: PageLine | undefined, line: PageLine | undefined): line is PageLine =>
    hasRoom(previous, line, edge) && previous !== undefined && Math.abs(line.x0 - previous.x0) < line.fontSize * 0.5;
  let count = 0;
  const look = (at: number): boolean => {
    const [previous, line] = [lines[at - 1], lines[at]];
    if (!continuesFrom(previous, line)) return false;
    if (beginsSmall(line)) count++;
    return count < MIN_WRAPPED_LINES;
  };
  for (let at = index; look(at); at--);
  for (let at = index + 1; look(at); at++);
  return count;
}

const hadRoom = (previous: PageLine | undefined, line: PageLine | undefined, edge: number): boolean =>
  hasRoom(previous, line, edge) && /^[\p{Lu}\p{N}(“"]/u.test(line.words[0]?.text ?? '');

/** True when all of the line would have found room in the line before it. */
function hasRoom(previous: PageLine | undefined, line: PageLine | undefined, edge: number): line is PageLine {
  if (previous === undefined || line === undefined || previous.block !== undefined || line.block !== undefined)
    return false;
  if (line.direction === 'rtl' || isBold(line) || isCentred(line, previous)) return false;
  if (!isInSizeOf(previous, line) || line.baseline - previous.baseline > line.fontSize * MAX_STEP_EM) return false;
  return previous.x1 + line.fontSize + (line.x1 - line.x0) < edge;
}
