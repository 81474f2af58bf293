import type { LaidLine, PlacedWord } from './laid.js';

/** What a recogniser takes a bullet for; other signs and letters too, where more than the space between words follows them. */
const LIKE_BULLET = /^([©®¢«°¤*]|e«|[‘'][*°])$/;
const RARELY_BULLET = /^[eo+=]$/;
const LEAST_GAP_EM = 0.5;
const GLUED_BULLET = /^[¢«](?=\p{L}{2})/u;

/** Makes markers of items, in place, of what a recogniser has taken them for. `lines`: those of a page. */
export function restoreMarkers(lines: readonly LaidLine[]): void {
  restoreBullets(lines);
  restoreNumbers(lines);
}

function restoreBullets(lines: readonly LaidLine[]): void {
  const isQuoting = lines.some(({ words }) => words.some(({ text }) => text.includes('»')));
  for (const line of lines) {
    const [first, second] = line.words;
    if (first === undefined || second === undefined || (isQuoting && first.text.startsWith('«'))) continue;
    const isApart = second.x0 - first.x1 > line.fontSize * LEAST_GAP_EM;
    if (LIKE_BULLET.test(first.text) ? !/^\d/.test(second.text) : isApart && RARELY_BULLET.test(first.text))
      first.text = '•';
    else if (GLUED_BULLET.test(first.text)) partMarker(line, '•', 1);
  }
}

/** The number of an item in front of its text; without its sign, or with a comma in its place, which is told by its neighbours. */
const NUMBER = /^(\d{1,2})([.)])(\p{Lu}.*)?$/u;
const UNSIGNED = /^(\d{1,2}),?$/;

interface Numbered {
  line: LaidLine;
  number: number;
  sign: string;
}

/** The numbers of a list stand one below the other, and one of them tells of the next how it is written. */
function restoreNumbers(lines: readonly LaidLine[]): void {
  const numbered: Numbered[] = [];
  const unsigned: Numbered[] = [];
  for (const line of lines) {
    const [{ text = '' } = {}, second] = line.words;
    const [, number, sign = '', glued] = NUMBER.exec(text) ?? [];
    if (number !== undefined && (glued !== undefined || second !== undefined))
      numbered.push({ line, number: Number(number), sign });
    else if (/^\p{Lu}/u.test(second?.text ?? '') && UNSIGNED.test(text))
      unsigned.push({ line, number: Number.parseInt(text, 10), sign });
  }
  for (const item of numbered) {
    const length = `${item.number}.`.length;
    if ((item.line.words[0]?.text.length ?? 0) > length && numbered.some((other) => areNeighbours(item, other)))
      partMarker(item.line, item.line.words[0]?.text.slice(0, length) ?? '', length);
  }
  for (const { line, number } of unsigned) {
    const neighbour = numbered.find((other) => areNeighbours({ line, number }, other));
    const [first] = line.words;
    if (neighbour !== undefined && first !== undefined) first.text = `${number}${neighbour.sign}`;
  }
}

function areNeighbours(a: Omit<Numbered, 'sign'>, b: Omit<Numbered, 'sign'>): boolean {
  const isNext = a.number + 1 === b.number ? b.line.y0 > a.line.y1 : a.number === b.number + 1 && a.line.y0 > b.line.y1;
  return isNext && Math.abs(a.line.x0 - b.line.x0) < a.line.fontSize / 2;
}

/** Parts a marker, in place, from the text that it is glued to. `length`: characters that it was read as. */
function partMarker(line: LaidLine, marker: string, length: number): void {
  const [word] = line.words;
  if (word === undefined) return;
  const end = word.x0 + ((word.x1 - word.x0) * length) / word.text.length;
  const parts: PlacedWord[] = [
    { ...word, text: marker, x1: end },
    { ...word, text: word.text.slice(length), x0: end },
  ];
  line.words.splice(0, 1, ...parts);
  line.apart = new Set([...line.apart].map((index) => index + 1));
}
