import { median } from '../../../model/median.js';
import { countAlike, findLetterRows } from '../../picture/find/letter-rows.js';
import { findPaper } from '../../picture/find/paper.js';
import { findParts, type Part } from '../../picture/find/parts.js';
import type { Raster } from '../../picture/raster.js';
import { weigh } from './judge-words.js';
import { WEIGHTS } from './weights.js';

/** Step from one examined row to the next, and from one pixel to the next where the paper is measured. */
const ROW_STEP = 2;
const PAPER_STEP_PX = 7;
/** Ink is darker than this share of the paper: pencil is pale. */
const INK_SHARE = 0.7;
/** Difference of shades of one paper. */
const MAX_PAPER_DIFFERENCE = 16;
/** Sides of strokes by the long side of the page. */
const MIN_HEIGHT_SHARE = 1 / 200;
const MAX_HEIGHT_SHARE = 1 / 12;
const MAX_WIDTH_SHARE = 1 / 3;
/** Runs of ink of a page; more are a screen of dots or a photograph. */
const MAX_RUNS = 600_000;
/** Letters of a row that count. */
const MIN_ROW_LETTERS = 5;
/** Run of ink that nine in ten do not exceed. */
const LONG_RUN_SHARE = 0.9;
const MAX_RUN_RATIO = 8;

/** True when the ink of a page that could hardly be read looks written by a pen. */
export const looksHandwritten = (raster: Raster): boolean => weigh(measurePage(raster), WEIGHTS.page) > 0;

/**
 * Measures the strokes of a page: the share of their boxes that they fill; the share of letters in rows that are as wide and
 * high as most of their row; the long runs of ink by the usual ones; the share of the page that is plain paper; their number.
 */
export function measurePage(raster: Raster): number[] {
  const { data, width, height } = raster;
  const paper = findPaper(raster);
  let [plain, all] = [0, 0];
  for (let at = 0; at < data.length; at += PAPER_STEP_PX, all++)
    if (Math.abs((data[at] ?? 0) - paper) <= MAX_PAPER_DIFFERENCE) plain++;
  const { parts, runs } = findInk(raster, paper * INK_SHARE);
  const long = Math.max(width, height);
  const strokes = parts.filter(({ x0, x1, y0, y1 }) => {
    const high = y1 - y0;
    return high > long * MIN_HEIGHT_SHARE && high < long * MAX_HEIGHT_SHARE && x1 - x0 < long * MAX_WIDTH_SHARE;
  });
  const rows = findLetterRows(strokes).filter(({ widths }) => widths.length >= MIN_ROW_LETTERS);
  const inRows = rows.reduce((sum, { widths }) => sum + widths.length, 0);
  const alike = rows.reduce((sum, row) => sum + countAlike(row), 0);
  return [
    median(strokes.map(({ x0, x1, y0, y1, area }) => area / ((x1 - x0) * (y1 - y0)))) ?? 1,
    inRows === 0 ? 0 : alike / inRows,
    Math.min(MAX_RUN_RATIO, shareOf(runs, LONG_RUN_SHARE) / shareOf(runs, 1 / 2)),
    plain / all,
    Math.log1p(strokes.length),
  ];
}

/** Finds the connected ink of a page, and counts the lengths of its level runs; nothing if there are too many. */
function findInk(raster: Raster, dark: number): { parts: Part[]; runs: Uint32Array } {
  const runs = new Uint32Array(raster.width + 1);
  const onRun = (length: number) => {
    runs[length] = (runs[length] ?? 0) + 1;
  };
  return { parts: findParts(raster, dark, { rowStep: ROW_STEP, maxRuns: MAX_RUNS, onRun }), runs };
}

/** Returns the length that this share of the runs does not exceed; 1 without any. */
function shareOf(runs: Uint32Array, share: number): number {
  let left = runs.reduce((sum, count) => sum + count, 0) * share;
  for (let length = 1; length < runs.length; length++) {
    left -= runs[length] ?? 0;
    if (left < 0) return length;
  }
  return 1;
}
