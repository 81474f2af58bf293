import type { Raster } from '../raster.js';
import { findSolid, SOLID } from './find-solid.js';
import { joinSides } from './join-sides.js';
import { findPaper, isEvenPaper } from './paper.js';
import { type Direction, MAX_GAP_PX, type Shades, type Stroke, traceRuns } from './trace-runs.js';

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
/** Difference of a rule and the paper; the second is for pale rules on even paper, the third for those in the grain of a scan. */
const MIN_CONTRAST = 60;
const MIN_PALE_CONTRAST = 14;
const GRAIN_CONTRAST = 20;
const DIRECTIONS = ['level', 'upright'] as const;
/** Rules of a page; more are a drawing. */
const MAX_RULES = 1500;

/** Finds the rules of tables and frames in a picture: long, thin, and level or upright within the skew of a scan. */
export const findRules = (raster: Raster, traced = traceRules(raster)): DrawnRule[] =>
  [...traced, ...notOn(traced, tracePale(raster))].map(toRule);

/** Finds the rules that stand out from the grain of the paper, each with its extent in pixels. */
export function traceRules(raster: Raster): TracedRule[] {
  const paper = findPaper(raster);
  if (paper <= MIN_CONTRAST) return [];
  const dark = findStraight(raster, paper, { from: 0, to: paper - MIN_CONTRAST });
  return [...dark, ...notOn(dark, traceInGrain(raster, paper))];
}

/** Length of a rule in grain by the long side: stems of letters in a row of a table reach from rule to rule. */
const MIN_GRAIN_LENGTH_SHARE = 1 / 40;
/** Width of a ground, in thicknesses of the thickest rule: the grain of one joins a rule beside it here and there. */
const WIDE = 2;

/** Finds rules that are darker than the grain of a scan, but not in each of their pixels. */
function traceInGrain(raster: Raster, paper: number): TracedRule[] {
  const dark = paper - GRAIN_CONTRAST;
  const found = DIRECTIONS.flatMap((direction) =>
    findLong(findSolid(raster, direction, dark, thicknessOf(raster) * WIDE), SOLID, direction).map(
      withPaper(direction, paper, { from: 0, to: dark }),
    ),
  ).filter((rule) => {
    if (rule.to - rule.from < longSideOf(raster) * MIN_GRAIN_LENGTH_SHARE) return false;
    const shade = shadeOf(raster, rule);
    return !isEdge(raster, rule, shade - DARKER) && !isStreak(raster, rule, shade);
  });
  return found.length > MAX_RULES ? [] : found;
}

/** Finds rules that are hardly darker than even paper, like the borders of many web pages. */
function tracePale(raster: Raster): TracedRule[] {
  if (!isEvenPaper(raster)) return [];
  const paper = findPaper(raster);
  const dark = paper - MIN_CONTRAST;
  const rules = findStraight(raster, paper, { from: dark, to: paper - MIN_PALE_CONTRAST });
  return rules.filter((rule) => !isEdge(raster, rule, dark) && !isStreak(raster, rule, shadeOf(raster, rule)));
}

/** Share of a rule that lies on a known one, from which both are the same. */
const MIN_COVERED_SHARE = 0.9;

/** Returns the rules that are none of the known ones. */
const notOn = (known: readonly TracedRule[], rules: readonly TracedRule[]): TracedRule[] =>
  rules.filter((rule) => !known.some((other) => covers(other, rule)));

/** True when a rule lies on another one. */
const covers = (one: TracedRule, other: TracedRule): boolean =>
  one.direction === other.direction &&
  one.first <= other.last + MAX_GAP_PX &&
  other.first <= one.last + MAX_GAP_PX &&
  Math.min(one.to, other.to) - Math.max(one.from, other.from) > (other.to - other.from) * MIN_COVERED_SHARE;

/** Rows beside a rule that its blur reaches. */
const BLUR_PX = 3;
/** Difference of a rule and something darker. */
const DARKER = 50;
/** Share of a rule with something darker beside it, which crosses it or stands on it. */
const MAX_DARK_SHARE = 0.3;

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

/** True when the pixels of a pale rule are hardly darker than those beside it: it is the grain of a ground. `shade`: that of the rule. */
function isStreak(raster: Raster, rule: TracedRule, shade: number): boolean {
  const { first, last } = rule;
  const [near, far] = [BLUR_PX + 1, BLUR_PX + BESIDE_PX];
  const beside = Math.min(
    meanShade(raster, rule, first - far, first - near),
    meanShade(raster, rule, last + near, last + far),
  );
  return beside - shade < MIN_STEP;
}

/** Returns the mean shade of the pixels of a rule. */
const shadeOf = (raster: Raster, rule: TracedRule): number => meanShade(raster, rule, rule.first, rule.last, rule.dark);

/** Returns the mean of the shades up to `most` along a rule, in the rows from `start` to `end`; 255 where there are none. */
function meanShade(
  raster: Raster,
  { direction, from, to }: TracedRule,
  start: number,
  end: number,
  most = 255,
): number {
  let [sum, count] = [0, 0];
  for (let along = from; along < to; along++) {
    for (let across = start; across <= end; across++) {
      const shade = shadeAt(raster, direction, along, across);
      if (shade !== undefined && shade <= most) [sum, count] = [sum + shade, count + 1];
    }
  }
  return count === 0 ? 255 : sum / count;
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

/** True for a rule in the grain of the paper: letters may be far darker. */
export const isPale = ({ paper, dark }: TracedRule): boolean => paper - dark < MIN_CONTRAST;

/** Finds the rules of these shades; none if there are too many. */
function findStraight(raster: Raster, paper: number, shades: Shades): TracedRule[] {
  const upright = findLong(raster, shades, 'upright');
  const level = findLong(raster, shades, 'level', (thin) => joinSides(thin, upright, longSideOf(raster)));
  const rules = [...level.map(withPaper('level', paper, shades)), ...upright.map(withPaper('upright', paper, shades))];
  return rules.length > MAX_RULES ? [] : rules;
}

const withPaper =
  (direction: Direction, paper: number, { to: dark }: Shades) =>
  (stroke: Stroke): TracedRule => ({ ...stroke, direction, paper, dark });

const thicknessOf = (raster: Raster): number => Math.max(4, longSideOf(raster) * MAX_THICKNESS_SHARE);

const longSideOf = ({ width, height }: Raster): number => Math.max(width, height);

/** Finds thin strokes that are long, if need be after they were joined. */
function findLong(
  raster: Raster,
  shades: Shades,
  direction: Direction,
  join = (thin: Stroke[]): Stroke[] => thin,
): Stroke[] {
  const long = longSideOf(raster);
  const thickness = thicknessOf(raster);
  const thin = traceRuns(raster, shades, direction).filter(
    ({ from, to, first, last, area }) =>
      area <= thickness * (to - from) && last - first + 1 <= thickness + (to - from) * MAX_SLOPE,
  );
  return join(thin).filter(({ from, to }) => to - from >= long * MIN_LENGTH_SHARE[direction]);
}
