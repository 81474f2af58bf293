import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import { findPaper } from './paper.js';

/** Ink is darker than this share of the paper. */
const INK = 0.75;
/** Of a bullet, by the size of the type. */
const LEAST_SIDE = 0.15;
const MOST_SIDE = 0.65;
/** The longer of its sides by the shorter. */
const MOST_STRETCHED = 1.5;
/** How high its middle stands above the base line, by the size of the type: that of a full stop is lower, that of an apostrophe higher. */
const LEAST_RAISED = 0.13;
const MOST_RAISED = 0.6;
/** Of its box: of a triangle and a diamond it is half. */
const LEAST_FILLED = 0.5;
/** Of its rows and columns: those that are rough. */
const MOST_ROUGH = 0.15;
/** A circle floats, and is smaller than the letter o, which stands on the base line. */
const MOST_CIRCLE = 0.42;
const LEAST_FLOATING = 0.08;

/** Where something is set, in pixels of the picture. */
export interface Setting {
  /** What is looked through, from the left to the right. */
  from: number;
  to: number;
  /** Of that, the white that stands in front of a dot. */
  before: number;
  baseline: number;
  fontSize: number;
}

/** A dot that is drawn as bullets are: a disc, a square, a diamond or a triangle, or a small circle. */
export interface Dot extends Area {
  isFilled: boolean;
}

/** The dot that stands last in a part of a line, if what stands last is one. */
export function findDot(raster: Raster, setting: Setting): Dot | undefined {
  const { baseline, fontSize } = setting;
  const dark = findPaper(raster) * INK;
  const isInked = (x: number, y: number) => (raster.data[y * raster.width + x] ?? 255) < dark;
  const box = boxLast(raster, setting, isInked);
  if (box === undefined || !isOfSize(box, fontSize)) return undefined;
  const raised = baseline - (box.y0 + box.y1) / 2;
  if (raised < fontSize * LEAST_RAISED || raised > fontSize * MOST_RAISED) return undefined;
  const shape = shapeOf(box, isInked);
  if (shape === 'disc') return { ...box, isFilled: true };
  const isFloating = box.y1 < baseline - fontSize * LEAST_FLOATING && box.y1 - box.y0 < fontSize * MOST_CIRCLE;
  return shape === 'circle' && isFloating ? { ...box, isFilled: false } : undefined;
}

type IsInked = (x: number, y: number) => boolean;

/** The box of the last ink that is no wider than a bullet, with nothing but white in front of it, above and below. */
function boxLast({ width, height }: Raster, setting: Setting, isInked: IsInked): Area | undefined {
  const { from, to, before, baseline, fontSize } = setting;
  const top = Math.max(0, Math.round(baseline - fontSize));
  const bottom = Math.min(height, Math.round(baseline + fontSize / 4));
  const hasInk = (x: number) => {
    for (let y = top; y < bottom; y++) if (isInked(x, y)) return true;
    return false;
  };
  const least = Math.max(0, Math.floor(from));
  let x1 = Math.min(width, Math.floor(to));
  while (x1 > least && !hasInk(x1 - 1)) x1--;
  let x0 = x1;
  while (x0 > least && x1 - x0 <= fontSize * MOST_SIDE && hasInk(x0 - 1)) x0--;
  if (x0 === least) return undefined;
  for (let x = Math.max(0, Math.ceil(x0 - before)); x < x0; x++) if (hasInk(x)) return undefined;
  const isBlank = (y: number) => {
    for (let x = x0; x < x1; x++) if (isInked(x, y)) return false;
    return true;
  };
  let [y0, y1] = [top, bottom];
  while (y0 < y1 && isBlank(y0)) y0++;
  while (y1 > y0 && isBlank(y1 - 1)) y1--;
  return y0 > top && y1 < bottom ? { x0, y0, x1, y1 } : undefined;
}

function isOfSize({ x0, y0, x1, y1 }: Area, fontSize: number): boolean {
  const [shorter = 0, longer = 0] = [x1 - x0, y1 - y0].sort((a, b) => a - b);
  return shorter >= fontSize * LEAST_SIDE && longer <= fontSize * MOST_SIDE && longer <= shorter * MOST_STRETCHED;
}

/** Every row and column of a disc has one run of ink, but for the rough edges of a scan; those through the middle of a circle have two. */
function shapeOf({ x0, y0, x1, y1 }: Area, isInked: IsInked): 'disc' | 'circle' | undefined {
  const rows = countRuns(y0, y1, x0, x1, (y, x) => isInked(x, y));
  const columns = countRuns(x0, x1, y0, y1, isInked);
  if (isMostly(rows, 1) && isMostly(columns, 1))
    return rows.ink >= LEAST_FILLED * (x1 - x0) * (y1 - y0) ? 'disc' : undefined;
  const isHollow = middleOf(rows) === 2 && middleOf(columns) === 2;
  return isHollow && isMostly(rows, 2) && isMostly(columns, 2) ? 'circle' : undefined;
}

interface Runs {
  /** Of each row. */
  counts: number[];
  ink: number;
}

const isMostly = ({ counts }: Runs, most: number): boolean =>
  counts.filter((count) => count > most).length <= counts.length * MOST_ROUGH;

const middleOf = ({ counts }: Runs): number | undefined => counts[counts.length >> 1];

function countRuns(
  from: number,
  to: number,
  start: number,
  end: number,
  isInked: (row: number, at: number) => boolean,
): Runs {
  const found: Runs = { counts: [], ink: 0 };
  for (let row = from; row < to; row++) {
    let runs = 0;
    for (let at = start; at < end; at++) {
      if (!isInked(row, at)) continue;
      found.ink++;
      if (at === start || !isInked(row, at - 1)) runs++;
    }
    found.counts.push(runs);
  }
  return found;
}
