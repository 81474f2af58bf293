import { classifyLetter, likeliestLetter } from './classify-letter.js';
import { CELL_PX, type Ink } from './letter-strip.js';

/** A line as a row of cells. */
export interface CellRow {
  /** Left edge of each cell in the picture. */
  lefts: readonly number[];
  /** The probabilities of the letters in each cell, as from `classifyLetter`. */
  cells: readonly Float32Array[];
  /** Mean logarithm of the probability of the likeliest letters. */
  score: number;
}

/** Cost of a cell that is a pixel wider or narrower than the others: print and paper stretch a little. */
const STRETCH_COST = 0.35;
/** Place for the first cell, in cells from the left. */
const MAX_START_CELLS = 4;

/** Finds the row of `count` cells, one beside the other, whose letters are likeliest. `top`: upper edge of the window. */
export function alignCells(picture: Ink, top: number, count: number): CellRow | undefined {
  const { width } = picture;
  const odds = Array.from({ length: width }, (_, left) => classifyLetter(picture, left - 1, top));
  const best = Float32Array.from(odds, (cell) => likeliestLetter(cell).odds);
  let scores = best.map((value, left) => (left < MAX_START_CELLS * CELL_PX ? value : Number.NEGATIVE_INFINITY));
  const steps: Int16Array[] = [];
  for (let index = 1; index < count; index++) {
    const next = new Float32Array(width).fill(Number.NEGATIVE_INFINITY);
    const from = new Int16Array(width);
    for (let left = CELL_PX; left < width; left++) {
      for (let step = CELL_PX - 1; step <= CELL_PX + 1; step++) {
        const score = (scores[left - step] ?? Number.NEGATIVE_INFINITY) - (step === CELL_PX ? 0 : STRETCH_COST);
        if (score + (best[left] ?? 0) <= (next[left] ?? 0)) continue;
        next[left] = score + (best[left] ?? 0);
        from[left] = left - step;
      }
    }
    steps.push(from);
    scores = next;
  }
  const score = scores.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  if (score === Number.NEGATIVE_INFINITY) return undefined;
  const lefts = [scores.indexOf(score)];
  for (const from of steps.reverse()) lefts.unshift(from[lefts[0] ?? 0] ?? 0);
  return { lefts, cells: lefts.map((left) => odds[left] as Float32Array), score: score / count };
}
