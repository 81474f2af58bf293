import { grow } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import {
  boxOfCell,
  type Cells,
  cellAt,
  eachPixel,
  findGroundCells,
  isSurrounded,
  NO_GROUND,
  plainShade,
} from '../find/ground-cells.js';
import { shadeAbove } from '../find/paper.js';
import { findHoles, onlyRegions, type Region, takeRegions } from '../find/regions.js';
import type { Raster } from '../raster.js';

/** Area of a ground as a share of the picture. A smaller one is a letter, or a bar, which fields.ts finds by its sides. */
const MIN_AREA_SHARE = 1 / 400;
/** Height of a ground by the picture's long side. A lower one is a bar of one line, which fields.ts finds by its sides: words that fill it would split it. */
const MIN_HEIGHT_SHARE = 1 / 45;
/** Change of shade from cell to cell within one ground; the finer bound separates grounds that touch. */
const MAX_STEP = 14;
const FINE_STEP = 3;
/** Holes that print leaves in a ground. The ink of a large letter surrounds two at most, its counters. */
const MIN_HOLES = 3;
/** Holes darker than the ground by holes lighter than it. On pages in shadow all are darker. */
const MAX_DARK_HOLES_SHARE = 0.25;
/** Difference of shade up to which a pixel is ground, and from which it is ink. Between them is blur: little around letters, much in pictures. */
const SAME_SHADE = 30;
const MIN_INK_CONTRAST = 50;
/** Pixels of blur by pixels of ink. */
const MAX_BLUR_RATIO = 1.5;
/** Share of a ground's pixels that is ink, and share of its rows without any. */
const MIN_INK_SHARE = 0.001;
const MAX_INK_SHARE = 0.3;
const MIN_BARE_ROWS_SHARE = 0.2;
/** Share of the ink that is in words, which are wider than high. Even spaced large letters have it; the lit parts of a photograph do not. */
const MIN_WORDS_SHARE = 0.12;
/** Height, by the long side, up to which a hole may be a plate: it becomes a bar, which fields.ts puts on paper. */
const MAX_PLATE_HEIGHT_SHARE = 1 / 10;
/** A higher hole is text if the ground shows through it and it is not plain like a sheet, or a letter, which leaves a part of its box free. All are shares of the hole but the height of a letter. */
const MIN_GROUND_SHARE = 0.25;
const MAX_PLAIN_SHARE = 0.35;
const MAX_LETTER_HEIGHT_SHARE = 1 / 5;
const MAX_FILLED_SHARE = 0.7;
/** Share of the pixels that are darker than paper, and the darkest shade that counts as paper. */
const PAPER_SHARE = 0.95;
const WHITE = 245;
/** Reach of the edge of a ground beyond it, in pixels. */
const BLUR_PX = 3;

/** A dark area with light print. */
interface Ground {
  /** The bare cells, then those with print. */
  cells: number[];
  bareCount: number;
  /** Shade of the ground in each of the cells. */
  shades: number[];
  /** Difference of the print and the ground. */
  contrast: number;
}

/**
 * Turns light letters on dark or coloured grounds of any outline into dark letters on paper: a recogniser takes such grounds
 * for pictures if the rest of the page is light. Undefined if there are none.
 */
export function lightenGrounds(raster: Raster): Raster | undefined {
  const cells = findGroundCells(raster);
  const grounds = takeGrounds(raster, cells, MAX_STEP);
  return grounds.length === 0 ? undefined : lighten(raster, cells, grounds);
}

/** Finds the grounds. A region that is no ground may be several that touch, with lines at different heights: a finer step separates them. */
function takeGrounds(raster: Raster, cells: Cells, maxStep: number): Ground[] {
  const minCells = Math.ceil(cells.shades.length * MIN_AREA_SHARE);
  const minHeight = Math.max(cells.columns, cells.rows) * MIN_HEIGHT_SHARE;
  return takeRegions(cells, maxStep, minCells)
    .filter(({ box }) => box.y1 - box.y0 >= minHeight)
    .flatMap((region) => {
      const ground = toGround(raster, cells, region);
      if (ground !== undefined) return ground;
      return maxStep === MAX_STEP ? takeGrounds(raster, onlyRegions(cells, [region]), FINE_STEP) : [];
    });
}

/** Returns undefined for a region without light print. */
function toGround(raster: Raster, cells: Cells, region: Region): Ground | undefined {
  const printed = findHoles(cells, region).flatMap((hole) => toPrinted(raster, cells, hole) ?? []);
  const light = printed.filter(({ steps }) => steps.light > steps.dark);
  const sum = (of: 'light' | 'between', holes = light) => holes.reduce((all, { steps }) => all + steps[of], 0);
  const wide = light.filter(({ hole: { box } }) => box.x1 - box.x0 > box.y1 - box.y0);
  const rows = new Set(printed.flatMap(({ hole }) => hole.cells.map((cell) => Math.floor(cell / cells.columns))));
  const pixels =
    (region.cells.length + printed.reduce((all, { hole }) => all + hole.cells.length, 0)) * cells.size ** 2;
  const isPrinted =
    light.length >= MIN_HOLES &&
    printed.length - light.length <= light.length * MAX_DARK_HOLES_SHARE &&
    sum('light') >= pixels * MIN_INK_SHARE &&
    sum('light') <= pixels * MAX_INK_SHARE &&
    sum('light', wide) >= sum('light') * MIN_WORDS_SHARE &&
    sum('between') <= sum('light') * MAX_BLUR_RATIO &&
    rows.size <= (region.box.y1 - region.box.y0) * (1 - MIN_BARE_ROWS_SHARE);
  if (!isPrinted) return undefined;
  const parts = [region, ...printed.map(({ hole }) => hole)];
  return {
    cells: parts.flatMap((part) => part.cells),
    bareCount: region.cells.length,
    shades: parts.flatMap((part) => part.shades),
    contrast: median(light.map(({ steps }) => steps.max)) ?? MIN_INK_CONTRAST,
  };
}

/** Numbers of a hole's pixels, by their difference from its ground, and the largest difference to the light side. */
interface Steps {
  through: number;
  between: number;
  light: number;
  dark: number;
  max: number;
}

/** Returns the hole if it may be print, and undefined for a sheet or a picture on the ground. */
function toPrinted(raster: Raster, cells: Cells, hole: Region): { hole: Region; steps: Steps } | undefined {
  const { box } = hole;
  const share = (box.y1 - box.y0) / Math.max(cells.columns, cells.rows);
  const isLow = share <= MAX_PLATE_HEIGHT_SHARE;
  const isLetter =
    share <= MAX_LETTER_HEIGHT_SHARE && hole.cells.length <= (box.x1 - box.x0) * (box.y1 - box.y0) * MAX_FILLED_SHARE;
  if (!isLow && !isLetter && isPlain(raster, cells, hole)) return undefined;
  const steps = countSteps(raster, cells, hole);
  if (steps.light + steps.dark === 0) return undefined;
  return isLow || isLetter || steps.through >= MIN_GROUND_SHARE * hole.cells.length * cells.size ** 2
    ? { hole, steps }
    : undefined;
}

/** True when much of a hole has one shade that is not the ground's. */
function isPlain(raster: Raster, cells: Cells, { cells: own, shades }: Region): boolean {
  const isOther = (cell: number, index: number) => {
    const shade = plainShade(raster, cells, cell);
    return shade !== NO_GROUND && Math.abs(shade - (shades[index] ?? 0)) > SAME_SHADE;
  };
  return own.filter(isOther).length > own.length * MAX_PLAIN_SHARE;
}

function countSteps(raster: Raster, cells: Cells, hole: Region): Steps {
  const steps = { through: 0, between: 0, light: 0, dark: 0, max: 0 };
  for (const [index, cell] of hole.cells.entries()) {
    const ground = hole.shades[index] ?? 0;
    eachPixel(raster, boxOfCell(cells, cell), (at) => {
      const step = (raster.data[at] ?? 0) - ground;
      if (Math.abs(step) < SAME_SHADE) steps.through++;
      else if (step <= -MIN_INK_CONTRAST) steps.dark++;
      else if (step < MIN_INK_CONTRAST) steps.between++;
      else {
        steps.light++;
        if (step > steps.max) steps.max = step;
      }
    });
  }
  return steps;
}

function lighten(raster: Raster, cells: Cells, grounds: readonly Ground[]): Raster {
  const white = Math.max(WHITE, shadeAbove(raster, PAPER_SHARE));
  const data = new Uint8Array(raster.data);
  const taken = new Uint8Array(cells.shades.length);
  for (const ground of grounds) for (const cell of ground.cells) taken[cell] = 1;
  for (const ground of grounds) {
    for (const [index, cell] of ground.cells.entries()) {
      const shade = ground.shades[index] ?? 0;
      const box = boxOfCell(cells, cell);
      const isRim = !isSurrounded(cells, cell, taken);
      // A lighter pixel in a bare cell at the edge is the paper outside.
      const isEdge = isRim && index < ground.bareCount;
      eachPixel(raster, box, (at) => {
        const step = (raster.data[at] ?? 0) - shade;
        const ink = step > -MIN_INK_CONTRAST ? Math.max(0, step) : -step;
        data[at] = isEdge && step > 0 ? white : Math.max(0, white - (ink * white) / ground.contrast);
      });
      if (!isRim) continue;
      eachPixel(raster, grow(box, cells.size + BLUR_PX), (at) => {
        const other = raster.data[at] ?? 0;
        if (taken[cellAt(cells, at, raster.width)] === 0 && other >= shade - SAME_SHADE)
          data[at] = Math.max(white, other);
      });
    }
  }
  return { ...raster, data };
}
