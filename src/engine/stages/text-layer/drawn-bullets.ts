import type { Area } from '../../model/geometry.js';
import type { PageWord } from '../../model/page.js';
import { wordsNear } from './words-near.js';

/** Largest distance of a bullet from its item, and its largest size, in ems. */
const MAX_GAP_EM = 2.5;
const MAX_BULLET_SIZE_EM = 0.5;
/** Largest size of a shape that is drawn around the number of an item. */
const MAX_DISC_SIZE_EM = 2;
const NUMBER = /^[1-9]\d?$/;
const BULLET = /^[•◦▪▫‣]$/;

/** A small shape, the word behind it, as behind a bullet, and the number that it is drawn around. */
interface DrawnMarker {
  dot: Area;
  word: PageWord;
  number?: PageWord;
}

/**
 * Puts a bullet before each upright word that a drawn dot marks. Browsers draw the bullets of lists instead of setting them,
 * presentations draw shaded balls. A dot marks a word when it is at the height of the word's small letters, with nothing
 * on the dot's other side, and another such dot is below or above it. Numbers within discs that count up mark list items:
 * each gets a full stop and the size of its item. Smaller numbers belong to notes.
 */
export function addDrawnBullets(words: PageWord[], dots: readonly Area[]): PageWord[] {
  if (dots.length === 0) return words;
  const rows = [...words].sort((a, b) => a.baseline - b.baseline);
  const fromRight = rows.filter(({ text }) => RIGHT_TO_LEFT.test(text)).length > rows.length / 2;
  const marks = dots.filter((dot) => !isInRow(dot, dots));
  const found = marks.flatMap((dot) => markerOf(wordsNear(rows, dot), dot, fromRight) ?? []);
  const numbered = found.filter(isNumbered);
  // A disc that is shaded ring by ring has more dots within it.
  const ofNumbers = new Set(numbered.map(({ word }) => word));
  const before = new Map<PageWord, PageWord>();
  for (const marker of found) {
    const { dot, word } = marker;
    if (ofNumbers.has(word)) continue;
    // A single dot may be a mark of a diagram.
    if (!found.some((other) => other.word !== word && areAligned(other, marker))) continue;
    const { link: _, ...plain } = word;
    before.set(word, { ...plain, text: '•', x0: dot.x0, x1: dot.x1, bold: false });
  }
  const numbers = new Map<PageWord, PageWord>();
  for (const { number, word } of inSequence(numbered)) {
    const { fontSize, baseline } = word;
    numbers.set(number, { ...number, fontSize, baseline, text: `${number.text}.` });
  }
  return words.flatMap((word) => [before.get(word) ?? [], numbers.get(word) ?? word].flat());
}

/** Distance to the next dots of a leader or of a dotted rule, as a ratio to their width, and how many are near. */
const MAX_STEP_RATIO = 5;
const MIN_NEAR_DOTS = 2;

/** True for a dot in a row of such, as a browser draws the leaders of a menu. */
function isInRow(dot: Area, dots: readonly Area[]): boolean {
  const width = dot.x1 - dot.x0;
  const isNext = (other: Area) =>
    Math.abs(other.x0 - dot.x0) >= width &&
    Math.abs(other.x0 - dot.x0) <= width * MAX_STEP_RATIO &&
    [other.y0 - dot.y0, other.y1 - dot.y1].every((difference) => Math.abs(difference) < width / 4);
  return dots.filter(isNext).length >= MIN_NEAR_DOTS;
}

type Numbered = DrawnMarker & { number: PageWord };

const isNumbered = (marker: DrawnMarker): marker is Numbered => marker.number !== undefined;

const areAligned = (a: { dot: Area }, b: { dot: Area }): boolean => Math.abs(a.dot.x0 - b.dot.x0) < 1;

/** Least count of numbers in a list that continues from another page. */
const MIN_COUNTED = 3;

/** The numbers that rise by one, one below the other, from 1 or for a while. Counts of things, dates and grades stand in discs too. */
function inSequence(markers: readonly Numbered[]): Numbered[] {
  const runs: Numbered[][] = [];
  for (const marker of [...markers].sort((a, b) => a.dot.y0 - b.dot.y0)) {
    const above = runs.findLast(([first]) => first !== undefined && areAligned(first, marker));
    if (Number(above?.at(-1)?.number.text) + 1 === Number(marker.number.text)) above?.push(marker);
    else runs.push([marker]);
  }
  return runs.filter((run) => run.length >= (run[0]?.number.text === '1' ? 2 : MIN_COUNTED)).flat();
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

function markerOf(near: readonly PageWord[], dot: Area, fromRight: boolean): DrawnMarker | undefined {
  const number = near.find((word) => NUMBER.test(word.text) && isInside(word, dot));
  const others = number === undefined ? near : near.filter((word) => word !== number);
  const mostSize = number === undefined ? MAX_BULLET_SIZE_EM : MAX_DISC_SIZE_EM;
  const after = (right: boolean) => wordAfter(others, dot, mostSize, right);
  const word = after(false) ?? (fromRight ? after(true) : undefined);
  if (word === undefined || BULLET.test(word.text)) return undefined;
  if (number === undefined) return { dot, word };
  // Diagrams and tables have numbers in boxes beside each other.
  return /^\d+$/.test(word.text) ? undefined : { dot, word, number };
}

function isInside({ x0, x1, y0, y1 }: PageWord, dot: Area): boolean {
  const y = (y0 + y1) / 2;
  return x0 >= dot.x0 && x1 <= dot.x1 && y > dot.y0 && y < dot.y1;
}

/** The word whose bullet the dot is. */
function wordAfter(near: readonly PageWord[], dot: Area, mostSize: number, fromRight: boolean): PageWord | undefined {
  const y = (dot.y0 + dot.y1) / 2;
  let next: PageWord | undefined;
  let nearest = Infinity;
  for (const word of near) {
    const { fontSize, baseline } = word;
    const rise = (baseline - y) / fontSize;
    if (rise < 0.1 || rise > 0.55 || dot.y1 - dot.y0 > fontSize * mostSize) continue;
    const after = fromRight ? dot.x0 - word.x1 : word.x0 - dot.x1;
    const before = fromRight ? word.x0 - dot.x1 : dot.x0 - word.x1;
    // A word before the dot, or under it.
    if (after < 0) {
      if (before < fontSize * MAX_GAP_EM) return undefined;
    } else if (after < Math.min(fontSize * MAX_GAP_EM, nearest)) [next, nearest] = [word, after];
  }
  return next;
}
