import type { Fragment, PageWord } from '../../../model/page.js';

/** What a recogniser takes a bullet for; other signs and letters too, where more than the space between words follows them. */
const LIKE_BULLET = /^([©®¢«°¤*]|e«|[‘'][*°])$/;
const RARELY_BULLET = /^[eo+=]$/;
const LEAST_GAP_EM = 0.5;
const GLUED_BULLET = /^[¢«](?=\p{L}{2})/u;

/** Makes markers of items, in place, of what a recogniser has taken them for. `lines`: those of a page. */
export function restoreMarkers(lines: readonly Fragment[]): void {
  restoreBullets(lines);
  restoreNumbers(lines);
}

function restoreBullets(lines: readonly Fragment[]): void {
  const isQuoting = lines.some(({ words }) => words.some(({ text }) => text.includes('»')));
  for (const line of lines) {
    const [first, second] = line.words;
    if (first === undefined || second === undefined || (isQuoting && first.text.startsWith('«'))) continue;
    const isApart = second.x0 - first.x1 > line.fontSize * LEAST_GAP_EM;
    if (LIKE_BULLET.test(first.text) ? !/^\d/.test(second.text) : isApart && RARELY_BULLET.test(first.text))
      first.text = '•';
    else if (GLUED_BULLET.test(first.text)) partMarker(line, '•');
  }
}

/** The number of an item in front of its text; without its sign, or with another in place of the stop, which is told by its neighbours. */
const NUMBER = /^(\d{1,2})([.)])(\p{Lu}.*)?$/u;
const UNSIGNED = /^(\d{1,2})([,:;]?)$/;

interface Unsigned {
  line: Fragment;
  /** "3", also "03". */
  digits: string;
}

interface Numbered extends Unsigned {
  sign: string;
  isGlued: boolean;
}

/** The numbers of a list stand one below the other, and one of them tells of the next how it is written. */
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

/** In ems: less than the width of a stop. */
const LEAST_ROOM_OF_SIGN = 0.12;

/** Is there room for a sign behind the number, as where none was read, or the text as far in as the neighbour's? Other lines begin with a number too. */
function lacksSign(item: Unsigned, neighbour: Numbered): boolean {
  const [number, text] = item.line.words;
  const [marker, beside] = neighbour.line.words;
  if (number === undefined || text === undefined || marker === undefined || beside === undefined) return false;
  if (number.text !== item.digits) return true;
  const least = item.line.fontSize * LEAST_ROOM_OF_SIGN;
  return text.x0 - number.x1 > beside.x0 - marker.x1 + least || Math.abs(text.x0 - beside.x0) < least;
}

/** Stands the line between both, and no further in than their numbers? The text of an item hangs. */
function isBetween(line: Fragment, a: Unsigned, b: Unsigned): boolean {
  const [upper, lower] = a.line.y0 < b.line.y0 ? [a.line, b.line] : [b.line, a.line];
  const middle = (line.y0 + line.y1) / 2;
  if (middle <= upper.y1 || middle >= lower.y0) return false;
  return line.x1 > upper.x0 && line.x0 < upper.x0 + upper.fontSize / 2;
}

/** Parts a marker, in place, from the text that it is glued to: it was read as as many characters as it has. */
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
