import { findPaper } from '../find/paper.js';
import type { Raster } from '../raster.js';
import type { Direction } from './skew.js';

/** Strips across the lines. A line crosses several, and columns whose lines are not level with each other fall into different ones. */
const STRIPS = 16;
/** Step from one examined pixel to the next along the lines. */
const STEP_PX = 2;
/** Ink is darker than this share of the paper's shade. */
const INK_SHARE = 0.65;
/** Share of ink in a row of a strip that belongs to a line. */
const MIN_INK_SHARE = 0.01;
/** Height of a line, in pixels. */
const MIN_HEIGHT_PX = 8;
const MAX_HEIGHT_PX = 120;
/** Share of ink in the fullest row of a line; with more it is a rule or a picture. */
const MIN_FULLEST_SHARE = 0.1;
const MAX_FULLEST_SHARE = 0.7;
/** Rows with this share of the fullest row's ink are those of the line's small letters. */
const CORE_SHARE = 0.5;
/** Surplus of ink on one side of the small letters, as a share of their ink, that shows the way up. Rounded capitals and digits have up to .03. */
const MIN_OVERHANG_SHARE = 0.04;
/** Lines that show a way up, and the majority of one way among them. */
const MIN_LINES = 20;
const MIN_MAJORITY = 0.25;

/**
 * Returns the clockwise turn, in degrees, that makes a page in Latin letters upright. Lines of Latin print have more strokes
 * above the small letters (b, d, f, h, k, l, t, capitals, dots) than below them (g, j, p, q, y) (Caprari, 2000). 0 if that is
 * not clear, as in capitals and digits. Cyrillic letters have more below.
 */
export function guessTurn(level: Raster, direction: Direction | undefined): number {
  if (direction === undefined) return 0;
  const turn = direction === 'up' ? 90 : 0;
  const majority = majorityOf(profilesOf(level, direction));
  if (Math.abs(majority) < MIN_MAJORITY) return 0;
  return majority > 0 ? turn : turn + 180;
}

/** Returns the majority of the lines: from 1 (all are upright) to -1 (all are upside down). */
function majorityOf(profiles: readonly Float64Array[]): number {
  let [upright, inverted] = [0, 0];
  for (const rows of profiles) {
    for (const overhang of overhangsOf(rows)) {
      if (overhang > MIN_OVERHANG_SHARE) upright++;
      else if (overhang < -MIN_OVERHANG_SHARE) inverted++;
    }
  }
  const lines = upright + inverted;
  return lines < MIN_LINES ? 0 : (upright - inverted) / lines;
}

/** Returns, for each strip, the share of ink in each of its rows, or in each column from the left if lines run up. */
function profilesOf(raster: Raster, direction: Direction): Float64Array[] {
  const { data, width, height } = raster;
  const ink = findPaper(raster) * INK_SHARE;
  const isAcross = direction === 'across';
  const [rows, along] = isAcross ? [height, width] : [width, height];
  const [toNextRow, toNextAlong] = isAcross ? [width, STEP_PX] : [1, STEP_PX * width];
  const sampled = Math.floor(along / STRIPS / STEP_PX);
  return Array.from({ length: STRIPS }, (_, strip) => {
    const profile = new Float64Array(rows);
    for (let row = 0; row < rows; row++) {
      let at = row * toNextRow + strip * sampled * toNextAlong;
      let dark = 0;
      for (let count = 0; count < sampled; count++, at += toNextAlong) if ((data[at] ?? 0) < ink) dark++;
      profile[row] = dark / sampled;
    }
    return profile;
  });
}

/** Yields, for each line of a strip, the surplus of ink above its small letters over that below, as a share of their own. */
function* overhangsOf(rows: Float64Array): Generator<number> {
  let begin = 0;
  for (let row = 0; row <= rows.length; row++) {
    if ((rows[row] ?? 0) >= MIN_INK_SHARE) continue;
    const line = rows.subarray(begin, row);
    begin = row + 1;
    if (line.length < MIN_HEIGHT_PX || line.length > MAX_HEIGHT_PX) continue;
    const fullest = Math.max(...line);
    if (fullest < MIN_FULLEST_SHARE || fullest > MAX_FULLEST_SHARE) continue;
    const isCore = (ink: number) => ink >= fullest * CORE_SHARE;
    const [top, foot] = [line.findIndex(isCore), line.findLastIndex(isCore) + 1];
    yield (sum(line.subarray(0, top)) - sum(line.subarray(foot))) / sum(line.subarray(top, foot));
  }
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
