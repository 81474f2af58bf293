import type { Raster } from '../raster.js';
import { findPaper, isEvenPaper } from './paper.js';
import { type Direction, type Shades, type Stroke, traceRuns } from './trace-runs.js';

/** A straight level or upright line in a picture, in pixels, without its thickness. */
export interface DrawnRule {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

/** Length of a rule by the long side. */
const MIN_LENGTH_SHARE = { level: 1 / 25, upright: 1 / 80 };
/** Thickness of a rule by the long side. */
export const MAX_THICKNESS_SHARE = 1 / 220;
/** Slope of a rule: 1.5 degrees. */
const MAX_SLOPE = 0.026;
/** Difference of a rule and the paper; the second is for pale rules on even paper. */
const MIN_CONTRAST = 60;
const MIN_PALE_CONTRAST = 14;
/** Rules of a page; more are a drawing. */
const MAX_RULES = 1500;
const DIRECTIONS = ['level', 'upright'] as const;

/** Finds the rules of tables and frames in a picture: long, thin, and level or upright within the skew of a scan. */
export const findRules = (raster: Raster, traced = traceRules(raster)): DrawnRule[] =>
  [...traced, ...tracePale(raster)].map(toRule);

/** Finds the dark rules, each with its extent in pixels. */
export function traceRules(raster: Raster): TracedRule[] {
  const paper = findPaper(raster);
  if (paper <= MIN_CONTRAST) return [];
  return findStraight(raster, paper, { from: 0, to: paper - MIN_CONTRAST });
}

/** Finds pale rules, like the borders of many web pages. In a scan they cannot be told from the paper. */
function tracePale(raster: Raster): TracedRule[] {
  if (!isEvenPaper(raster)) return [];
  const paper = findPaper(raster);
  const dark = paper - MIN_CONTRAST;
  const rules = findStraight(raster, paper, { from: dark, to: paper - MIN_PALE_CONTRAST });
  return rules.filter((rule) => !isEdge(raster, rule, dark) && !isStreak(raster, rule));
}

/** Rows beside a rule that its blur reaches. */
const BLUR_PX = 3;
/** Share of a rule with something darker beside it, which crosses it or stands on it. */
const MAX_DARK_SHARE = 0.1;

/** True when a pale rule is the blurred edge of something darker, like letters. */
function isEdge(raster: Raster, { direction, from, to, first, last }: TracedRule, dark: number): boolean {
  let count = 0;
  for (let along = from; along < to; along++) {
    let darkest = 255;
    for (let across = first - BLUR_PX; across <= last + BLUR_PX; across++)
      darkest = Math.min(darkest, shadeAt(raster, direction, along, across) ?? 255);
    if (darkest < dark) count++;
  }
  return count > (to - from) * MAX_DARK_SHARE;
}

/** Pixels beside a rule, beyond its blur, whose shade is measured. */
const BESIDE_PX = 3;
/** Least difference of a pale rule from the shades beside it. The grain of a pale ground may be as dark as a rule on paper. */
const MIN_STEP = MIN_PALE_CONTRAST * 0.6;

/** True when the pixels of a pale rule are hardly darker than those beside it: it is the grain of a ground. */
function isStreak(raster: Raster, { direction, from, to, first, last, dark }: TracedRule): boolean {
  const meanOf = (start: number, end: number, most: number) => {
    let [sum, count] = [0, 0];
    for (let along = from; along < to; along++) {
      for (let across = start; across <= end; across++) {
        const shade = shadeAt(raster, direction, along, across);
        if (shade !== undefined && shade <= most) [sum, count] = [sum + shade, count + 1];
      }
    }
    return count === 0 ? 255 : sum / count;
  };
  const [near, far] = [BLUR_PX + 1, BLUR_PX + BESIDE_PX];
  const beside = Math.min(meanOf(first - far, first - near, 255), meanOf(last + near, last + far, 255));
  return beside - meanOf(first, last, dark) < MIN_STEP;
}

/** The shade at a place along a rule and across it; undefined outside of the picture. */
function shadeAt({ data, width, height }: Raster, direction: Direction, along: number, across: number) {
  if (direction === 'level') return across >= 0 && across < height ? data[across * width + along] : undefined;
  return across >= 0 && across < width ? data[along * width + across] : undefined;
}

export function toRule({ direction, from, to, first, last }: TracedRule): DrawnRule {
  const middle = (first + last + 1) / 2;
  return direction === 'level'
    ? { x0: from, x1: to, y0: middle, y1: middle }
    : { x0: middle, x1: middle, y0: from, y1: to };
}

/** A rule with the rows, or columns, of pixels that it covers. */
export interface TracedRule extends Stroke {
  direction: Direction;
  /** Shade of the paper that it is drawn on. */
  paper: number;
  /** Shade below which a pixel belongs to the rule. */
  dark: number;
}

/** Finds the rules of these shades; none if there are too many. */
function findStraight(raster: Raster, paper: number, shades: Shades): TracedRule[] {
  const long = Math.max(raster.width, raster.height);
  const thickness = Math.max(4, long * MAX_THICKNESS_SHARE);
  const rules = DIRECTIONS.flatMap((direction) =>
    traceRuns(raster, shades, direction)
      .filter(({ from, to, first, last, area }) => {
        const size = to - from;
        const isThin = area <= thickness * size && last - first + 1 <= thickness + size * MAX_SLOPE;
        return size >= long * MIN_LENGTH_SHARE[direction] && isThin;
      })
      .map((stroke) => ({ ...stroke, direction, paper, dark: shades.to })),
  );
  return rules.length > MAX_RULES ? [] : rules;
}
