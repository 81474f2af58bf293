import { isCode, markCode } from './code.js';
import { hasLetter } from './directions.js';
import type { LaidBlock, LaidLine } from './laid.js';
import { doublePitch, sizeKey, usualPitch } from './line-pitch.js';
import { endsSentence, endsShort, fillsLine, isCentred, isWide, isWithinSentence, standsAlone } from './line-room.js';
import { isBold } from './lines.js';
import { parseMarker } from './markers.js';

/**
 * Groups the lines of one column to blocks: by the space between them, their size and weight, indents and list markers.
 * In a document that is `typewritten` monospaced lines are no code.
 */
export function buildBlocks(lines: readonly LaidLine[], typewritten = false): LaidBlock[] {
  const pitch = usualPitch(lines);
  const left = usualLeft(lines);
  const right = Math.max(...lines.map(({ x1 }) => x1));
  // A stamp or a date may stand further right than the text.
  const prose = lines.filter((line) => isWide(line) && line.apart.size === 0 && line.block === undefined);
  const edge = prose.length === 0 ? right : Math.max(...prose.map(({ x1 }) => x1));
  const double = doublePitch(lines, edge);
  const blocks: LaidBlock[] = [];
  lines.forEach((line, index) => {
    const previous = lines[index - 1];
    const block = blocks.at(-1);
    if (line.block !== undefined) blocks.push(line.block);
    else if (
      block === undefined ||
      block.kind !== undefined ||
      block.boxed !== undefined ||
      previous === undefined ||
      (beginsCode(line, previous, block, lines[index + 1]) ??
        (begins(line, previous, block, lines[index + 1]) ||
          endsShort(lines, index) ||
          standsAlone(lines, index, prose)))
    ) {
      blocks.push({ lines: [line] });
    } else block.lines.push(line);
  });
  if (!typewritten) markCode(blocks, right);
  return blocks;

  /** Code goes on over empty lines and at any indent; undefined where the rules of text tell. */
  function beginsCode(
    line: LaidLine,
    previous: LaidLine,
    block: LaidBlock,
    next: LaidLine | undefined,
  ): boolean | undefined {
    if (typewritten) return undefined;
    // Of an item all of whose words are names of code.
    if (hangsUnderItem(line, block) && line.baseline - previous.baseline < line.fontSize * MOST_STEP_IN_ITEM)
      return undefined;
    const inCode = block.lines.every(isCode);
    if (!isCode(line)) return inCode && block.lines.length > 1 ? true : undefined;
    const step = line.baseline - previous.baseline;
    if (inCode) return step > line.fontSize * MOST_STEP_IN_CODE || Math.abs(line.fontSize - previous.fontSize) > 0.5;
    // A line of a paragraph may be one long name; two of them are none.
    return next !== undefined && isCode(next) ? true : undefined;
  }

  function isFull(line: LaidLine): boolean {
    return line.x1 > right - line.fontSize * 2;
  }

  /** "1999." at the beginning of a line is no marker where a sentence runs over from a full line above it. */
  function goesOn(line: LaidLine, previous: LaidLine, block: LaidBlock): boolean {
    const [first] = block.lines;
    if (parseMarker(line.words)?.ordered !== true || first === undefined || startsItem(first)) return false;
    const level = Math.abs(line.x0 - previous.x0) < line.fontSize * 0.5;
    return isFull(previous) && level && !endsSentence(previous);
  }

  /** Bold words of a sentence may run over the end of a full line, end with one, or be all of its last line. */
  function runsOver(line: LaidLine, previous: LaidLine, block: LaidBlock): boolean {
    const isOfOneWeight = previous.words.at(-1)?.bold === line.words[0]?.bold;
    if (isOfOneWeight && fillsLine(line, previous, right)) return true;
    if (!isFull(previous)) return false;
    if (isOfOneWeight || (isBold(previous) && !block.lines.every(isBold))) return true;
    if (!isBold(line) || isBold(previous) || hasCells(previous) || startsSection(line)) return false;
    if (!isWide(previous)) return false;
    return /[\p{L}\p{M}\p{N},)]$/u.test(previous.words.at(-1)?.text ?? '');
  }

  /** Goes a sentence on over the end of a full line, from one edge of the text to the other? A sign that no font tells leaves wide space in it. */
  function runsOnInSentence(line: LaidLine, previous: LaidLine): boolean {
    if (!isWide(previous) || endsSentence(previous) || hasWideGap(previous) || hasWideGap(line)) return false;
    return (
      fillsLine(line, previous, edge) && isCode(line) === isCode(previous) && /^\p{Ll}/u.test(line.words[0]?.text ?? '')
    );
  }

  /** Stands a bold line right below a bold one that had room for its first word, and further in? Then each is a title. */
  function isTitleBelow(line: LaidLine, previous: LaidLine, block: LaidBlock): boolean {
    const indent = line.x0 - previous.x0;
    if (!isBold(line) || !isBold(previous) || line.direction === 'rtl' || indent < line.fontSize) return false;
    return (
      !fillsLine(line, previous, right) &&
      !isCentred(line, previous) &&
      !hangsUnderTitle(line, block) &&
      !hangsUnderItem(line, block)
    );
  }

  /** What an item begins with may be bold, and a part of its sentence. */
  function goesOnInItem(line: LaidLine, previous: LaidLine, block: LaidBlock): boolean {
    if (!hangsUnderItem(line, block)) return false;
    return !isBold(line) || (isFull(previous) && !endsSentence(previous));
  }

  /** Stands the line left of the words under which all of the item hangs, though its first word had room in the line above? */
  function leavesItem(line: LaidLine, previous: LaidLine, block: LaidBlock): boolean {
    const [first, ...others] = block.lines;
    if (first === undefined || isWithinSentence(line, previous)) return false;
    if (fillsLine(line, previous, edge) || !others.every((other) => hangsUnderItem(other, block))) return false;
    const { wordCount } = parseMarker(first.words) ?? { wordCount: 0 };
    return wordCount > 0 && line.x0 < (first.words[wordCount]?.x0 ?? 0) - line.fontSize * 0.3;
  }

  /** Is the dash or point that the line begins with one between words: told by another in the block, or by an item that had no room for it and hangs as this line does, with no other such dash below or above it? */
  function isDashInText(line: LaidLine, previous: LaidLine, block: LaidBlock): boolean {
    const [sign] = line.words;
    if (sign === undefined || !/^[-·–—]$/.test(sign.text) || endsSentence(previous)) return false;
    if (sign.text !== '-' && isSeparated(sign.text, block)) return true;
    if (!hangsUnderItem(line, block) || !isFull(previous) || !/^\p{Ll}/u.test(line.words[1]?.text ?? '')) return false;
    return !lines.some(
      (other) => other !== line && other.words[0]?.text === sign.text && Math.abs(other.x0 - line.x0) < 0.5,
    );
  }

  function begins(line: LaidLine, previous: LaidLine, block: LaidBlock, next: LaidLine | undefined): boolean {
    const size = Math.min(line.fontSize, previous.fontSize);
    const isOfOneSize = Math.max(line.fontSize, previous.fontSize) <= size * 1.12 + 0.2;
    if (
      !isOfOneSize &&
      !(fillsLine(line, previous, right) && (hasWordsOf(line, previous) || hasWordsOf(previous, line)))
    )
      return true;
    const step = line.baseline - previous.baseline;
    const usual = pitch.get(sizeKey(isOfOneSize || line.fontSize > size ? line : previous)) ?? size * 1.2;
    const isDouble = Math.abs(step - double) < size * 0.05 && isWide(previous) && fillsLine(line, previous, edge);
    if (step > Math.max(usual * 1.25, usual + 1.5) && !isDouble) return true;
    if (isBold(line) !== isBold(previous) && !goesOnInItem(line, previous, block) && !runsOver(line, previous, block))
      return true;
    if (isBold(line) && startsSection(line) && startsSection(previous)) return true;
    if (isOfOtherFace(line, previous) && !isBold(line)) {
      // A title in its own type over text that goes on in another; what a sentence quotes in one is a line at most.
      if (previous.fontSize > line.fontSize * 1.05 && next?.words[0]?.face === line.words[0]?.face) return true;
      if (!fillsLine(line, previous, edge) && !hangsUnderItem(line, block)) return true;
    }
    if (isTitleBelow(line, previous, block)) return true;
    if (line.direction !== previous.direction) return true;
    if (line.words[0]?.raised) return true;
    if (
      (startsItem(line) && !isDashInText(line, previous, block) && !goesOn(line, previous, block)) ||
      startsPart(line, block)
    )
      return true;
    if (line.direction === 'rtl') return false;
    if (isAfterComment(line, previous)) return true;
    const first = block.lines[0] ?? previous;
    // A row of cells is a line of its own; a term has the lines beside it that explain it.
    const goesOnInSentence = runsOnInSentence(line, previous);
    if (hasCells(line) && !goesOnInSentence) return true;
    if (hangsUnderMeaning(line, first)) return false;
    if (hasCells(previous) && !goesOnInSentence) return true;
    const item = startsItem(first);
    const indent = line.x0 - previous.x0;
    if (isCentred(line, previous) || hangsUnderTitle(line, block)) return false;
    // The first line of a paragraph is set in, and the line after it comes back; within an item the text hangs.
    if (!item && indent > size * 0.8 && (next === undefined || next.x0 < line.x0 - size * 0.5)) {
      return previous.x1 < right - size * 2 || Math.abs(previous.x0 - left) < size * 3;
    }
    if (item && leavesItem(line, previous, block)) return true;
    // An item ends where a line stands left of its text.
    if (item && line.x0 < first.x0 + size * 0.3 && block.lines.length > 1 && indent < -size * 0.8) return true;
    // Of paragraphs that are numbered only the first line is set in: so is that of the next one.
    const [, second] = block.lines;
    const isSetIn = second !== undefined && second.x0 < first.x0 - size * 0.8;
    if (item && isSetIn && indent > size * 0.8 && Math.abs(line.x0 - first.x0) < size * 0.3) return true;
    const runsOn = isWithinSentence(line, previous) || (fillsLine(line, previous, edge) && !endsSentence(previous));
    return item && block.lines.length === 1 && line.x0 < first.x0 - size * 0.3 && !runsOn;
  }
}

/** Are words of a line in the size of another? Code and names that are set smaller may be most of a line. */
const hasWordsOf = ({ words }: LaidLine, { fontSize }: LaidLine): boolean =>
  words.some((word) => !word.raised && hasLetter(word) && Math.abs(word.fontSize - fontSize) < fontSize * 0.02);

/** Of base lines, in ems: two empty lines may stand within a program. */
const MOST_STEP_IN_CODE = 4;
const MOST_STEP_IN_ITEM = 1.6;

/** Begins a line as sentences do, none of which is set in the typeface of the one before it? So are titles whose fonts do not tell that they are bold. */
function isOfOtherFace({ words }: LaidLine, previous: LaidLine): boolean {
  const [first] = words;
  if (first?.face === undefined || first.face === previous.words.at(-1)?.face || !previous.words.some(hasLetter))
    return false;
  if (!/^[\p{Lu}\p{N}(“"]/u.test(first.text) || !words.some(({ text }) => /\p{L}{2}/u.test(text))) return false;
  const faces = new Set(previous.words.map(({ face }) => face));
  return words.every(({ face }) => !faces.has(face));
}

/** The second line of a numbered title stands under the first one's words, not under its number. */
function hangsUnderTitle(line: LaidLine, block: LaidBlock): boolean {
  const [first] = block.lines;
  const [number, word] = first?.words ?? [];
  if (block.lines.length > 2 || number === undefined || word === undefined || !isBold(line)) return false;
  return /^(\d{1,3}|[A-Z])(\.\d{1,3})*\.?$/.test(number.text) && Math.abs(line.x0 - word.x0) < line.fontSize * 0.5;
}

/** Stands the line under the words of an item? */
function hangsUnderItem(line: LaidLine, { lines: [first] }: LaidBlock): boolean {
  const marker = first === undefined ? undefined : parseMarker(first.words);
  const word = first?.words[marker?.wordCount ?? 0];
  if (marker === undefined || word === undefined) return false;
  return marker.wordCount > 0 && Math.abs(line.x0 - word.x0) < line.fontSize * 0.5;
}

/** In ems, between a term and what it means: more than justified lines have between words. */
const TERM_GAP = 0.6;

/** Stands the line under what explains the term that the first one begins with? */
function hangsUnderMeaning(line: LaidLine, { words, apart, fontSize }: LaidLine): boolean {
  if (apart.size > 1) return false;
  const at = words.findIndex(({ x0 }, index) => index > 0 && x0 - (words[index - 1]?.x1 ?? x0) > fontSize * TERM_GAP);
  return at > 0 && Math.abs(line.x0 - (words[at]?.x0 ?? 0)) < fontSize * 0.2;
}

/** "4.1." below "4.": a part of the item, as in a table of contents. */
function startsPart({ words: [number] }: LaidLine, { lines: [first] }: LaidBlock): boolean {
  const item = /^(\d{1,2}\.)/.exec(first?.words[0]?.text ?? '')?.[1];
  return (
    item !== undefined &&
    number !== undefined &&
    /^(\d{1,2}\.)+\d{1,2}\.$/.test(number.text) &&
    number.text.startsWith(item)
  );
}

const startsSection = ({ words }: LaidLine): boolean => /^\d{1,2}(\.\d{1,2})*\.?$/.test(words[0]?.text ?? '');

/** Ended the line of a program before this one with a comment, under which this one does not go on? */
function isAfterComment({ x0, fontSize }: LaidLine, { words }: LaidLine): boolean {
  const at = words.findIndex(({ text }, index) => index > 0 && /^\/\/(?!\S*\/)/.test(text));
  const comment = words[at];
  const isCommand = words.slice(0, at).some(({ text }) => /[=←;{}[\]]|^\+\+?$|\+\+|\w\(/.test(text));
  return comment !== undefined && isCommand && x0 < comment.x0 - fontSize;
}

/** Has the line wide space in it that a list marker does not explain? */
export function hasCells(line: LaidLine): boolean {
  if (line.apart.size === 0) return false;
  const marker = parseMarker(line.words);
  return line.apart.size > 1 || marker === undefined || !line.apart.has(marker.wordCount);
}

/** In ems, between two words of a sentence. */
const MOST_GAP = 2.5;

const hasWideGap = ({ apart, words, fontSize }: LaidLine): boolean =>
  [...apart].some((index) => (words[index]?.x0 ?? 0) - (words[index - 1]?.x1 ?? 0) > fontSize * MOST_GAP);

/** Stands the sign between words of the block, and not before them? */
function isSeparated(sign: string, { lines }: LaidBlock): boolean {
  const words = lines.flatMap((line) => line.words);
  return parseMarker(words) === undefined && words.some(({ text }) => text === sign);
}

function startsItem(line: LaidLine): boolean {
  return parseMarker(line.words) !== undefined;
}

function usualLeft(lines: readonly LaidLine[]): number {
  const counts = new Map<number, number>();
  let best = 0;
  for (const { x0 } of lines) {
    const slot = Math.round(x0);
    const count = (counts.get(slot) ?? 0) + 1;
    counts.set(slot, count);
    if (count > (counts.get(best) ?? 0)) best = slot;
  }
  return best;
}
