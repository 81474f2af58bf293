import { findPaper } from '../find/paper.js';
import type { Raster } from '../raster.js';
import type { Direction } from './skew.js';

/** Side by side; a line crosses several, and columns whose lines are not level with each other fall in different ones. */
const STRIPS = 16;
/** Of the width of a strip every so-many-th pixel is looked at. */
const STEP = 2;
/** Of the paper's shade: what is darker is ink. */
const INK = 0.65;
/** Of a strip, in a row that has a line in it. */
const LEAST_INK = 0.01;
/** Height of a line, in pixels. */
const LEAST_HEIGHT = 8;
const MOST_HEIGHT = 120;
/** Of a strip, in the fullest row of a line: more is a rule or a picture. */
const LEAST_FULLEST = 0.1;
const MOST_FULLEST = 0.7;
/** A line's rows that have so much of the ink of its fullest one are those of its small letters. */
const CORE = 0.5;
/** Of the ink of those rows: by so much more that stands out on one side of them tells the way up. Rounded capitals and digits have up to .03. */
const LEAST_OVERHANG = 0.04;
/** Fewer lines that tell, or a smaller majority of them, tell nothing. */
const LEAST_LINES = 20;
const LEAST_MAJORITY = 0.25;

/**
 * By how many degrees, clockwise, a page in Latin letters has to be turned to stand upright, as far as its lines say: small
 * letters have more of their strokes above them (b, d, f, h, k, l, t, capitals, dots) than below (g, j, p, q, y) (Caprari,
 * 2000). 0 where that is not clear, as in capitals and digits. Cyrillic letters have more below.
 */
export function guessTurn(level: Raster, direction: Direction | undefined): number {
  if (direction === undefined) return 0;
  const turn = direction === 'up' ? 90 : 0;
  const majority = majorityOf(profilesOf(level, direction));
  if (Math.abs(majority) < LEAST_MAJORITY) return 0;
  return majority > 0 ? turn : turn + 180;
}

/** Of the lines, from 1, where all stand upright, to -1, where all are upside down. */
function majorityOf(profiles: readonly Float64Array[]): number {
  let [upright, inverted] = [0, 0];
  for (const rows of profiles) {
    for (const overhang of overhangsOf(rows)) {
      if (overhang > LEAST_OVERHANG) upright++;
      else if (overhang < -LEAST_OVERHANG) inverted++;
    }
  }
  const lines = upright + inverted;
  return lines < LEAST_LINES ? 0 : (upright - inverted) / lines;
}

/** For each strip, side by side along the lines, the share of ink in each of its rows, or columns from the left, where lines run up. */
function profilesOf(raster: Raster, direction: Direction): Float64Array[] {
  const { data, width, height } = raster;
  const ink = findPaper(raster) * INK;
  const isAcross = direction === 'across';
  const [rows, along] = isAcross ? [height, width] : [width, height];
  const [toNextRow, toNextAlong] = isAcross ? [width, STEP] : [1, STEP * width];
  const looked = Math.floor(along / STRIPS / STEP);
  return Array.from({ length: STRIPS }, (_, strip) => {
    const profile = new Float64Array(rows);
    for (let row = 0; row < rows; row++) {
      let at = row * toNextRow + strip * looked * toNextAlong;
      let dark = 0;
      for (let count = 0; count < looked; count++, at += toNextAlong) if ((data[at] ?? 0) < ink) dark++;
      profile[row] = dark / looked;
    }
    return profile;
  });
}

/** How much more ink each line of a strip has above its small letters than below, as a share of theirs. */
function* overhangsOf(rows: Float64Array): Generator<number> {
  let begin = 0;
  for (let row = 0; row <= rows.length; row++) {
    if ((rows[row] ?? 0) >= LEAST_INK) continue;
    const line = rows.subarray(begin, row);
    begin = row + 1;
    if (line.length < LEAST_HEIGHT || line.length > MOST_HEIGHT) continue;
    const fullest = Math.max(...line);
    if (fullest < LEAST_FULLEST || fullest > MOST_FULLEST) continue;
    const isCore = (ink: number) => ink >= fullest * CORE;
    const [top, foot] = [line.findIndex(isCore), line.findLastIndex(isCore) + 1];
    yield (sum(line.subarray(0, top)) - sum(line.subarray(foot))) / sum(line.subarray(top, foot));
  }
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
