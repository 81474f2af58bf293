import type { Fragment, PageWord } from '../../../model/page.js';

/** Signs that a recogniser reads in place of a bullet. */
const BULLET_MISREADINGS = /^([©®¢«°¤*]|e«|[‘'][*°])$/;
/** Letters and signs that are bullets only where more than the space between words follows them. */
const RARE_BULLET_MISREADINGS = /^[eo+=]$/;
const MIN_BULLET_GAP_EM = 0.5;
const GLUED_BULLET_MISREADINGS = /^[¢«](?=\p{L}{2})/u;

/** Restores the markers of list items, in place, from what a recogniser read in their stead. `lines`: those of one page. */
export function restoreMarkers(lines: readonly Fragment[]): void {
  restoreBullets(lines);
  restoreNumbers(lines);
}

function restoreBullets(lines: readonly Fragment[]): void {
  const isQuoting = lines.some(({ words }) => words.some(({ text }) => text.includes('»')));
  for (const line of lines) {
    const [first, second] = line.words;
    if (first === undefined || second === undefined || (isQuoting && first.text.startsWith('«'))) continue;
    const isApart = second.x0 - first.x1 > line.fontSize * MIN_BULLET_GAP_EM;
    if (
      BULLET_MISREADINGS.test(first.text)
        ? !/^\d/.test(second.text)
        : isApart && RARE_BULLET_MISREADINGS.test(first.text)
    )
      first.text = '•';
    else if (GLUED_BULLET_MISREADINGS.test(first.text)) partMarker(line, '•');
  }
}

/** The number of an item in front of its text. */
const NUMBER = /^(\d{1,2})([.)])(\p{Lu}.*)?$/u;
/** The number of an item without its sign, or with another sign in place of the stop: its neighbours tell the right one. */
const UNSIGNED = /^(\d{1,2})([,:;]?)$/;

interface Unsigned {
  line: Fragment;
  /** The number as written: "3" or "03". */
  digits: string;
}

interface Numbered extends Unsigned {
  sign: string;
  isGlued: boolean;
}

/** Numbers of a list stand one below the other, and each tells how its neighbours are written. */
function restoreNumbers(lines: readonly Fragment[]): void {
  const numbered: Numbered[] = [];
  const unsigned: Unsigned[] = [];
  for (const line of lines) {
    const [{ text = '' } = {}, second] = line.words;
    const [, digits, sign = '', glued] = NUMBER.exec(text) ?? [];
    const [, bare, mistaken] = UNSIGNED.exec(text) ?? [];
    const isGlued = glued !== undefined;
    if (digits !== undefined && (isGlued || second !== undefined)) numbered.push({ line, digits, sign, isGlued });
    else if (bare !== undefined && second !== undefined && (mistaken !== '' || /^\p{Lu}/u.test(second.text)))
      unsigned.push({ line, digits: bare });
  }
  for (const item of numbered) {
    const marker = item.digits + item.sign;
    if (item.isGlued && numbered.some((other) => areNeighbours(item, other))) partMarker(item.line, marker);
  }
  for (const item of unsigned) {
    const neighbour = numbered.find(
      (other) =>
        areNeighbours(item, other) && lacksSign(item, other) && !lines.some((line) => isBetween(line, item, other)),
    );
    const [first] = item.line.words;
    if (neighbour !== undefined && first !== undefined) first.text = item.digits + neighbour.sign;
  }
}

function areNeighbours(a: Unsigned, b: Unsigned): boolean {
  const step = Number(b.digits) - Number(a.digits);
  const isNext = step === 1 ? b.line.y0 > a.line.y1 : step === -1 && a.line.y0 > b.line.y1;
  return isNext && Math.abs(a.line.x0 - b.line.x0) < a.line.fontSize / 2;
}

/** A little less than the width of a full stop. */
const MIN_SIGN_WIDTH_EM = 0.12;

/** True when there is room for an unread sign behind the number, or its text begins where the neighbour's does. Lines that are no items begin with a number too. */
function lacksSign(item: Unsigned, neighbour: Numbered): boolean {
  const [number, text] = item.line.words;
  const [marker, beside] = neighbour.line.words;
  if (number === undefined || text === undefined || marker === undefined || beside === undefined) return false;
  if (number.text !== item.digits) return true;
  const least = item.line.fontSize * MIN_SIGN_WIDTH_EM;
  return text.x0 - number.x1 > beside.x0 - marker.x1 + least || Math.abs(text.x0 - beside.x0) < least;
}

/** True when the line stands between both, and no further in than their numbers. The text of an item hangs further in. */
function isBetween(line: Fragment, a: Unsigned, b: Unsigned): boolean {
  const [upper, lower] = a.line.y0 < b.line.y0 ? [a.line, b.line] : [b.line, a.line];
  const middle = (line.y0 + line.y1) / 2;
  if (middle <= upper.y1 || middle >= lower.y0) return false;
  return line.x1 > upper.x0 && line.x0 < upper.x0 + upper.fontSize / 2;
}

/** Cuts a marker, in place, from the text that it was read together with. It has as many characters as were read for it. */
function partMarker(line: Fragment, marker: string): void {
  const [word] = line.words;
  if (word === undefined) return;
  const end = word.x0 + ((word.x1 - word.x0) * marker.length) / word.text.length;
  const parts: PageWord[] = [
    { ...word, text: marker, x1: end },
    { ...word, text: word.text.slice(marker.length), x0: end },
  ];
  line.words.splice(0, 1, ...parts);
  line.apart = new Set([...(line.apart ?? [])].map((index) => index + 1));
}
