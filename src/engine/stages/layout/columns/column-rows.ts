import { countWithSpaces } from '../../../model/fragment.js';
import { extentOf, gapBetween, type Span } from '../../../model/geometry.js';
import { splitWhere } from '../../../model/groups.js';
import type { Fragment } from '../../../model/page.js';
import { hasLetter } from '../../../model/text-direction.js';
import { beginsSmall } from '../lines/line-room.js';
import { MAX_MARKER_GAP_EM } from '../lists/parted-items.js';

/** A line of a side that may be a column. */
export interface Row extends Span {
  y: number;
  size: number;
  characters: number;
  /** True when wide space stands in it, as between cells. */
  parted: boolean;
  /** True when its first part holds no letters. */
  figures: boolean;
  /** True when its last part holds none. */
  amount: boolean;
  /** True when it begins with a small letter, within a sentence. */
  goesOn: boolean;
  /** Characters of the longest part, of the first and of the last. */
  longest: number;
  first: number;
  last: number;
}

/** The lines of a side, from the top. */
export function rowsOf(fragments: readonly Fragment[]): Row[] {
  const rows: Row[] = [];
  for (const fragment of [...fragments].sort((a, b) => a.baseline - b.baseline || a.x0 - b.x0)) {
    const { x0, x1, baseline: y, fontSize: size } = fragment;
    const count = countWithSpaces(fragment);
    const row = rows.at(-1);
    if (row === undefined || Math.abs(row.y - y) >= size * 0.4) {
      const figures = !fragment.words.some(hasLetter);
      const counts = { characters: count, longest: count, first: count, last: count };
      rows.push({ x0, x1, y, size, parted: false, figures, amount: figures, goesOn: beginsSmall(fragment), ...counts });
      continue;
    }
    // The text before the space may be a list marker, though no marker stands so far from its item.
    if (row.characters > 5 || x0 - row.x1 > size * MAX_MARKER_GAP_EM) row.parted = true;
    row.x0 = Math.min(row.x0, x0);
    row.x1 = Math.max(row.x1, x1);
    row.characters += count;
    row.longest = Math.max(row.longest, count);
    row.last = count;
    row.amount = !fragment.words.some(hasLetter);
  }
  return rows;
}

/** True when each of them stands in a row of its own. */
export const standInOwnRows = (fragments: readonly Fragment[]): boolean =>
  rowsOf(fragments).length === fragments.length;

/** Share of the lines of a column of prose that may run out of it, as those of a program do. */
export const MAX_RUNNING_OUT_SHARE = 0.08;

/** Share of lines that fill most of their column and are long enough to be part of a sentence. A share of the lines may run out of it. */
export const proseShare = (rows: readonly Row[], runningOut: number): number =>
  fullRows(rows, runningOut).filter(Boolean).length / rows.length;

/** For each line, whether it fills most of its column and is long enough to be part of a sentence. */
function fullRows(rows: readonly Row[], runningOut: number): boolean[] {
  const { x0 } = extentOf(rows);
  const ends = rows.map((row) => row.x1).sort((a, b) => b - a);
  const x1 = ends[Math.floor(rows.length * runningOut)] ?? x0;
  return rows.map((row) => row.x1 - row.x0 > (x1 - x0) * 0.7 && row.longest >= 18);
}

/** Lines of a text below or above the labels of a drawing, and those of them that fill the column. */
const STRETCH = 12;
const MIN_FULL_LINES = 9;

/** True when some successive lines are prose, whatever stands above and below them. */
export function holdsProse(rows: readonly Row[], runningOut: number): boolean {
  const full = fullRows(rows, runningOut);
  return full.some((_, at) => full.slice(at, at + STRETCH).filter(Boolean).length >= MIN_FULL_LINES);
}

/** Share of the lines of a text beside another that are one text each. */
export const MIN_WHOLE_SHARE = 0.7;

/** Share of lines that are one text each, and more than a marker. */
export const wholeShare = (rows: readonly Row[]): number =>
  rows.filter(({ parted, characters }) => !parted && characters >= 8).length / rows.length;

/** Share of lines that are one text each. */
export const unpartedShare = (rows: readonly Row[]): number =>
  rows.filter(({ parted }) => !parted).length / rows.length;

/** True for lines of an index or of verse: they fill no column, but both columns are equally wide, with one text in each line. */
export function areHalves(left: Row[], right: Row[]): boolean {
  if (Math.min(left.length, right.length) < 6 || Math.min(wholeShare(left), wholeShare(right)) < 0.85) return false;
  const [a = 0, b = 0] = [left, right].map(extentOf).map(({ x0, x1 }) => x1 - x0);
  return Math.abs(a - b) < Math.max(a, b) * 0.15 && Math.min(a, b) > 12 * (left[0]?.size ?? 10);
}

/** Distances of the baselines of level lines, in ems: those of forms, and those of cells that one program sets. */
const LEVEL_EM = 0.25;
export const NEARLY_LEVEL_EM = 0.12;

/** Share of the lines at the right without a level line at the left. */
export const unlevelShare = (left: readonly Row[], right: readonly Row[], levelEm = LEVEL_EM): number =>
  countUnlevel(left, right, levelEm) / right.length;

function countUnlevel(left: readonly Row[], right: readonly Row[], levelEm = LEVEL_EM): number {
  // Both are sorted by y: a line that lies above one row by more lies above the next one too.
  let from = 0;
  return right.filter((row) => {
    while (from < left.length && (left[from]?.y ?? 0) < row.y - row.size) from++;
    for (let index = from; index < left.length; index++) {
      const { y, size } = left[index] ?? row;
      if (Math.abs(y - row.y) < Math.min(size, row.size) * levelEm) return false;
      if (y > row.y + row.size) break;
    }
    return true;
  }).length;
}

/** Shares of the lines of each of two texts that are level with no line of the other: some are by chance. */
export const MIN_UNLEVEL_SHARE = 0.35;
const MIN_NEARLY_UNLEVEL_SHARE = 0.6;
const MIN_TEXT_LINES = 6;
/** Share of the lines of a text of many titles that stand close. */
const MIN_CLOSE_SHARE = 0.2;
/** Share of their lines that begin at one place: the labels of a drawing begin anywhere, and are no sentences. */
const MIN_FLUSH_SHARE = 0.85;
/** Largest difference of the places where lines begin, in ems. */
const MAX_FLUSH_DIFFERENCE_EM = 0.1;
const MIN_SENTENCE_SHARE = 0.15;

/**
 * True for two texts whose lines are too short to fill a column, as at the side of a résumé. The lines of each are one
 * text, and not level with the other's: those of a table are level, and labels stand further apart.
 */
export function areTextsBeside(left: readonly Row[], right: readonly Row[]): boolean {
  const from = Math.max(left[0]?.y ?? 0, right[0]?.y ?? 0);
  const to = Math.min(left.at(-1)?.y ?? 0, right.at(-1)?.y ?? 0);
  const beside = (rows: readonly Row[]) => rows.filter(({ y, size }) => y > from - size && y < to + size);
  const [a, b] = [beside(left), beside(right)];
  const sides = [a, b];
  if (Math.min(a.length, b.length) < MIN_TEXT_LINES) return false;
  if (!sides.every((rows) => unpartedShare(rows) > MIN_WHOLE_SHARE && areClose(rows, MIN_CLOSE_SHARE))) return false;
  if (!sides.every((rows) => flushShare(rows) >= MIN_FLUSH_SHARE)) return false;
  if (!sides.some((rows) => proseShare(rows, 0) >= MIN_SENTENCE_SHARE)) return false;
  const isUnlevel = (least: number, em: number) => Math.min(unlevelShare(a, b, em), unlevelShare(b, a, em)) > least;
  return isUnlevel(MIN_UNLEVEL_SHARE, LEVEL_EM) && isUnlevel(MIN_NEARLY_UNLEVEL_SHARE, NEARLY_LEVEL_EM);
}

/** Share of the lines that begin where most do, or at the next place, which is that of items. */
function flushShare(rows: readonly Row[]): number {
  const sorted = [...rows].sort((a, b) => a.x0 - b.x0);
  const places = splitWhere(sorted, (row, _, [place]) => row.x0 - place.x0 > place.size * MAX_FLUSH_DIFFERENCE_EM);
  const [most = 0, next = 0] = places.map(({ length }) => length).sort((a, b) => b - a);
  return (most + next) / rows.length;
}

/** Share of the lines of prose that fill their column. */
const MIN_FULL_SHARE = 0.6;
/** Step between the lines of a text, in ems; labels of fields stand further apart. */
const MAX_TEXT_STEP_EM = 1.6;

/** True for lines of sentences that stand close and fill their column. */
const isProse = (rows: readonly Row[]): boolean =>
  rows.length >= MIN_TEXT_LINES && proseShare(rows, 0) >= MIN_FULL_SHARE && areClose(rows);

/** Share of the lines of running text that begin within a sentence; labels and names begin with capitals. */
const MIN_RUNNING_SHARE = 0.5;

/**
 * True for prose with a few lines of another column at its right, as on the last page of a paper. Lines of both may be
 * level, but no cells at the left of a table are sentences that run on from line to line.
 */
export function endsEarly(left: readonly Row[], right: readonly Row[]): boolean {
  if (!isProse(left) || Math.min(unpartedShare(left), unpartedShare(right)) < MIN_WHOLE_SHARE) return false;
  const running = left.filter(({ goesOn }) => goesOn).length;
  return running >= left.length * MIN_RUNNING_SHARE && !right.every(({ figures }) => figures);
}

/**
 * True for notes or fields beside prose whose lines are not level with it. A text that explains a label has a line
 * beside each line of it.
 */
export function areNotes(notes: readonly Row[], prose: readonly Row[]): boolean {
  if (!isProse(prose) || unlevelShare(prose, notes) < 0.5) return false;
  return wholeShare(notes) > MIN_WHOLE_SHARE ? areClose(notes) : areFieldsBeside(notes, prose);
}

/** A row or two may be set about the middle of the text that they explain. */
const MIN_FIELDS = 3;

/** True when several rows stand next to paragraphs, level with none of their lines. */
function areFieldsBeside(rows: readonly Row[], prose: readonly Row[]): boolean {
  const fields = rows.filter(({ parted }) => parted);
  const distanceOf = (side: readonly Row[]) => gapBetween(extentOf(side), extentOf(prose));
  if (fields.length < MIN_FIELDS || distanceOf(fields) > distanceOf(rows) + (rows[0]?.size ?? 0)) return false;
  return countUnlevel(prose, fields) >= MIN_FIELDS;
}

/** True when one side ends above the other. */
export const standBelowEachOther = (left: readonly Row[], right: readonly Row[]): boolean =>
  Math.min(left.at(-1)?.y ?? 0, right.at(-1)?.y ?? 0) < Math.max(left[0]?.y ?? 0, right[0]?.y ?? 0);

/** True when most lines, or at least a share of them, stand as close to each other as those of a text. */
export const areClose = (rows: readonly Row[], least = 0.5): boolean =>
  rows.filter(({ y, size }, index) => y - (rows[index - 1]?.y ?? -Infinity) < size * MAX_TEXT_STEP_EM).length >=
  rows.length * least;
