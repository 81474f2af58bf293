import type { PageLine } from '../../../model/page.js';
import { hasLetter } from '../../../model/text-direction.js';
import { isField } from '../field-labels.js';
import { isCode } from '../lines/code.js';
import { hangsUnderMeaning, hasCells, hasWideGap } from '../lines/line-cells.js';
import { sizeKey } from '../lines/line-pitch.js';
import { beginsSmall, endsSentence, endsShort, fillsLine, isCentred, isWide, standsAlone } from '../lines/line-room.js';
import { isBold, lineText } from '../lines/lines.js';
import { decide, type Rule } from '../rules.js';
import { isSectionFigure, isSectionNumber } from '../section-numbers.js';
import {
  beginsItem,
  comesBackToMarker,
  continuesItem,
  hangsUnderItem,
  isItem,
  isSetInLikeNumber,
  leavesText,
} from './item-rules.js';
import { type Column, isFull, isHanging, type LineBreakContext } from './line-break-context.js';

/** Rules in order: the first one that holds tells whether a block begins at the line. Where none does, the block continues. */
const RULES: readonly Rule<LineBreakContext>[] = [
  // A drawn border stands between the lines.
  { when: ({ line, previous }) => line.words[0]?.box !== previous.words[0]?.box, decides: true },
  { when: changesSize, decides: true },
  { when: standsFarBelow, decides: true },
  { when: changesWeight, decides: true },
  { when: splitsWord, decides: false },
  { when: isNextTitle, decides: true },
  { when: changesFace, decides: true },
  { when: isTitleBelow, decides: true },
  { when: ({ line, previous }) => line.direction !== previous.direction, decides: true },
  { when: ({ line }) => line.words[0]?.raised === true, decides: true },
  { when: beginsItem, decides: true },
  { when: isNextField, decides: true },
  { when: isNextRow, decides: true },
  // Indents and cells count only in lines that run from left to right.
  { when: ({ line }) => line.direction === 'rtl', decides: false },
  // A row of cells is a line of its own; a term has the lines of its meaning beside it.
  { when: (context) => hasCells(context.line) && !runsOnInSentence(context), decides: true },
  { when: ({ line, first }) => hangsUnderMeaning(line, first), decides: false },
  { when: (context) => hasCells(context.previous) && !runsOnInSentence(context), decides: true },
  { when: ({ line, previous }) => isCentred(line, previous), decides: false },
  { when: hangsUnderNumber, decides: false },
  { when: isSetToRight, decides: false },
  { when: hangsInEntry, decides: false },
  { when: comesBackFromHang, decides: true },
  { when: beginsEntry, decides: true },
  { when: (context) => isSetIn(context) && endsAboveIndent(context), decides: true },
  { when: leavesText, decides: true },
  { when: isSetInLikeNumber, decides: true },
  { when: comesBackToMarker, decides: true },
];

/** True when a block of text begins at the line `index` of its column. */
export const beginsBlock = (context: LineBreakContext, index: number): boolean =>
  decide(RULES, context) === true ||
  context.column.ragged.has(context.line) ||
  endsShort(context.column.lines, index) ||
  standsAlone(context.column.lines, index, context.column.prose);

/** Steps of base lines, in ems: two empty lines may stand within a program. */
const MAX_CODE_STEP_EM = 4;
const MAX_ITEM_STEP_EM = 1.6;

/**
 * True when a program begins or ends at the line. It continues over empty lines and at any indent. Undefined where the
 * rules of text decide.
 */
export function beginsCode(context: LineBreakContext): boolean | undefined {
  const { line, previous, next, block } = context;
  const step = line.baseline - previous.baseline;
  // An item may consist of names of code alone.
  if (hangsUnderItem(context) && step < line.fontSize * MAX_ITEM_STEP_EM) return undefined;
  const inCode = block.lines.every(isCode);
  if (!isCode(line)) return inCode && block.lines.length > 1 ? true : undefined;
  if (inCode) return step > line.fontSize * MAX_CODE_STEP_EM || Math.abs(codeSize(line) - codeSize(previous)) > 0.5;
  // A line of a paragraph may be one long name; two such lines are code.
  return next !== undefined && isCode(next) ? true : undefined;
}

/** Size of the type of a line of code, without its number, which may be in other type. */
const codeSize = ({ words: [first, second], fontSize }: PageLine): number =>
  first?.monospaced ? fontSize : (second?.fontSize ?? fontSize);

const isOfOneSize = ({ line, previous, size }: LineBreakContext): boolean =>
  Math.max(line.fontSize, previous.fontSize) <= size * 1.12 + 0.2;

/** Code and names that are set smaller may be most of a line in a sentence. */
function changesSize(context: LineBreakContext): boolean {
  const { line, previous, column } = context;
  if (isOfOneSize(context)) return false;
  return !fillsLine(line, previous, column.right) || !(hasWordsOf(line, previous) || hasWordsOf(previous, line));
}

/** True when words of a line are set in the size of another. */
const hasWordsOf = ({ words }: PageLine, { fontSize }: PageLine): boolean =>
  words.some((word) => !word.raised && hasLetter(word) && Math.abs(word.fontSize - fontSize) < fontSize * 0.02);

/** Largest step, as a share of the usual one, within a sentence: a sign in its line, an uneven scan or double spacing may set a line lower. */
const MAX_UNEVEN_STEP = 2.3;

function standsFarBelow(context: LineBreakContext): boolean {
  const { line, previous, size, column } = context;
  const step = line.baseline - previous.baseline;
  const told = isOfOneSize(context) || line.fontSize > size ? line : previous;
  const usual = column.pitch.get(sizeKey(told)) ?? size * 1.2;
  if (step <= Math.max(usual * 1.25, usual + 1.5)) return false;
  if (step < usual * MAX_UNEVEN_STEP && isOfOneSize(context) && runsOnInSentence(context)) return false;
  const isDouble = Math.abs(step - column.double) < size * 0.05;
  return !(isDouble && isWide(previous) && fillsLine(line, previous, column.edge));
}

function changesWeight(context: LineBreakContext): boolean {
  return isBold(context.line) !== isBold(context.previous) && !continuesItem(context) && !runsOver(context);
}

/** True for a word of a text line or title that goes on in the next line. */
function splitsWord({ line, previous }: LineBreakContext): boolean {
  return beginsSmall(line) && !hasCells(line) && /\p{Ll}[-\u2010]$/u.test(previous.words.at(-1)?.text ?? '');
}

/** True for two titles with numbers below each other. The bold words of a sentence may run over to a number, too. */
function isNextTitle(context: LineBreakContext): boolean {
  const { line, previous } = context;
  return isBold(line) && [line, previous].every(hasSectionNumber) && (isBold(previous) || !runsOver(context));
}

/** True for bold words of a sentence that run over the end of a full line, end with one, or are all of its last line. */
function runsOver({ line, previous, block, column }: LineBreakContext): boolean {
  const isOfOneWeight = previous.words.at(-1)?.bold === line.words[0]?.bold;
  if (isOfOneWeight && fillsLine(line, previous, column.right)) return true;
  if (!isFull(previous, column)) return false;
  if (isOfOneWeight || (isBold(previous) && !block.lines.every(isBold))) return true;
  if (!isBold(line) || isBold(previous) || hasCells(previous) || hasSectionNumber(line)) return false;
  if (!isWide(previous)) return false;
  return /[\p{L}\p{M}\p{N},)]$/u.test(previous.words.at(-1)?.text ?? '');
}

const hasSectionNumber = ({ words }: PageLine): boolean => isSectionFigure(words[0]?.text ?? '');

function changesFace(context: LineBreakContext): boolean {
  const { line, previous, next, column } = context;
  if (isBold(line) || !isOfOtherFace(line, previous)) return false;
  // A title in its own type stands over text in another; a quotation in a sentence is one line at most.
  if (previous.fontSize > line.fontSize * 1.05 && next?.words[0]?.face === line.words[0]?.face) return true;
  return !fillsLine(line, previous, column.edge) && !hangsUnderItem(context);
}

/**
 * True when a line begins as sentences do and none of it is set in the typeface of the line before it. Titles whose
 * fonts do not tell that they are bold are set so.
 */
function isOfOtherFace({ words }: PageLine, previous: PageLine): boolean {
  const [first] = words;
  if (first?.face === undefined || first.face === previous.words.at(-1)?.face || !previous.words.some(hasLetter))
    return false;
  if (!/^[\p{Lu}\p{N}(“"]/u.test(first.text) || !words.some(({ text }) => /\p{L}{2}/u.test(text))) return false;
  const faces = new Set(previous.words.map(({ face }) => face));
  return words.every(({ face }) => !faces.has(face));
}

/** Least step, in ems, from a title to the one of its first part; lines of one title stand closer. */
const MIN_TITLE_STEP_EM = 1.45;
/** Difference of lines that begin level, in ems. */
const MAX_UNEVEN_INDENT_EM = 0.05;
/** Ratio of the size of a title to that of its first part. */
const MIN_LARGER_TITLE = 1.08;

/**
 * True for a bold line below a bold one that had room for its first word, and further in, or for all of it and apart or
 * in larger type or another typeface: each is a title.
 */
function isTitleBelow(context: LineBreakContext): boolean {
  const { line, previous, column } = context;
  if (!isBold(line) || !isBold(previous) || line.direction === 'rtl') return false;
  const indent = line.x0 - previous.x0;
  const isApart = line.baseline - previous.baseline > line.fontSize * MIN_TITLE_STEP_EM;
  const hadRoom = line.x1 - line.x0 < column.right - previous.x1 - line.fontSize;
  const isOfOther = previous.fontSize > line.fontSize * MIN_LARGER_TITLE || isOfOtherFace(line, previous);
  const isOwn = (isOfOther || (isApart && hadRoom)) && !beginsSmall(line);
  if (indent < line.fontSize * (isOwn ? -MAX_UNEVEN_INDENT_EM : 1)) return false;
  if (fillsLine(line, previous, column.right) || isCentred(line, previous)) return false;
  return !hangsUnderNumber(context) && !hangsUnderItem(context);
}

/** True for a line under the words of a note, or for the next one of a numbered title, not under its number. */
function hangsUnderNumber({ line, block, first }: LineBreakContext): boolean {
  const [number, word] = first.words;
  if (number === undefined || word === undefined || Math.abs(line.x0 - word.x0) >= line.fontSize * 0.5) return false;
  return number.raised === true || (block.lines.length <= 2 && isBold(line) && isSectionNumber(number.text));
}

/** True for one of several fields below each other. A word with a colon may begin a line of a sentence, too. */
function isNextField(context: LineBreakContext): boolean {
  const { line, previous, next, first, column } = context;
  if (!isField(line) || hangsUnderItem(context)) return false;
  if (isField(previous)) return true;
  if (isWide(previous) && fillsLine(line, previous, column.edge) && !endsSentence(previous)) return false;
  return [next, first].some((other) => other !== undefined && isField(other));
}

/** True for a row of a list below another one: the same words with other figures. A list in a sentence has commas. */
function isNextRow({ line, previous }: LineBreakContext): boolean {
  // Most lines are told apart without their texts.
  if (line.words.length !== previous.words.length) return false;
  const [text, above] = [lineText(line), lineText(previous)];
  return text !== above && !above.endsWith(',') && line.words.some(hasLetter) && wordingOf(text) === wordingOf(above);
}

const wordingOf = (text: string): string => text.replace(/\p{Nd}[\p{Nd}.,]*/gu, '0');

/**
 * True when a sentence continues over the end of a full line, from one edge of the text to the other. A sign without a
 * known font leaves wide space in it.
 */
function runsOnInSentence({ line, previous, column }: LineBreakContext): boolean {
  if (!isWide(previous) || endsSentence(previous) || hasWideGap(previous) || hasWideGap(line)) return false;
  // Ideographs are neither small nor large.
  const goesOn = beginsSmall(line) || /^\p{Script=Han}/u.test(line.words[0]?.text ?? '');
  return goesOn && fillsLine(line, previous, column.edge) && isCode(line) === isCode(previous);
}

/** True for a line of a sentence that ends where those around it do, each of which begins elsewhere. */
function isSetToRight({ line, previous, next, block }: LineBreakContext): boolean {
  if (!isWide(previous) || !endsLevel(line, previous) || !/[\p{L}\p{M},]$/u.test(previous.words.at(-1)?.text ?? ''))
    return false;
  return [block.lines.at(-2), next].some(
    (other) => other !== undefined && endsLevel(other, line) && endsLevel(other, previous),
  );
}

const endsLevel = (a: PageLine, b: PageLine): boolean =>
  Math.abs(a.x1 - b.x1) < a.fontSize * 0.3 && Math.abs(a.x0 - b.x0) > a.fontSize * 0.3;

/** True for the first line of a paragraph, which is set in and after which the lines come back. Within an item the text hangs. */
function isSetIn({ line, previous, next, first, size }: LineBreakContext): boolean {
  if (isItem(first) || line.x0 - previous.x0 <= size * 0.8) return false;
  return next === undefined || next.x0 < line.x0 - size * 0.5;
}

/** True when the line above one that is set in leaves room at its end, or stands at the edge of the text. */
const endsAboveIndent = ({ previous, size, column }: LineBreakContext): boolean =>
  previous.x1 < column.right - size * 2 || Math.abs(previous.x0 - column.left) < size * 3;

/**
 * True for the second line of an entry whose lines hang, as in a list of works. Such lines had no room in the one
 * before, and others of the column continue a sentence there.
 */
function hangsInEntry({ line, previous, block, column }: LineBreakContext): boolean {
  return block.lines.length === 1 && isHanging(line, previous, column.edge) && hangsIn(column, line);
}

/** True when the line comes back to where the first line of such an entry began. */
function comesBackFromHang({ line, first, block, column }: LineBreakContext): boolean {
  const [, second, ...others] = block.lines;
  if (second === undefined || Math.abs(line.x0 - first.x0) > line.fontSize * 0.3 || !hangsIn(column, second))
    return false;
  return [second, ...others].every(({ x0 }) => x0 > first.x0 + line.fontSize * 0.8);
}

/** True when the next line is the second one of such an entry, and a sentence ended before this one. */
function beginsEntry({ line, previous, next, column }: LineBreakContext): boolean {
  if (next === undefined || !endsSentence(previous)) return false;
  return isHanging(next, line, column.edge) && hangsIn(column, next);
}

const hangsIn = ({ hanging }: Column, { x0, fontSize }: PageLine): boolean =>
  hanging.some((other) => Math.abs(other - x0) < fontSize * 0.3);
