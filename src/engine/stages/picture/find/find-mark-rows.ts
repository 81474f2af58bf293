import { type Area, areLevel, boundsOf, gapBetween } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import type { Raster } from '../raster.js';
import { chainFromLeft } from './chain.js';
import { findPaper } from './paper.js';
import { findParts, type Part } from './parts.js';

/** A row of small equal marks at equal distances: the dots of a leader, or the asterisks of a masked number. */
export interface MarkRow extends Area {
  sign: '.' | '*';
  marks: readonly Area[];
}

/** Ink is darker than this share of the paper. */
const INK_SHARE = 0.7;
/** Sides of a mark by the size of the type: those of a dot, and the height of an asterisk; and the least side in pixels. */
const MAX_MARK_EM = 0.5;
const MAX_DOT_EM = 0.22;
const MIN_ASTERISK_EM = 0.25;
const MIN_MARK_PX = 2;
/** Marks of a row: letters and figures are hardly ever small and alike. */
const MIN_DOTS = 8;
const MIN_ASTERISKS = 4;
/** Longest number that is masked: a longer row of raised marks is a leader. */
const MAX_ASTERISKS = 24;
/** Longer side of a mark by the shorter; a dash is longer. */
const MAX_ASPECT = 1.8;
/** Differences of marks of one row: of their sides and heights, by their side and in pixels, and of their steps. */
const ALIKE_SHARE = 0.15;
const ALIKE_PX = 1.5;
const SAME_STEP_SHARE = 0.35;
/** Step of a row by the size of the type, and ones that differ because two dots of a coarse scan run together. */
const MAX_STEP_EM = 0.9;
const MAX_UNEVEN_SHARE = 0.15;
/** Distance to the letter or figure beside marks, reach of dots below its foot, and its height by that of asterisks. */
const MAX_BESIDE_EM = 1.5;
const MAX_BELOW_EM = 0.2;
const MIN_LETTER_RATIO = 1.3;
/** Distance of the feet of asterisks from the foot of the letter beside them, by its height: small letters stand on its base line, or a third lower on that of a descender. */
const MIN_RAISED_SHARE = 0.35;
/** Strokes and small parts of a page; more are a screen of dots or a photograph. */
const MAX_STROKES = 300_000;
const MAX_PARTS = 20_000;

/** Finds the rows of small equal marks on a page. `size`: size of the type, in pixels. */
export function findMarkRows(raster: Raster, size: number): MarkRow[] {
  const parts = findParts(raster, findPaper(raster) * INK_SHARE, { maxRuns: MAX_STROKES });
  const small = parts.filter(({ x0, x1, y0, y1 }) => isMark(x1 - x0, y1 - y0, size));
  if (small.length > MAX_PARTS) return [];
  const fromLeft = [...small].sort((a, b) => a.x0 - b.x0);
  const isInReach = (last: Part, mark: Part) => mark.x0 - last.x0 < size * MAX_STEP_EM;
  const rows = chainFromLeft(fromLeft, isInReach, areAlike)
    .map(withoutStrays)
    .filter((marks) => marks.length >= MIN_ASTERISKS && isEven(marks))
    .map((marks) => ({ ...boundsOf(marks), marks }));
  const letters = parts.filter(({ y0, y1 }) => y1 - y0 > size * MAX_DOT_EM);
  const dots = rows.filter(
    (row) => row.marks.length >= MIN_DOTS && row.y1 - row.y0 <= size * MAX_DOT_EM && isLeader(row, letters, size),
  );
  const asterisks: (typeof rows)[number][] = [];
  // From the right: groups of asterisks stand beside each other, and the last one beside figures.
  const others = rows.filter(({ marks, y0, y1 }) => marks.length <= MAX_ASTERISKS && y1 - y0 >= size * MIN_ASTERISK_EM);
  for (const row of others.sort((a, b) => b.x0 - a.x0))
    if (asterisks.some((other) => isNear(row, other, size)) || isRaised(row, letters, size)) asterisks.push(row);
  return [
    ...dots.map((row) => ({ ...row, sign: '.' as const })),
    ...asterisks.map((row) => ({ ...row, sign: '*' as const })),
  ];
}

const isMark = (width: number, height: number, size: number): boolean =>
  Math.min(width, height) >= MIN_MARK_PX &&
  Math.max(width, height) <= size * MAX_MARK_EM &&
  Math.max(width, height) <= Math.min(width, height) * MAX_ASPECT;

function areAlike(a: Part, b: Part): boolean {
  const reach = Math.max(ALIKE_PX, (a.y1 - a.y0) * ALIKE_SHARE);
  return (
    Math.abs(a.y0 - b.y0) <= reach && Math.abs(a.y1 - b.y1) <= reach && Math.abs(a.x1 - a.x0 - (b.x1 - b.x0)) <= reach
  );
}

/** Leaves out the marks at the ends that are further away than the others: the point of the number that a leader ends at. */
function withoutStrays(marks: readonly Part[]): readonly Part[] {
  const isNext = ({ steps, usual }: Steps, index: number) => (steps[index] ?? 0) <= usual * (1 + SAME_STEP_SHARE);
  const found = stepsOf(marks);
  let [from, to] = [0, marks.length];
  while (to - from > 1 && !isNext(found, to - 2)) to--;
  while (to - from > 1 && !isNext(found, from)) from++;
  return marks.slice(from, to);
}

/** True when the marks follow each other at equal distances. */
function isEven(marks: readonly Part[]): boolean {
  const { steps, usual } = stepsOf(marks);
  const uneven = steps.filter((step) => Math.abs(step - usual) > usual * SAME_STEP_SHARE);
  return uneven.length <= steps.length * MAX_UNEVEN_SHARE;
}

interface Steps {
  /** From each mark to the next. */
  steps: number[];
  /** That of most of them. */
  usual: number;
}

function stepsOf(marks: readonly Part[]): Steps {
  const steps = marks.slice(1).map(({ x0 }, index) => x0 - (marks[index]?.x0 ?? 0));
  return { steps, usual: median(steps) ?? 0 };
}

const isNear = (a: Area, b: Area, size: number): boolean =>
  gapBetween(a, b) < size * MAX_BESIDE_EM && areLevel(a, b, 1 / 2);

/** True when dots lead from a letter to another one, both on their line: a dotted rule between lines has none at its ends. */
function isLeader(row: Area, letters: readonly Area[], size: number): boolean {
  const level = letters.filter(
    (letter) => row.y0 > letter.y0 && row.y1 < letter.y1 + size * MAX_BELOW_EM && gapBetween(row, letter) >= 0,
  );
  const isBeside = (letter: Area) => gapBetween(row, letter) < size * MAX_BESIDE_EM;
  return (
    level.some((letter) => letter.x1 <= row.x0 && isBeside(letter)) &&
    level.some((letter) => letter.x0 >= row.x1 && isBeside(letter))
  );
}

/** True when the letter or figure beside a row stands lower than its marks. */
function isRaised(row: Area, letters: readonly Area[], size: number): boolean {
  const height = row.y1 - row.y0;
  const beside = letters
    .filter((letter) => letter.y1 - letter.y0 > height * MIN_LETTER_RATIO && isNear(row, letter, size))
    .sort((a, b) => gapBetween(row, a) - gapBetween(row, b))[0];
  return beside !== undefined && beside.y1 - row.y1 > (beside.y1 - beside.y0) * MIN_RAISED_SHARE;
}
