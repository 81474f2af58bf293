import { type Area, boundsOf } from '../../../model/geometry.js';
import { cutRaster } from '../../picture/correct/cut-raster.js';
import { type Raster, scaleRaster } from '../../picture/raster.js';
import { alignCells, type CellRow } from './align-cells.js';
import { CELL_PX, type Ink, measureInk, WINDOW_HEIGHT, WINDOW_WIDTH } from './letter-strip.js';
import { type SpelledZone, spellZone } from './spell-zone.js';

/** A zone as it was read: one box and one text for each line. */
export interface ReadZone extends SpelledZone {
  areas: readonly Area[];
  /** Mean probability of the letters of each line. */
  sure: readonly number[];
}

/** Cells of a line in zones of two and of three lines. */
const CELLS_BY_LINES: Record<number, readonly number[]> = { 2: [44, 36], 3: [30] };
/** Sizes of a cell by the one that the width of the line gives: a frame at its side makes it too wide. */
const STRETCHES = [0.96, 1.01];
/** Ink of a line ends before its last cell does. */
const OPEN_END_CELLS = 0.3;
/** Ground around a zone that is cut out with it. */
const MARGIN_CELLS = 1.5;
/** Heights that are tried for a line, beside the one with most ink. */
const SHIFTS_PX = [-1, 1, -2, 2];
/** Mean logarithm of probability below which the lines are no letters of equal pitch: zones have -.1 and more, other rows -.3 and less. */
const MIN_SCORE = -0.25;
/** The same where few check digits agree: specimens show some that are not meant. */
const MIN_UNCHECKED_SCORE = -0.1;
const MIN_AGREEING = 2;
/** Cells of the first line that are looked at before the others, and their score below which there is no zone. */
const GLANCE_CELLS = 12;
const GLANCE_ROOM_CELLS = 4;
const MIN_GLANCE_SCORE = -0.7;

/** Reads the lines of a machine-readable zone; undefined if they are none. */
export async function readZone(raster: Raster, lines: readonly Area[]): Promise<ReadZone | undefined> {
  const best = await glance(raster, lines);
  if (best === undefined) return undefined;
  const view = await viewZone(raster, lines, best);
  const rows = view.tops.map((top) => refine(view, top));
  const score = scoreOf(rows.map(({ row }) => row));
  const zone = score < MIN_SCORE ? undefined : spellZone(rows.map(({ row }) => row?.cells ?? []));
  if (zone === undefined || (zone.agreeing < MIN_AGREEING && score < MIN_UNCHECKED_SCORE)) return undefined;
  return {
    ...zone,
    areas: rows.map(({ row, top }) => placeRow(view, row, top)),
    sure: rows.map(({ row }) => Math.exp(row?.score ?? Number.NEGATIVE_INFINITY)),
  };
}

/** Number of the cells of a line, and the size of a cell by that which the width of the line gives. */
interface Grid {
  count: number;
  stretch: number;
}

/** Looks at the beginning of the first line alone; undefined if its cells are no letters in any grid. */
async function glance(raster: Raster, lines: readonly Area[]): Promise<Grid | undefined> {
  let best: { grid: Grid; score: number } | undefined;
  for (const count of CELLS_BY_LINES[lines.length] ?? []) {
    for (const stretch of STRETCHES) {
      const view = await viewZone(raster, lines.slice(0, 1), { count, stretch }, GLANCE_CELLS + GLANCE_ROOM_CELLS);
      const score = scoreOf([alignCells(view.ink, view.tops[0] ?? 0, GLANCE_CELLS)]);
      if (score > (best?.score ?? MIN_GLANCE_SCORE)) best = { grid: { count, stretch }, score };
    }
  }
  return best?.grid;
}

type MaybeRow = CellRow | undefined;

const scoreOf = (rows: readonly MaybeRow[]): number =>
  rows.reduce((sum, row) => sum + (row?.score ?? Number.NEGATIVE_INFINITY), 0) / rows.length;

/** Finds the cells of a line, at the height at which they are surest. */
function refine({ ink, count }: View, top: number): { row: MaybeRow; top: number } {
  let best = { row: alignCells(ink, top, count), top };
  for (const shift of SHIFTS_PX) {
    const row = alignCells(ink, top + shift, count);
    if (scoreOf([row]) > scoreOf([best.row])) best = { row, top: top + shift };
  }
  return best;
}

/** A zone, cut out and scaled so that its cells have the size of the classifier's. */
interface View {
  ink: Ink;
  /** Number of cells in a line. */
  count: number;
  /** Upper edge of the window for each line. */
  tops: readonly number[];
  /** Place of the picture on the page, its pixels for each of the page, and its rise from left to right that was taken out. */
  x0: number;
  y0: number;
  scale: number;
}

/** Cuts a zone out of a page, or its first `cells`. */
async function viewZone(
  raster: Raster,
  lines: readonly Area[],
  { count, stretch }: Grid,
  cells = Number.POSITIVE_INFINITY,
): Promise<View> {
  const bounds = boundsOf(lines);
  const cell = ((bounds.x1 - bounds.x0) / (count - OPEN_END_CELLS)) * stretch;
  const margin = Math.round(cell * MARGIN_CELLS);
  const x0 = Math.max(0, bounds.x0 - margin);
  const y0 = Math.max(0, bounds.y0 - margin);
  const x1 = Math.min(bounds.x1 + margin, bounds.x0 + cell * cells);
  const scale = CELL_PX / cell;
  const part = await scaleRaster(cutRaster(raster, { x0, y0, x1, y1: bounds.y1 + margin }), scale);
  const ink = level(measureInk(part));
  const tops = lines.map((line) => findTop(ink, ((line.y0 + line.y1) / 2 - y0) * scale));
  return { ink, count, tops, x0, y0, scale };
}

/** Rise of a zone over its width that is taken out; the page is level, but a zone on a photographed one may not be. */
const MAX_RISE_PX = 8;

/** Shears a zone so that its lines stand out most. */
function level(picture: Ink): Ink {
  let best = picture;
  let most = sharpnessOf(picture);
  for (let rise = -MAX_RISE_PX; rise <= MAX_RISE_PX; rise++) {
    const sheared = shear(picture, rise);
    const sharpness = sharpnessOf(sheared);
    if (sharpness > most) [best, most] = [sheared, sharpness];
  }
  return best;
}

const sharpnessOf = (picture: Ink): number => rowsOf(picture).reduce((sum, row) => sum + row * row, 0);

function shear({ ink, width, height }: Ink, rise: number): Ink {
  const sheared = new Float32Array(ink.length);
  for (let x = 0; x < width; x++) {
    const down = Math.round(rise * (x / width - 0.5));
    for (let y = Math.max(0, -down); y < Math.min(height, height - down); y++)
      sheared[y * width + x] = ink[(y + down) * width + x] ?? 0;
  }
  return { ink: sheared, width, height };
}

function rowsOf({ ink, width, height }: Ink): Float32Array {
  const rows = new Float32Array(height);
  for (let at = 0; at < ink.length; at++) {
    const y = Math.floor(at / width);
    rows[y] = (rows[y] ?? 0) + (ink[at] ?? 0);
  }
  return rows;
}

/** Distance of the middle of a line from that of the place where it was found, and height of its letters. */
const MAX_SHIFT_PX = 5;
const LETTER_HEIGHT_PX = 12;

/** Returns the upper edge of the window for the line near `middle`: where most of the ink is. */
function findTop(picture: Ink, middle: number): number {
  const rows = rowsOf(picture);
  let [best, most] = [0, Number.NEGATIVE_INFINITY];
  for (let y = Math.round(middle) - MAX_SHIFT_PX; y <= middle + MAX_SHIFT_PX; y++) {
    const ink = rows
      .subarray(Math.max(0, y - LETTER_HEIGHT_PX / 2), y + LETTER_HEIGHT_PX / 2)
      .reduce((sum, row) => sum + row, 0);
    if (ink > most) [best, most] = [y, ink];
  }
  return best - WINDOW_HEIGHT / 2;
}

/** Returns the place of a row on the page. */
function placeRow({ x0, y0, scale, ink }: View, row: MaybeRow, top: number): Area {
  const lefts = row?.lefts ?? [];
  const middle = top + WINDOW_HEIGHT / 2;
  const half = LETTER_HEIGHT_PX / 2;
  const right = (lefts.at(-1) ?? ink.width) + WINDOW_WIDTH;
  return {
    x0: x0 + (lefts[0] ?? 0) / scale,
    y0: y0 + (middle - half) / scale,
    x1: x0 + right / scale,
    y1: y0 + (middle + half) / scale,
  };
}
