import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import { findPaper } from './paper.js';

/** Ink is darker than this share of the paper. */
const INK_SHARE = 0.75;
/** Side of a bullet by the size of the type. */
const MIN_SIDE_EM = 0.15;
const MAX_SIDE_EM = 0.65;
/** Longer side of a bullet by the shorter. */
const MAX_ASPECT = 1.5;
/** Height of a bullet's middle above the base line, by the size of the type. A full stop is lower, an apostrophe higher. */
const MIN_RAISED_EM = 0.13;
const MAX_RAISED_EM = 0.6;
/** Share of ink in a disc's box: a triangle and a diamond fill half of it. */
const MIN_FILLED_SHARE = 0.5;
/** Share of the rows, and of the columns, that the rough edge of a scan may break. */
const MAX_ROUGH_SHARE = 0.15;
/** Height of a circle and of its foot above the base line, by the size of the type. The letter o is larger, and its foot is on the base line. */
const MAX_CIRCLE_EM = 0.42;
const MIN_FLOATING_EM = 0.08;

/** The part of a line that may end with a dot, in pixels of the picture. */
export interface Setting {
  /** Left and right end of the search. */
  from: number;
  to: number;
  /** Width of the white space in front of a dot. */
  before: number;
  baseline: number;
  fontSize: number;
}

/** A dot with the shape of a bullet: a disc, a square, a diamond, a triangle, or a small circle. */
export interface Dot extends Area {
  isFilled: boolean;
}

/** Finds the dot at the end of a part of a line; undefined if the last ink there is no dot. */
export function findDot(raster: Raster, setting: Setting): Dot | undefined {
  const { baseline, fontSize } = setting;
  const dark = findPaper(raster) * INK_SHARE;
  const isInked = (x: number, y: number) => (raster.data[y * raster.width + x] ?? 255) < dark;
  const box = lastBox(raster, setting, isInked);
  if (box === undefined || !isOfSize(box, fontSize)) return undefined;
  const raised = baseline - (box.y0 + box.y1) / 2;
  if (raised < fontSize * MIN_RAISED_EM || raised > fontSize * MAX_RAISED_EM) return undefined;
  const shape = shapeOf(box, isInked);
  if (shape === 'disc') return { ...box, isFilled: true };
  const isFloating = box.y1 < baseline - fontSize * MIN_FLOATING_EM && box.y1 - box.y0 < fontSize * MAX_CIRCLE_EM;
  return shape === 'circle' && isFloating ? { ...box, isFilled: false } : undefined;
}

type IsInked = (x: number, y: number) => boolean;

/** Returns the box of the last ink, if it is no wider than a bullet and has only white before it, above and below. */
function lastBox({ width, height }: Raster, setting: Setting, isInked: IsInked): Area | undefined {
  const { from, to, before, baseline, fontSize } = setting;
  const top = Math.max(0, Math.round(baseline - fontSize));
  const bottom = Math.min(height, Math.round(baseline + fontSize / 4));
  const hasInk = (x: number) => {
    for (let y = top; y < bottom; y++) if (isInked(x, y)) return true;
    return false;
  };
  const leftEnd = Math.max(0, Math.floor(from));
  let x1 = Math.min(width, Math.floor(to));
  while (x1 > leftEnd && !hasInk(x1 - 1)) x1--;
  let x0 = x1;
  while (x0 > leftEnd && x1 - x0 <= fontSize * MAX_SIDE_EM && hasInk(x0 - 1)) x0--;
  if (x0 === leftEnd) return undefined;
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
  return shorter >= fontSize * MIN_SIDE_EM && longer <= fontSize * MAX_SIDE_EM && longer <= shorter * MAX_ASPECT;
}

/** Returns the shape of a dot. Every row and column of a disc has one run of ink, except at the rough edges of a scan; those through the middle of a circle have two. */
function shapeOf({ x0, y0, x1, y1 }: Area, isInked: IsInked): 'disc' | 'circle' | undefined {
  const rows = countRuns(y0, y1, x0, x1, (y, x) => isInked(x, y));
  const columns = countRuns(x0, x1, y0, y1, isInked);
  if (isMostly(rows, 1) && isMostly(columns, 1))
    return rows.ink >= MIN_FILLED_SHARE * (x1 - x0) * (y1 - y0) ? 'disc' : undefined;
  const isHollow = middleOf(rows) === 2 && middleOf(columns) === 2;
  return isHollow && isMostly(rows, 2) && isMostly(columns, 2) ? 'circle' : undefined;
}

interface Runs {
  /** Runs of ink in each row. */
  counts: number[];
  ink: number;
}

const isMostly = ({ counts }: Runs, maxRuns: number): boolean =>
  counts.filter((count) => count > maxRuns).length <= counts.length * MAX_ROUGH_SHARE;

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
