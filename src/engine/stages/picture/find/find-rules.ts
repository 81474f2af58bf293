import type { Raster } from '../raster.js';
import { findPaper, isEvenPaper } from './paper.js';
import { type Direction, type Shades, type Stroke, traceRuns } from './trace-runs.js';

/** A straight line that is drawn in a picture, in its pixels: level or upright, without its thickness. */
export interface DrawnRule {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Lines are as long as this. */
const LEAST_LENGTH = { level: 1 / 25, upright: 1 / 80 };
export const MOST_THICKNESS = 1 / 220;
/** How far a line may lean: 1.5 degrees. */
const MOST_LEAN = 0.026;
/** Darker than paper by this; on even paper, pale lines by the second. */
const LEAST_CONTRAST = 60;
const LEAST_PALE_CONTRAST = 14;
const MOST_RULES = 1500;
const DIRECTIONS = ['level', 'upright'] as const;

/** Finds the lines of tables and frames in a picture: long, thin, and level or upright but for the lean of a scan. */
export const findRules = (raster: Raster, traced = traceRules(raster)): DrawnRule[] =>
  [...traced, ...tracePale(raster)].map(toRule);

/** Those that are no pale ones, with all that each of them takes. */
export function traceRules(raster: Raster): TracedRule[] {
  const paper = findPaper(raster);
  if (paper <= LEAST_CONTRAST) return [];
  return findStraight(raster, paper, { from: 0, to: paper - LEAST_CONTRAST });
}

/** Lines as pale as the borders of many a printed web page, which cannot be told from the paper of a scan. */
function tracePale(raster: Raster): TracedRule[] {
  if (!isEvenPaper(raster)) return [];
  const paper = findPaper(raster);
  const dark = paper - LEAST_CONTRAST;
  const rules = findStraight(raster, paper, { from: dark, to: paper - LEAST_PALE_CONTRAST });
  return rules.filter((rule) => !isEdge(raster, rule, dark));
}

/** Pixels between a line and what is looked at beside it: its blur. */
const BLUR = 3;
/** Of a line, beside which something darker is: what crosses it, or stands on it. */
const MOST_DARK = 0.1;

/** Is the line the blurred edge of something darker, as of letters? */
function isEdge(
  { data, width, height }: Raster,
  { direction, from, to, first, last }: TracedRule,
  dark: number,
): boolean {
  const isLevel = direction === 'level';
  const most = (isLevel ? height : width) - 1;
  let count = 0;
  for (let along = from; along < to; along++) {
    let darkest = 255;
    for (let across = Math.max(0, first - BLUR); across <= Math.min(most, last + BLUR); across++)
      darkest = Math.min(darkest, data[isLevel ? across * width + along : along * width + across] ?? 255);
    if (darkest < dark) count++;
  }
  return count > (to - from) * MOST_DARK;
}

export function toRule({ direction, from, to, first, last }: TracedRule): DrawnRule {
  const middle = (first + last + 1) / 2;
  return direction === 'level'
    ? { x0: from, x1: to, y0: middle, y1: middle }
    : { x0: middle, x1: middle, y0: from, y1: to };
}

/** A line in rows of pixels, or in columns. */
export interface TracedRule extends Stroke {
  direction: Direction;
  /** The shade of what it is drawn on. */
  paper: number;
  /** Darker than this is the line. */
  dark: number;
}

/** Lines of these shades; none where there are too many. */
function findStraight(raster: Raster, paper: number, shades: Shades): TracedRule[] {
  const long = Math.max(raster.width, raster.height);
  const thickness = Math.max(4, long * MOST_THICKNESS);
  const rules = DIRECTIONS.flatMap((direction) =>
    traceRuns(raster, shades, direction)
      .filter(({ from, to, first, last, area }) => {
        const size = to - from;
        const isThin = area <= thickness * size && last - first + 1 <= thickness + size * MOST_LEAN;
        return size >= long * LEAST_LENGTH[direction] && isThin;
      })
      .map((stroke) => ({ ...stroke, direction, paper, dark: shades.to })),
  );
  return rules.length > MOST_RULES ? [] : rules;
}
