import type { Raster } from '../raster.js';

/** Where most letters stand upright, from the base line up, as shares of the type's size. */
const FROM_BASE = 0.04;
const TO_MEAN = 0.46;
const LEAST_CONTRAST = 40;
/** Of the ink's darkness: less is paper, and less of a step is noise. */
const LEAST_INK = 0.25;
const LEAST_STEP = 0.12;
/** One row of so many is looked at. */
const ROW_STEP = 2;
/** Pixels of ink: of fewer nothing can be told. */
const LEAST_AREA = 75;

/** A word in the picture, in its pixels. */
export interface InkedWord {
  x0: number;
  x1: number;
  baseline: number;
  fontSize: number;
}

/**
 * The usual width of the strokes of a line of words, in pixels: its ink by the edges that it has, grey ones for what they
 * cover, so that blur changes little. Undefined where there is too little ink.
 */
export function measureStrokes({ data, width, height }: Raster, words: readonly InkedWord[]): number | undefined {
  const bands = words.map(({ x0, x1, baseline, fontSize }) => ({
    x0: Math.max(0, Math.floor(x0)),
    x1: Math.min(width - 1, Math.ceil(x1)),
    y0: Math.max(0, Math.round(baseline - fontSize * TO_MEAN)),
    y1: Math.min(height - 1, Math.round(baseline - fontSize * FROM_BASE)),
  }));
  let [ink, paper] = [255, 0];
  for (const { x0, x1, y0, y1 } of bands) {
    for (let y = y0; y <= y1; y += ROW_STEP) {
      for (let at = y * width + x0; at <= y * width + x1; at++) {
        const shade = data[at] ?? 0;
        if (shade < ink) ink = shade;
        if (shade > paper) paper = shade;
      }
    }
  }
  const contrast = paper - ink;
  if (contrast < LEAST_CONTRAST) return undefined;
  const [leastInk, leastStep] = [paper - contrast * LEAST_INK, contrast * LEAST_STEP];
  const rows: InkedRow[] = [];
  for (const { x0, x1, y0, y1 } of bands) {
    for (let y = y0; y <= y1; y += ROW_STEP) {
      const index = (y - y0) / ROW_STEP;
      const row = rows[index] ?? { area: 0, edges: 0 };
      rows[index] = row;
      let before = paper;
      for (let at = y * width + x0; at <= y * width + x1; at++) {
        const shade = data[at] ?? 0;
        if (shade < leastInk) row.area += paper - shade;
        const step = Math.abs(shade - before);
        if (step > leastStep) row.edges += step;
        before = shade;
      }
    }
  }
  return sumOf(rows).area < LEAST_AREA * contrast ? undefined : widthOf(rows);
}

/** A row of pixels through a line: its ink, and the steps of shade at the edges of that. */
interface InkedRow {
  area: number;
  edges: number;
}

/** Of the rows, those with the thinnest strokes: arches, feet and cross-strokes lie in the others, and in which of them is a matter of a pixel. */
const UPRIGHT_ROWS = 0.4;

function widthOf(rows: readonly InkedRow[]): number | undefined {
  const inked = rows.filter(({ edges }) => edges > 0).sort((a, b) => a.area / a.edges - b.area / b.edges);
  const { area, edges } = sumOf(inked.slice(0, Math.ceil(inked.length * UPRIGHT_ROWS)));
  return edges === 0 ? undefined : (2 * area) / edges;
}

const sumOf = (rows: readonly InkedRow[]): InkedRow =>
  rows.reduce((sum, { area, edges }) => ({ area: sum.area + area, edges: sum.edges + edges }), { area: 0, edges: 0 });
