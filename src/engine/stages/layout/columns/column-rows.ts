import type { Fragment } from '../../../model/page.js';
import type { Span } from '../lines/strips.js';
import { MOST_AFTER_MARKER } from '../lists/parted-items.js';

/** A line of what may be a column. */
export interface Row {
  x0: number;
  x1: number;
  y: number;
  size: number;
  characters: number;
  /** Wide space stands in it, as between cells. */
  parted: boolean;
  /** Its first part holds no letters. */
  figures: boolean;
  /** Characters of the longest part, of the first and of the last. */
  longest: number;
  first: number;
  last: number;
}

/** The lines of a side, from the top. */
export function rowsOf(fragments: Fragment[]): Row[] {
  const rows: Row[] = [];
  for (const fragment of [...fragments].sort((a, b) => a.baseline - b.baseline || a.x0 - b.x0)) {
    const last = rows.at(-1);
    const characters = fragment.words.reduce((sum, word) => sum + word.text.length + 1, 0);
    if (last !== undefined && Math.abs(last.y - fragment.baseline) < fragment.fontSize * 0.4) {
      // What stands before the space may be a list marker, though none stands so far from its item.
      if (last.characters > 5 || fragment.x0 - last.x1 > fragment.fontSize * MOST_AFTER_MARKER) last.parted = true;
      last.last = characters;
      last.longest = Math.max(last.longest, characters);
      last.x0 = Math.min(last.x0, fragment.x0);
      last.x1 = Math.max(last.x1, fragment.x1);
      last.characters += characters;
    } else {
      const { x0, x1, baseline, fontSize } = fragment;
      rows.push({
        x0,
        x1,
        y: baseline,
        size: fontSize,
        characters,
        parted: false,
        figures: fragment.words.every(({ text }) => !/\p{L}/u.test(text)),
        longest: characters,
        first: characters,
        last: characters,
      });
    }
  }
  return rows;
}

/** Of a column of prose: so many of its lines may run out of it, as those of a program do. */
export const MOST_RUNNING_OUT = 0.08;

/** Share of lines that fill most of their column, but for a share that runs out of it, and are long enough to be part of a sentence. */
export function proseShare(rows: readonly Row[], runningOut: number): number {
  const x0 = Math.min(...rows.map((row) => row.x0));
  const ends = rows.map((row) => row.x1).sort((a, b) => b - a);
  const x1 = ends[Math.floor(rows.length * runningOut)] ?? x0;
  const full = rows.filter((row) => row.x1 - row.x0 > (x1 - x0) * 0.7 && row.longest >= 18);
  return full.length / rows.length;
}

/** Of the lines of a text beside another: so many are one text each. */
export const LEAST_WHOLE = 0.7;

/** Share of lines that are one text each, and more than a marker. */
export const wholeShare = (rows: readonly Row[]): number =>
  rows.filter(({ parted, characters }) => !parted && characters >= 8).length / rows.length;

const unpartedShare = (rows: readonly Row[]): number => rows.filter(({ parted }) => !parted).length / rows.length;

/** Lines of an index or of verse fill no column, but their columns are alike: as wide as each other, one text in each line. */
export function areHalves(left: Row[], right: Row[]): boolean {
  if (Math.min(left.length, right.length) < 6 || Math.min(wholeShare(left), wholeShare(right)) < 0.85) return false;
  const [a, b] = [left, right].map((rows) => {
    const x0 = Math.min(...rows.map((row) => row.x0));
    return Math.max(...rows.map((row) => row.x1)) - x0;
  });
  if (a === undefined || b === undefined) return false;
  return Math.abs(a - b) < Math.max(a, b) * 0.15 && Math.min(a, b) > 12 * (left[0]?.size ?? 10);
}

/** Share of the lines at the right without one level with them at the left. */
export const unlevelShare = (left: readonly Row[], right: readonly Row[]): number =>
  unlevel(left, right).length / right.length;

/** The lines at the right without one level with them at the left. */
function unlevel(left: readonly Row[], right: readonly Row[]): Row[] {
  // Both are sorted by y: what lies above one row by more than that lies above the next one too.
  let from = 0;
  return right.filter((row) => {
    while (from < left.length && (left[from]?.y ?? 0) < row.y - row.size) from++;
    for (let index = from; index < left.length; index++) {
      const { y, size } = left[index] ?? row;
      if (Math.abs(y - row.y) < Math.min(size, row.size) * 0.25) return false;
      if (y > row.y + row.size) break;
    }
    return true;
  });
}

/** Of the lines of each of two texts: so few stand level with one of the other by chance. */
const MOST_LEVEL = 0.4;
const LEAST_BESIDE = 6;
/** Of the lines of a text of many titles. */
const LEAST_CLOSE = 0.2;
/** Of their lines: the labels of a drawing begin anywhere, and are no sentences. */
const LEAST_FLUSH = 0.85;
/** In ems: lines begin at one place that are off it by less. */
const MOST_OFF = 0.1;
const LEAST_SENTENCES = 0.15;

/**
 * Are these two texts, though their lines are too short to fill a column, as those at the side of a résumé are? The lines of
 * each are one text, and not level with the other's: those of a table are, and labels stand further apart.
 */
export function areTextsBeside(left: readonly Row[], right: readonly Row[]): boolean {
  const from = Math.max(left[0]?.y ?? 0, right[0]?.y ?? 0);
  const to = Math.min(left.at(-1)?.y ?? 0, right.at(-1)?.y ?? 0);
  const beside = (rows: readonly Row[]) => rows.filter(({ y, size }) => y > from - size && y < to + size);
  const [a, b] = [beside(left), beside(right)];
  const sides = [a, b];
  if (Math.min(a.length, b.length) < LEAST_BESIDE) return false;
  if (!sides.every((rows) => unpartedShare(rows) > LEAST_WHOLE && areClose(rows, LEAST_CLOSE))) return false;
  if (!sides.every((rows) => flushShare(rows) >= LEAST_FLUSH)) return false;
  if (!sides.some((rows) => proseShare(rows, 0) >= LEAST_SENTENCES)) return false;
  return Math.min(unlevelShare(a, b), unlevelShare(b, a)) > 1 - MOST_LEVEL;
}

/** Share of the lines that begin where most do, or at the next place: that of its items. */
function flushShare(rows: readonly Row[]): number {
  const counts: number[] = [];
  let place: Row | undefined;
  for (const row of [...rows].sort((a, b) => a.x0 - b.x0)) {
    if (place === undefined || row.x0 - place.x0 > place.size * MOST_OFF) {
      place = row;
      counts.push(0);
    }
    counts.push((counts.pop() ?? 0) + 1);
  }
  const [most = 0, next = 0] = counts.sort((a, b) => b - a);
  return (most + next) / rows.length;
}

/** Of the lines of prose: so many fill their column. */
const LEAST_FULL = 0.6;
const LEAST_PROSE = 6;
/** In ems, between the lines of a text; labels of fields stand further apart. */
const MOST_STEP = 1.6;

/** Are these notes beside prose, or fields, with whose lines theirs are not level? What explains a label has a line beside each of it. */
export function areNotes(notes: readonly Row[], prose: readonly Row[]): boolean {
  if (prose.length < LEAST_PROSE || proseShare(prose, 0) < LEAST_FULL || !areClose(prose)) return false;
  if (unlevelShare(prose, notes) < 0.5) return false;
  return wholeShare(notes) > LEAST_WHOLE ? areClose(notes) : areFieldsBeside(notes, prose);
}

/** A row or two may be set about the middle of what they explain. */
const LEAST_FIELDS = 3;

/** Stand several rows next to each paragraph that has any beside it, level with none of its lines? */
function areFieldsBeside(rows: readonly Row[], prose: readonly Row[]): boolean {
  const fields = rows.filter(({ parted }) => parted);
  if (fields.length < LEAST_FIELDS || distance(fields, prose) > distance(rows, prose) + (rows[0]?.size ?? 0))
    return false;
  const beside = unlevel(prose, fields).map(({ y }) => paragraphAt(prose, y));
  const paragraphs = new Set(beside.filter((paragraph) => paragraph !== undefined));
  return beside.length >= LEAST_FIELDS && paragraphs.size * 2 <= beside.length;
}

/** From one side to the other. */
function distance(a: readonly Row[], b: readonly Row[]): number {
  const [first, second] = [a, b].map((rows) => ({
    x0: Math.min(...rows.map(({ x0 }) => x0)),
    x1: Math.max(...rows.map(({ x1 }) => x1)),
  })) as [Span, Span];
  return Math.max(first.x0 - second.x1, second.x0 - first.x1);
}

/** The first line of the paragraph that stands on both sides of a height. */
function paragraphAt(prose: readonly Row[], y: number): Row | undefined {
  const below = prose.findIndex((row) => row.y > y);
  const isStart = (row: Row, above: Row | undefined) => above === undefined || row.y - above.y > row.size * MOST_STEP;
  const [next, last] = [prose[below], prose[below - 1]];
  if (next === undefined || last === undefined || isStart(next, last)) return undefined;
  return prose.slice(0, below).findLast((row, index) => isStart(row, prose[index - 1]));
}

/** Stand most lines, or at least a share of them, as close to each other as those of a text? */
export const areClose = (rows: readonly Row[], least = 0.5): boolean =>
  rows.filter(({ y, size }, index) => y - (rows[index - 1]?.y ?? -Infinity) < size * MOST_STEP).length >=
  rows.length * least;
