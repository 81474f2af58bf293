import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import { chainFromLeft } from './chain.js';
import { findPaper } from './paper.js';

/** Length of the pieces of a rule, the distance from one to the next, and the least length of a rule, by the height of words. */
const PIECE_SHARE = 1.5;
const STEP_SHARE = 0.5;
const MIN_LENGTH_SHARE = 6;
/** Mean darkness of a piece: that of a solid rule is more, that of the paper's grain less. */
const MIN_DARKNESS = 0.07;
const MAX_DARKNESS = 0.6;
/** Reach of a rule above and below its darkest row, by the height of words and in pixels, and the darkness beyond that, by its own and at least: rows of letters are higher. */
const REACH_SHARE = 0.16;
const MIN_REACH_PX = 2;
const MAX_BESIDE_SHARE = 0.1;
const GRAIN = 0.02;
/** Difference of heights from a piece to the next, in pixels, and pieces that a stroke may hide. */
const MAX_RISE_PX = 1;
const MAX_HIDDEN = 1;
/** Darkness of a rule's dots by rank, and that of their edges by theirs. */
const DOT_RANK = 0.9;
const EDGE_SHARE = 0.6;
/** Dots within the height of words, and their length by it, but for a few that run together. The dashes of a receipt are fewer or longer, and so are strokes of letters. */
const MIN_DOTS = 2.4;
const MAX_DOT_SHARE = 0.22;
const LENGTH_RANK = 0.9;
/** Distance of a rule from strokes that cross it or stand on it, by the height of words. The foot of an L is as thin as a rule. */
const MARGIN_SHARE = 0.3;
/** Ink is darker than this share of the paper. */
const INK_SHARE = 0.7;

/** A page, with what the finder needs to know about it. */
interface Page extends Raster {
  paper: number;
  /** Pixels of a piece, to the next piece, and from the darkest row of a rule to its edge. */
  length: number;
  step: number;
  reach: number;
}

/** The place of a piece: its first column and its darkest row. */
interface Piece {
  x0: number;
  y: number;
}

/**
 * Finds the dotted rules of forms and lists. Their dots run together in a coarse scan, but along the rule they are paler than print
 * on the whole, and thinner than letters. Each rule is given as the parts of it that no stroke crosses or stands on. `high`: height
 * of the words, in pixels.
 */
export function findDottedRules(raster: Raster, high: number): Area[][] {
  const [length, step] = [PIECE_SHARE, STEP_SHARE].map((share) => Math.max(1, Math.round(high * share))) as [
    number,
    number,
  ];
  const reach = Math.max(MIN_REACH_PX, Math.round(high * REACH_SHARE));
  const page = { ...raster, paper: Math.max(1, findPaper(raster)), length, step, reach };
  const least = Math.ceil((high * MIN_LENGTH_SHARE - length) / step) + 1;
  const isInReach = (last: Piece, piece: Piece) => piece.x0 - last.x0 <= step * (MAX_HIDDEN + 1);
  const follows = (last: Piece, piece: Piece) => last.x0 < piece.x0 && Math.abs(last.y - piece.y) <= MAX_RISE_PX;
  return chainFromLeft(findPieces(page), isInReach, follows)
    .filter((pieces) => pieces.length >= least && isDotted(page, pieces, high))
    .map((pieces) => freeParts(page, pieces, Math.round(high * MARGIN_SHARE)));
}

/** Finds the pieces of thin pale lines, from the left. */
function findPieces(page: Page): Piece[] {
  const { height, length, step, reach } = page;
  const count = Math.max(0, Math.floor((page.width - length) / step) + 1);
  const darkness = measurePieces(page, count);
  const pieces: Piece[] = [];
  for (let piece = 0; piece < count; piece++) {
    const at = (y: number) => darkness[y * count + piece] ?? 0;
    for (let y = reach + 1; y < height - reach - 1; y++) {
      const own = at(y);
      if (own < MIN_DARKNESS || own > MAX_DARKNESS || own < at(y - 1) || own <= at(y + 1)) continue;
      const beside = Math.max(at(y - reach - 1), at(y + reach + 1));
      if (beside <= Math.max(GRAIN, own * MAX_BESIDE_SHARE)) pieces.push({ x0: piece * step, y });
    }
  }
  return pieces;
}

/** Returns the mean darkness of `count` pieces of each row, 0 for paper to 1 for black. */
function measurePieces({ data, width, height, paper, length, step }: Page, count: number): Float32Array {
  const darkness = new Float32Array(count * height);
  const sums = new Uint32Array(width + 1);
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let x = 0; x < width; x++) {
      sum += Math.max(0, paper - (data[y * width + x] ?? paper));
      sums[x + 1] = sum;
    }
    for (let piece = 0; piece < count; piece++) {
      const from = piece * step;
      darkness[y * count + piece] = ((sums[from + length] ?? 0) - (sums[from] ?? 0)) / (length * paper);
    }
  }
  return darkness;
}

/** True when the darkness along a rule rises and falls as it does along dots. */
function isDotted({ data, width, paper, step, reach }: Page, pieces: readonly Piece[], high: number): boolean {
  const darkness = pieces.flatMap(({ x0, y }) =>
    Array.from({ length: step }, (_, index) => {
      let darkest = paper;
      for (let row = y - reach; row <= y + reach; row++)
        darkest = Math.min(darkest, data[row * width + x0 + index] ?? paper);
      return paper - darkest;
    }),
  );
  const edge = byRank(darkness, DOT_RANK) * EDGE_SHARE;
  const lengths: number[] = [];
  let length = 0;
  for (const shade of [...darkness, 0]) {
    if (shade > edge) length++;
    else if (length > 0) lengths.push(length);
    if (shade <= edge) length = 0;
  }
  return lengths.length >= (darkness.length / high) * MIN_DOTS && byRank(lengths, LENGTH_RANK) <= high * MAX_DOT_SHARE;
}

const byRank = (values: readonly number[], rank: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * rank)] ?? 0;

/** Returns the parts of a rule with nothing dark right above and below them, or within `margin` pixels of that. */
function freeParts({ data, width, paper, length, reach }: Page, pieces: readonly Piece[], margin: number): Area[] {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [from, to] = [first.x0, last.x0 + length];
  const heights = new Map<number, number>();
  for (const { x0, y } of pieces) for (let x = x0; x < x0 + length; x++) if (!heights.has(x)) heights.set(x, y);
  const heightAt = (x: number) => heights.get(x) ?? (x < from ? first : last).y;
  const isTaken = (x: number) => {
    const isDark = (row: number) => (data[row * width + x] ?? paper) < paper * INK_SHARE;
    return isDark(heightAt(x) - reach - 1) || isDark(heightAt(x) + reach + 1);
  };
  const parts: Area[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (let x = Math.max(0, from - margin); x < Math.min(width, to + margin); x++) {
    const [part, y] = [parts.at(-1), heightAt(x)];
    if (isTaken(x)) {
      end = x;
      if (part !== undefined) part.x1 = Math.min(part.x1, x - margin);
    } else if (x > end + margin && x >= from && x < to) {
      if (part?.x1 === x && part.y0 === y - reach) part.x1 = x + 1;
      else parts.push({ x0: x, x1: x + 1, y0: y - reach, y1: y + reach + 1 });
    }
  }
  return parts.filter(({ x0, x1 }) => x1 > x0);
}
