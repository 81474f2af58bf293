import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import type { DrawnRule } from './find-rules.js';
import { findPaper } from './paper.js';
import { type Stroke, traceRuns } from './trace-runs.js';

interface Ground extends Area {
  shade: number;
}

/** A rectangle in one shade that is not the paper's, in pixels: a bar under a title, the heads of a table, a button. */
export interface Field extends Ground {
  /** Whether anything stands on it; if not, it may be a stroke of a large letter. */
  isPrinted: boolean;
}

/** Darker than paper by this. */
const LEAST_CONTRAST = 60;
/** As shares of the long side: a line of small type is as high, and a few lines of a title. */
const LEAST_HEIGHT = 1 / 110;
const MOST_HEIGHT = 1 / 10;
const LEAST_WIDTH = 1 / 40;
/** What is higher may be the dark part of a photograph. A column beside the text, as of a résumé, is bare but for its letters: around them, and in many rows between its lines. */
const LEAST_BARE_HIGH = 0.8;
const LEAST_LETTERS = 0.004;
const LEAST_BARE = 0.99;
const LEAST_BARE_ROWS = 0.3;
const ROW_STEP = 4;
/** Shades that are one, but for noise. */
const SAME_SHADE = 24;
/** Of the field, and of each of its sides: the rest is text, and the corners may be round. A picture has more shades, or no straight sides. */
const LEAST_EVEN = 0.6;
const LEAST_EVEN_SIDE = 0.8;
/** Blur, and the lean of a scan, reach into it from the paper, in pixels. */
const EDGE = 3;
/** Pages that lean less are not levelled: by so much a side runs askew, as a share of its length, and by this of the field at most. */
const LEAN = 0.009;
const MOST_LEAN = 0.25;
/** How far lines may miss a field that they end at. */
const REACH = 8;
const MOST_SAMPLES = 20_000;
const MOST_FIELDS = 500;

/** Finds the fields of a page. */
export function findFields(raster: Raster): Field[] {
  const long = Math.max(raster.width, raster.height);
  const dark = findPaper(raster) - LEAST_CONTRAST;
  if (dark <= 0) return [];
  return traceRuns(raster, { from: 0, to: dark }, 'level')
    .filter(({ from, to, first, last }) => {
      const height = last - first + 1;
      return height > long * LEAST_HEIGHT && to - from > long * LEAST_WIDTH;
    })
    .slice(0, MOST_FIELDS)
    .map((stroke) => toField(raster, stroke, dark))
    .filter((field) => field !== undefined);
}

function toField(raster: Raster, { from: x0, to: x1, first: y0, last }: Stroke, dark: number): Field | undefined {
  const y1 = last + 1;
  const step = Math.max(1, Math.floor(Math.sqrt(((x1 - x0) * (y1 - y0)) / MOST_SAMPLES)));
  const counts = new Uint32Array(256);
  for (const shade of shadesIn(raster, { x0, y0, x1, y1 }, step)) counts[shade] = (counts[shade] ?? 0) + 1;
  const shade = counts.indexOf(counts.reduce((most, count) => Math.max(most, count)));
  if (shade >= dark) return undefined;
  const field = { x0, y0, x1, y1, shade };
  const isHigh = y1 - y0 >= Math.max(raster.width, raster.height) * MOST_HEIGHT;
  const isField = isHigh ? isColumn(raster, field, step) : isBar(raster, field, step);
  // A column is one by its letters.
  return isField ? { ...field, isPrinted: isHigh || isPrinted(raster, field) } : undefined;
}

/** Strokes of letters are shorter, by their height. */
const LEAST_LONG = 6;

function isPrinted(raster: Raster, { x0, y0, x1, y1, shade }: Ground): boolean {
  if (x1 - x0 > (y1 - y0) * LEAST_LONG) return true;
  const inner = { x0: x0 + EDGE, y0: y0 + EDGE, x1: x1 - EDGE, y1: y1 - EDGE };
  return shareNear(raster, inner, shade, LEAST_CONTRAST, 1) < 1 - LEAST_LETTERS;
}

function isBar(raster: Raster, field: Ground, step: number): boolean {
  const evenness = (box: Area, every = 1) => shareNear(raster, box, field.shade, SAME_SHADE, every);
  return evenness(field, step) >= LEAST_EVEN && haveSides(field, (side) => evenness(side) >= LEAST_EVEN_SIDE);
}

function isColumn(raster: Raster, field: Ground, step: number): boolean {
  const { x0, x1, y0, y1, shade } = field;
  const near = (findPaper(raster) - shade) / 2;
  const bareness = (box: Area, every = 1) => shareNear(raster, box, shade, near, every);
  const isBare = (box: Area) => bareness(box) >= LEAST_BARE;
  const bare = bareness(field, step);
  if (bare < LEAST_BARE_HIGH || bare > 1 - LEAST_LETTERS || !haveSides(field, isBare)) return false;
  const margin = leanOf(y1 - y0, x1 - x0) + EDGE;
  const rows = Array.from({ length: Math.floor((y1 - y0) / ROW_STEP) }, (_, index) => y0 + index * ROW_STEP);
  const bareRows = rows.filter((y) => isBare({ x0: x0 + margin, x1: x1 - margin, y0: y, y1: y + 1 }));
  return bareRows.length >= rows.length * LEAST_BARE_ROWS;
}

const leanOf = (length: number, other: number): number => Math.round(Math.min(length * LEAN, other * MOST_LEAN));

/** Is each of its sides one, as far in as a field begins that is level, or leans? */
function haveSides({ x0, y0, x1, y1 }: Area, isSide: (side: Area) => boolean): boolean {
  const areSides = (across: number, down: number) => {
    const [left, top, right, bottom] = [x0 + EDGE + across, y0 + EDGE + down, x1 - EDGE - across, y1 - EDGE - down];
    const sides = [
      { x0: left, y0: top, x1: right, y1: top + 1 },
      { x0: left, y0: bottom - 1, x1: right, y1: bottom },
      { x0: left, y0: top, x1: left + 1, y1: bottom },
      { x0: right - 1, y0: top, x1: right, y1: bottom },
    ];
    return sides.every(isSide);
  };
  return areSides(0, 0) || areSides(leanOf(y1 - y0, x1 - x0), leanOf(x1 - x0, y1 - y0));
}

function shareNear(raster: Raster, box: Area, shade: number, near: number, every: number): number {
  const shades = shadesIn(raster, box, every);
  // A side of a low bar may have no pixels left.
  return shades.length === 0 ? 1 : shades.filter((other) => Math.abs(other - shade) < near).length / shades.length;
}

function shadesIn({ data, width }: Raster, { x0, y0, x1, y1 }: Area, step: number): number[] {
  const shades: number[] = [];
  for (let y = y0; y < y1; y += step) for (let x = x0; x < x1; x += step) shades.push(data[y * width + x] ?? 0);
  return shades;
}

/**
 * The sides of fields that are in a ruled table: a line that is drawn along a field cannot be told from it. Where the lines
 * between columns alone are drawn, coloured rows say nothing of the others, and are left out.
 */
export function sidesInTables(fields: readonly Field[], rules: readonly DrawnRule[]): DrawnRule[] {
  const level = rules.filter(({ y0, y1 }) => y0 === y1);
  const upright = rules.filter(
    ({ x0, x1, y0, y1 }) => x0 === x1 && level.some((rule) => isNear(x0, rule.x0, rule.x1) && isNear(rule.y0, y0, y1)),
  );
  const endsAt = (rule: DrawnRule, { x0, x1, y0, y1 }: Field) =>
    isNear(rule.x0, x0, x1) && (isNear(rule.y0, y1, y1) || isNear(rule.y1, y0, y0));
  return fields
    .filter((field) => upright.filter((rule) => endsAt(rule, field)).length > 1)
    .flatMap(({ x0, x1, y0, y1 }) => [
      { x0, x1, y0, y1: y0 },
      { x0, x1, y0: y1, y1 },
      { x0, x1: x0, y0, y1 },
      { x0: x1, x1, y0, y1 },
    ]);
}

const isNear = (place: number, from: number, to: number): boolean => place > from - REACH && place < to + REACH;

/** Puts what stands on fields on paper, in dark letters: a recogniser takes a dark field for a picture. */
export function lightenFields(raster: Raster, fields: readonly Field[]): Raster {
  if (fields.length === 0) return raster;
  const { width } = raster;
  const paper = findPaper(raster);
  // A copy: slice() of what decoders give is none.
  const data = new Uint8Array(raster.data);
  for (const { x0, y0, x1, y1, shade } of fields) {
    const scale = paper / Math.max(shade, 255 - shade);
    const light = (paper + shade) / 2;
    for (let y = y0; y < y1; y++) {
      const row = y * width;
      const isEdge = y < y0 + EDGE || y >= y1 - EDGE;
      // A field that leans begins and ends further in than its box.
      let [from, to] = [x0, x1];
      while (from < to && (data[row + from] ?? 0) > light) from++;
      while (to > from && (data[row + to - 1] ?? 0) > light) to--;
      for (let x = from; x < to; x++) {
        const at = row + x;
        const step = (data[at] ?? 0) - shade;
        const isBlur = step > 0 && (isEdge || x < from + EDGE || x >= to - EDGE);
        data[at] = isBlur ? paper : Math.max(0, paper - Math.abs(step) * scale);
      }
    }
  }
  return { ...raster, data };
}
