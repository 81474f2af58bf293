import type { Raster } from '../raster.js';

/** Band above the base line in which most letters have upright strokes, as shares of the type's size. */
const BAND_FOOT_EM = 0.04;
const BAND_TOP_EM = 0.46;
/** Difference of ink and paper. */
const MIN_CONTRAST = 40;
/** Darkness of ink, and a step of shade at an edge, as shares of the contrast: less is paper, or noise. */
const MIN_INK_SHARE = 0.25;
const MIN_STEP_SHARE = 0.12;
/** Step from one examined row to the next. */
const ROW_STEP = 2;
/** Pixels of ink that a measurement needs. */
const MIN_AREA_PX = 75;

/** A word in the picture, in pixels. */
export interface InkedWord {
  x0: number;
  x1: number;
  baseline: number;
  fontSize: number;
}

/**
 * Measures the usual width of the strokes of a line of words, in pixels: its ink by its edges. Grey pixels count for the
 * part that ink covers, so that blur changes little. Undefined if there is too little ink.
 */
export function measureStrokes({ data, width, height }: Raster, words: readonly InkedWord[]): number | undefined {
  const bands = words.map(({ x0, x1, baseline, fontSize }) => ({
    x0: Math.max(0, Math.floor(x0)),
    x1: Math.min(width - 1, Math.ceil(x1)),
    y0: Math.max(0, Math.round(baseline - fontSize * BAND_TOP_EM)),
    y1: Math.min(height - 1, Math.round(baseline - fontSize * BAND_FOOT_EM)),
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
  if (contrast < MIN_CONTRAST) return undefined;
  const [inkShade, minStep] = [paper - contrast * MIN_INK_SHARE, contrast * MIN_STEP_SHARE];
  const rows: InkedRow[] = [];
  for (const { x0, x1, y0, y1 } of bands) {
    for (let y = y0; y <= y1; y += ROW_STEP) {
      const index = (y - y0) / ROW_STEP;
      const row = rows[index] ?? { area: 0, edges: 0 };
      rows[index] = row;
      let before = paper;
      for (let at = y * width + x0; at <= y * width + x1; at++) {
        const shade = data[at] ?? 0;
        if (shade < inkShade) row.area += paper - shade;
        const step = Math.abs(shade - before);
        if (step > minStep) row.edges += step;
        before = shade;
      }
    }
  }
  return sumOf(rows).area < MIN_AREA_PX * contrast ? undefined : widthOf(rows);
}

/** A row of pixels through a line: its ink, and the steps of shade at the ink's edges. */
interface InkedRow {
  area: number;
  edges: number;
}

/** Share of the rows that count: those with the thinnest strokes. The others hold arches, feet and cross-strokes, whose rows vary by a pixel. */
const UPRIGHT_ROWS_SHARE = 0.4;

function widthOf(rows: readonly InkedRow[]): number | undefined {
  const inked = rows.filter(({ edges }) => edges > 0).sort((a, b) => a.area / a.edges - b.area / b.edges);
  const { area, edges } = sumOf(inked.slice(0, Math.ceil(inked.length * UPRIGHT_ROWS_SHARE)));
  return edges === 0 ? undefined : (2 * area) / edges;
}

const sumOf = (rows: readonly InkedRow[]): InkedRow =>
  rows.reduce((sum, { area, edges }) => ({ area: sum.area + area, edges: sum.edges + edges }), { area: 0, edges: 0 });
