import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import type { DrawnRule } from './find-rules.js';
import { findPaper } from './paper.js';
import { type Stroke, traceRuns } from './trace-runs.js';

interface Ground extends Area {
  shade: number;
}

/** A rectangle in one shade that is not the paper's, in pixels: a bar under a title, the header cells of a table, a button. */
export interface Field extends Ground {
  /** True when there is print on it; a field without print may be a stroke of a large letter. */
  isPrinted: boolean;
}

/** Difference of a field's shade and the paper's. */
const MIN_CONTRAST = 60;
/** Sizes of a bar by the long side: from one line of small type to a few lines of a title. */
const MIN_HEIGHT_SHARE = 1 / 110;
const MAX_HEIGHT_SHARE = 1 / 10;
const MIN_WIDTH_SHARE = 1 / 40;
/**
 * Bounds of a higher field, which may be the dark part of a photograph. A column beside the text, as in a résumé, is bare
 * except for its letters: share of the whole that is bare, share of letters, bareness of a side or of a row between lines,
 * share of such rows.
 */
const MIN_COLUMN_BARE_SHARE = 0.8;
const MIN_LETTERS_SHARE = 0.004;
const MIN_BARE_SHARE = 0.99;
const MIN_BARE_ROWS_SHARE = 0.3;
const ROW_STEP = 4;
/** Difference of shade that is noise. */
const SAME_SHADE = 24;
/** Share in one shade of a bar, and of each of its sides: the rest is text, and the corners may be round. A picture has more shades, or no straight sides. */
const MIN_EVEN_SHARE = 0.6;
const MIN_EVEN_SIDE_SHARE = 0.8;
/** Reach of blur and skew into a field from the paper, in pixels. */
const EDGE_PX = 3;
/** Lean of a side, as a share of its length, on a page with a skew that is not corrected; bounded by a share of the field's other side. */
const LEAN_SHARE = 0.009;
const MAX_LEAN_SHARE = 0.25;
/** Distance between a rule and the field that it ends at, in pixels. */
const REACH_PX = 8;
const MAX_SAMPLES = 20_000;
const MAX_FIELDS = 500;

/** Finds the fields of a page. */
export function findFields(raster: Raster): Field[] {
  const long = Math.max(raster.width, raster.height);
  const dark = findPaper(raster) - MIN_CONTRAST;
  if (dark <= 0) return [];
  return traceRuns(raster, { from: 0, to: dark }, 'level')
    .filter(({ from, to, first, last }) => {
      const height = last - first + 1;
      return height > long * MIN_HEIGHT_SHARE && to - from > long * MIN_WIDTH_SHARE;
    })
    .slice(0, MAX_FIELDS)
    .map((stroke) => toField(raster, stroke, dark))
    .filter((field) => field !== undefined);
}

function toField(raster: Raster, { from: x0, to: x1, first: y0, last }: Stroke, dark: number): Field | undefined {
  const y1 = last + 1;
  const step = Math.max(1, Math.floor(Math.sqrt(((x1 - x0) * (y1 - y0)) / MAX_SAMPLES)));
  const counts = new Uint32Array(256);
  for (const shade of shadesIn(raster, { x0, y0, x1, y1 }, step)) counts[shade] = (counts[shade] ?? 0) + 1;
  const shade = counts.indexOf(counts.reduce((max, count) => Math.max(max, count)));
  if (shade >= dark) return undefined;
  const field = { x0, y0, x1, y1, shade };
  const isHigh = y1 - y0 >= Math.max(raster.width, raster.height) * MAX_HEIGHT_SHARE;
  const isField = isHigh ? isColumn(raster, field, step) : isBar(raster, field, step);
  // A column has letters by definition.
  return isField ? { ...field, isPrinted: isHigh || isPrinted(raster, field) } : undefined;
}

/** Width by height from which a field is longer than any stroke of a letter. */
const MIN_PRINTED_ASPECT = 6;

function isPrinted(raster: Raster, { x0, y0, x1, y1, shade }: Ground): boolean {
  if (x1 - x0 > (y1 - y0) * MIN_PRINTED_ASPECT) return true;
  const inner = { x0: x0 + EDGE_PX, y0: y0 + EDGE_PX, x1: x1 - EDGE_PX, y1: y1 - EDGE_PX };
  return shareNear(raster, inner, shade, MIN_CONTRAST, 1) < 1 - MIN_LETTERS_SHARE;
}

function isBar(raster: Raster, field: Ground, step: number): boolean {
  const evenness = (box: Area, every = 1) => shareNear(raster, box, field.shade, SAME_SHADE, every);
  return evenness(field, step) >= MIN_EVEN_SHARE && haveSides(field, (side) => evenness(side) >= MIN_EVEN_SIDE_SHARE);
}

function isColumn(raster: Raster, field: Ground, step: number): boolean {
  const { x0, x1, y0, y1, shade } = field;
  const near = (findPaper(raster) - shade) / 2;
  const bareness = (box: Area, every = 1) => shareNear(raster, box, shade, near, every);
  const isBare = (box: Area) => bareness(box) >= MIN_BARE_SHARE;
  const bare = bareness(field, step);
  if (bare < MIN_COLUMN_BARE_SHARE || bare > 1 - MIN_LETTERS_SHARE || !haveSides(field, isBare)) return false;
  const margin = leanOf(y1 - y0, x1 - x0) + EDGE_PX;
  const rows = Array.from({ length: Math.floor((y1 - y0) / ROW_STEP) }, (_, index) => y0 + index * ROW_STEP);
  const bareRows = rows.filter((y) => isBare({ x0: x0 + margin, x1: x1 - margin, y0: y, y1: y + 1 }));
  return bareRows.length >= rows.length * MIN_BARE_ROWS_SHARE;
}

const leanOf = (length: number, other: number): number =>
  Math.round(Math.min(length * LEAN_SHARE, other * MAX_LEAN_SHARE));

/** True when each side passes the test, at the inset of a level field or at that of a leaning one. */
function haveSides({ x0, y0, x1, y1 }: Area, isSide: (side: Area) => boolean): boolean {
  const areSides = (across: number, down: number) => {
    const [left, top, right, bottom] = [
      x0 + EDGE_PX + across,
      y0 + EDGE_PX + down,
      x1 - EDGE_PX - across,
      y1 - EDGE_PX - down,
    ];
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
  // A side of a low bar may have no pixels inside of the edge.
  return shades.length === 0 ? 1 : shades.filter((other) => Math.abs(other - shade) < near).length / shades.length;
}

function shadesIn({ data, width }: Raster, { x0, y0, x1, y1 }: Area, step: number): number[] {
  const shades: number[] = [];
  for (let y = y0; y < y1; y += step) for (let x = x0; x < x1; x += step) shades.push(data[y * width + x] ?? 0);
  return shades;
}

/**
 * Returns the sides of fields in a ruled table as rules: a rule along a field cannot be told from the field. If only the
 * rules between columns are drawn, coloured rows say nothing about the other rows, and are left out.
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

const isNear = (place: number, from: number, to: number): boolean => place > from - REACH_PX && place < to + REACH_PX;

/** Puts the print of fields on paper, in dark letters: a recogniser takes a dark field for a picture. */
export function lightenFields(raster: Raster, fields: readonly Field[]): Raster {
  if (fields.length === 0) return raster;
  const { width } = raster;
  const paper = findPaper(raster);
  // slice() of a decoder's Buffer would be a view, not a copy.
  const data = new Uint8Array(raster.data);
  for (const { x0, y0, x1, y1, shade } of fields) {
    const scale = paper / Math.max(shade, 255 - shade);
    const light = (paper + shade) / 2;
    for (let y = y0; y < y1; y++) {
      const row = y * width;
      const isEdge = y < y0 + EDGE_PX || y >= y1 - EDGE_PX;
      // A leaning field begins and ends further in than its box.
      let [from, to] = [x0, x1];
      while (from < to && (data[row + from] ?? 0) > light) from++;
      while (to > from && (data[row + to - 1] ?? 0) > light) to--;
      for (let x = from; x < to; x++) {
        const at = row + x;
        const step = (data[at] ?? 0) - shade;
        const isBlur = step > 0 && (isEdge || x < from + EDGE_PX || x >= to - EDGE_PX);
        data[at] = isBlur ? paper : Math.max(0, paper - Math.abs(step) * scale);
      }
    }
  }
  return { ...raster, data };
}
