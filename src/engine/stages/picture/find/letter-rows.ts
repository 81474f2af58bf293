import { append } from '../../../model/append.js';
import type { Area } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';

/** Letters beside each other. */
export interface LetterRow {
  /** Number of letters on the base line. */
  aligned: number;
  widths: number[];
  heights: number[];
}

/** Gap between letters of one row, overlap of their boxes, and distance of a descender's foot from the base line, by their height. */
const MAX_GAP_EM = 1.3;
const MAX_OVERLAP_EM = 0.5;
const MAX_DESCENT_EM = 0.3;
/** Ratio of the heights of letters of one row: capitals by small letters, with room for an accent. */
const MAX_HEIGHT_RATIO = 2.4;
/** Distance of a foot that is on the base line, by the row's height, and in pixels. */
const MAX_ALIGNED_EM = 0.1;
const MIN_ALIGNED_PX = 1;
/** Last letters that tell the base line and the height: rows of a scan may lean. */
const BASELINE_LETTERS = 5;
const HEIGHT_LETTERS = 9;
/** Height of the strips in which rows are kept, in pixels. A letter's row is in its own strip or within so many others. */
const STRIP_PX = 16;
const NEAR_STRIPS = 2;

interface OpenRow extends LetterRow {
  x1: number;
  baseline: number;
  height: number;
  feet: number[];
  strip: number;
}

/** Chains letter by letter, from the left, to rows on common base lines. */
export function findLetterRows(letters: readonly Area[]): LetterRow[] {
  const rows: OpenRow[] = [];
  const byStrip = new Map<number, OpenRow[]>();
  for (const letter of [...letters].sort((a, b) => a.x0 - b.x0)) {
    const row = findRow(letter, byStrip) ?? begin(letter);
    if (row.widths.length === 0) rows.push(row);
    extend(row, letter);
    const strip = stripOf(row.baseline);
    if (strip === row.strip) continue;
    const before = byStrip.get(row.strip);
    before?.splice(before.indexOf(row), 1);
    append(byStrip, strip, row);
    row.strip = strip;
  }
  return rows;
}

const stripOf = (y: number): number => Math.floor(y / STRIP_PX);

const begin = ({ x1, y0, y1 }: Area): OpenRow => ({
  ...{ aligned: 0, widths: [], heights: [], feet: [] },
  ...{ x1, baseline: y1, height: y1 - y0, strip: Number.NaN },
});

/** Difference of sizes that are one size, by the size, and in pixels. */
const SAME_SIZE_SHARE = 0.1;
const SAME_SIZE_PX = 1;

/** Counts the letters that are as wide and high as most. */
export function countAlike({ widths, heights }: LetterRow): number {
  const [isUsualWidth, isUsualHeight] = [nearMedian(widths), nearMedian(heights)];
  return widths.filter((width, index) => isUsualWidth(width) && isUsualHeight(heights[index] ?? 0)).length;
}

function nearMedian(sizes: readonly number[]): (size: number) => boolean {
  const usual = median(sizes) ?? 0;
  return (size) => Math.abs(size - usual) <= Math.max(SAME_SIZE_PX, usual * SAME_SIZE_SHARE);
}

function findRow(letter: Area, byStrip: ReadonlyMap<number, readonly OpenRow[]>): OpenRow | undefined {
  const strip = stripOf(letter.y1);
  const height = letter.y1 - letter.y0;
  let nearest: OpenRow | undefined;
  let nearestDistance = Number.POSITIVE_INFINITY;
  for (let at = strip - NEAR_STRIPS; at <= strip + NEAR_STRIPS; at++) {
    for (const row of byStrip.get(at) ?? []) {
      const gap = letter.x0 - row.x1;
      const distance = Math.abs(letter.y1 - row.baseline);
      if (
        distance < nearestDistance &&
        gap <= row.height * MAX_GAP_EM &&
        gap >= -row.height * MAX_OVERLAP_EM &&
        distance <= Math.max(height, row.height) * MAX_DESCENT_EM &&
        Math.max(height, row.height) <= Math.min(height, row.height) * MAX_HEIGHT_RATIO
      )
        [nearest, nearestDistance] = [row, distance];
    }
  }
  return nearest;
}

function extend(row: OpenRow, { x0, x1, y0, y1 }: Area): void {
  if (Math.abs(y1 - row.baseline) <= Math.max(MIN_ALIGNED_PX, row.height * MAX_ALIGNED_EM)) row.aligned++;
  row.x1 = Math.max(row.x1, x1);
  row.feet.push(y1);
  row.widths.push(x1 - x0);
  row.heights.push(y1 - y0);
  row.baseline = median(row.feet.slice(-BASELINE_LETTERS)) ?? y1;
  row.height = median(row.heights.slice(-HEIGHT_LETTERS)) ?? row.height;
}
