import type { Area } from '../../../model/geometry.js';
import type { Raster } from '../raster.js';
import { findPaper } from './paper.js';

/** Of so many rows one is looked at. */
const ROW_STEP = 2;
/** Ink is darker than this share of the paper: letters on a tint are, the tint is not. */
const INK = 0.6;
/** Pale and coloured ink, as far as no stain is taken for it. */
export const PALE_INK = 0.75;
/** Letters, by the size of the type: from those without an ascender to brackets, and as wide as several that touch. */
const LEAST_HEIGHT = 0.3;
const MOST_HEIGHT = 1.5;
const MOST_WIDTH = 4;
/** Strokes cover so much of a letter's box; a box that is full is a bar, unless it is an upright one: l, I, 1. */
const LEAST_INK = 0.12;
const MOST_INK = 0.92;
/** How far beyond its box a word may have ink, by the size of the type. */
const MARGIN = 0.12;
/** More are a screen of dots or a photograph. */
const MOST_STROKES = 300_000;
const MOST_LETTERS = 10_000;

/** Ink of the size of letters outside of what is `covered`, as boxes. `size`: that of the type, in pixels. */
export function findUncovered(raster: Raster, covered: readonly Area[], size: number, ink = INK): Area[] {
  const letters = findParts(raster, covered, size, ink).filter(({ x0, y0, x1, y1, area }) => {
    const [width, height] = [x1 - x0, y1 - y0];
    if (height < size * LEAST_HEIGHT || height > size * MOST_HEIGHT || width > size * MOST_WIDTH) return false;
    const share = area / (width * height);
    return share > LEAST_INK && (share < MOST_INK || (width * 2 < height && height > size * 0.45 && height < size));
  });
  return letters.length > MOST_LETTERS ? [] : letters;
}

/** Ink that hangs together. */
interface Part extends Area {
  area: number;
  /** That of which it turned out to be a part. */
  whole?: Part;
}

/** A run of dark pixels in a row. */
interface Stroke {
  from: number;
  to: number;
  part: Part;
}

function findParts(raster: Raster, covered: readonly Area[], size: number, ink: number): Part[] {
  const { data, width, height } = raster;
  const dark = findPaper(raster) * ink;
  const hidden = cover(raster, covered, size * MARGIN);
  const parts: Part[] = [];
  let above: Stroke[] = [];
  let strokes = 0;
  for (let y = 0; y < height; y += ROW_STEP) {
    const row: Stroke[] = [];
    const start = y * width;
    const mask = (y / ROW_STEP) * width;
    let candidate = 0;
    for (let x = 0; x < width; x++) {
      if ((data[start + x] ?? 255) >= dark || hidden[mask + x] === 1) continue;
      const from = x;
      while (x < width && (data[start + x] ?? 255) < dark && hidden[mask + x] === 0) x++;
      let part: Part | undefined;
      while (candidate < above.length && (above[candidate]?.to ?? 0) < from) candidate++;
      for (let index = candidate; index < above.length; index++) {
        const stroke = above[index];
        if (stroke === undefined || stroke.from > x) break;
        part = unite(wholeOf(stroke.part), part);
      }
      if (part === undefined) {
        part = { x0: from, y0: y, x1: x, y1: y + ROW_STEP, area: 0 };
        parts.push(part);
      }
      part.x0 = Math.min(part.x0, from);
      part.x1 = Math.max(part.x1, x);
      part.y1 = y + ROW_STEP;
      part.area += (x - from) * ROW_STEP;
      row.push({ from, to: x, part });
    }
    strokes += row.length;
    if (strokes > MOST_STROKES) return [];
    above = row;
  }
  return parts.filter(({ whole }) => whole === undefined);
}

function wholeOf(part: Part): Part {
  let whole = part;
  while (whole.whole !== undefined) whole = whole.whole;
  if (part !== whole) part.whole = whole;
  return whole;
}

function unite(a: Part, b: Part | undefined): Part {
  if (b === undefined || a === b) return a;
  a.x0 = Math.min(a.x0, b.x0);
  a.x1 = Math.max(a.x1, b.x1);
  a.y0 = Math.min(a.y0, b.y0);
  a.area += b.area;
  b.whole = a;
  return a;
}

/** 1 where a box is, for each pixel of the rows that are looked at. */
function cover({ width, height }: Raster, boxes: readonly Area[], margin: number): Uint8Array {
  const rows = Math.ceil(height / ROW_STEP);
  const hidden = new Uint8Array(width * rows);
  for (const { x0, y0, x1, y1 } of boxes) {
    const [from, to] = [Math.max(0, Math.floor(x0 - margin)), Math.min(width, Math.ceil(x1 + margin))];
    const last = Math.min(rows - 1, Math.floor((y1 + margin) / ROW_STEP));
    for (let row = Math.max(0, Math.floor((y0 - margin) / ROW_STEP)); row <= last; row++)
      hidden.fill(1, row * width + from, row * width + to);
  }
  return hidden;
}
