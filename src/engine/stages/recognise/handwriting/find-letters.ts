import type { Area } from '../../../model/geometry.js';
import { findInkParts } from '../../picture/find/ink-parts.js';
import type { Part } from '../../picture/find/parts.js';
import type { Raster } from '../../picture/raster.js';

/** Paper around the box of a word that is searched as well, by its height: boxes cut handwriting short. */
const MARGIN_SHARE = 0.16;
/** Sides of a letter by the height of the word. Smaller ones are dots and signs. */
const MIN_HEIGHT_SHARE = 1 / 3;
const MIN_WIDTH_SHARE = 0.05;
/** Share of its box that a letter fills. Frames, and loops around other ink, fill less. */
const MIN_FILLED_SHARE = 0.12;
/** Sides of a rule by the height of the word. */
const MIN_RULE_WIDTH_SHARE = 2;
const MAX_RULE_HEIGHT_SHARE = 0.27;

/** Finds the letters of a word, or the pieces of connected writing. */
export function findLetters(raster: Raster, { x0, x1, y0, y1 }: Area): Part[] {
  const high = y1 - y0;
  const margin = high * MARGIN_SHARE;
  const searched = { x0: x0 - margin, x1: x1 + margin, y0: y0 - margin, y1: y1 + margin };
  return findInkParts(raster, searched).filter((part) => isLetter(part, high));
}

function isLetter({ x0, x1, y0, y1, area }: Part, high: number): boolean {
  const [width, height] = [x1 - x0, y1 - y0];
  if (height < high * MIN_HEIGHT_SHARE || width < high * MIN_WIDTH_SHARE) return false;
  const isRule = width > high * MIN_RULE_WIDTH_SHARE && height < high * MAX_RULE_HEIGHT_SHARE;
  return !isRule && area >= width * height * MIN_FILLED_SHARE;
}
