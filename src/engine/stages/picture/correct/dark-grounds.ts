import type { Area } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import {
  boxOfCell,
  type Cells,
  cellAt,
  eachPixel,
  findGroundCells,
  isAmid,
  NO_GROUND,
  plainShade,
} from '../find/ground-cells.js';
import { shadeAbove } from '../find/paper.js';
import { findHoles, type Region, takeRegions } from '../find/regions.js';
import type { Raster } from '../raster.js';

/** Of the picture: what is smaller is a letter, or a bar, which is found by its sides. */
const LEAST_AREA = 1 / 400;
/** By the long side: what is lower is a bar of one line, found by its sides. Its words may fill it, and would part it: some of them were on paper, and others not. */
const LEAST_HEIGHT = 1 / 45;
/** By so much the shade of a ground changes from cell to cell; and of two that touch, where they are not one ground. */
const MOST_STEP = 14;
const FINE_STEP = 3;
/** What is printed on it leaves so many holes at least: the ink of a large letter surrounds its counters, which are two at most. */
const LEAST_WORDS = 3;
/** For one that is lighter than the ground, so many are darker: those of pages in shadow all are. */
const MOST_DARK = 0.25;
/** What differs from the ground by less is the ground, but for noise, and by more is ink. What is between is the blur of letters; of pictures it is much. */
const SAME_SHADE = 30;
const LEAST_INK = 50;
const MOST_BETWEEN = 1.5;
/** Of a ground, so much is ink, and of its rows, so many have none. */
const LEAST_PRINTED = 0.001;
const MOST_PRINTED = 0.3;
const LEAST_BARE_ROWS = 0.2;
/** Of the ink, so much stands in words, which are wider than high, even where large letters stand apart; what is lit in a photograph is not. */
const LEAST_WIDE = 0.12;
/** What is lower, by the long side, may be a plate: it becomes a bar, which is put on paper by its sides. */
const MOST_PLATE = 1 / 10;
/** What is higher is text where it lets the ground through and is not plain, as a sheet is; or a letter, which leaves a part of its box to the ground. */
const LEAST_THROUGH = 0.25;
const MOST_PLAIN = 0.35;
const MOST_LETTER = 1 / 5;
const MOST_FILLED = 0.7;
/** Share of the pixels that paper is darker than, and the least shade of what is taken for paper. */
const LIGHTER = 0.95;
const WHITE = 245;
/** How far the edge of a ground reaches beyond it, in pixels. */
const BLUR = 3;

/** A ground with what is printed on it. */
interface Ground {
  /** First its own, which are bare, and then those of what is printed on it. */
  cells: number[];
  bare: number;
  /** Of the ground, in each of the cells. */
  shades: number[];
  /** By how much what is printed on it is lighter. */
  contrast: number;
}

/**
 * Puts what stands in light letters on dark or coloured grounds, of any outline, on paper and in dark letters: a recogniser takes
 * such grounds for pictures where the rest of the page is light. Undefined where there are none.
 */
export function lightenGrounds(raster: Raster): Raster | undefined {
  const cells = findGroundCells(raster);
  const grounds = takeGrounds(raster, cells, MOST_STEP);
  return grounds.length === 0 ? undefined : lighten(raster, cells, grounds);
}

/** A region that is no ground may be several that touch, with lines at different heights: these are told apart by finer steps. */
function takeGrounds(raster: Raster, cells: Cells, mostStep: number): Ground[] {
  const least = Math.ceil(cells.shades.length * LEAST_AREA);
  const leastHeight = Math.max(cells.columns, cells.rows) * LEAST_HEIGHT;
  return takeRegions(cells, mostStep, least)
    .filter(({ box }) => box.y1 - box.y0 >= leastHeight)
    .flatMap((region) => {
      const ground = toGround(raster, cells, region);
      if (ground !== undefined) return ground;
      return mostStep === MOST_STEP ? takeGrounds(raster, onlyThose(cells, region), FINE_STEP) : [];
    });
}

/** With the ground in a region alone. */
function onlyThose(cells: Cells, region: Region): Cells {
  const shades = new Int16Array(cells.shades.length).fill(NO_GROUND);
  for (const [index, cell] of region.cells.entries()) shades[cell] = region.shades[index] ?? NO_GROUND;
  return { ...cells, shades };
}

/** Undefined where nothing is printed on it in light letters. */
function toGround(raster: Raster, cells: Cells, region: Region): Ground | undefined {
  const printed = findHoles(cells, region).flatMap((hole) => toPrinted(raster, cells, hole) ?? []);
  const light = printed.filter(({ steps }) => steps.light > steps.dark);
  const sum = (of: 'light' | 'between', holes = light) => holes.reduce((all, { steps }) => all + steps[of], 0);
  const wide = light.filter(({ hole: { box } }) => box.x1 - box.x0 > box.y1 - box.y0);
  const rows = new Set(printed.flatMap(({ hole }) => hole.cells.map((cell) => Math.floor(cell / cells.columns))));
  const pixels =
    (region.cells.length + printed.reduce((all, { hole }) => all + hole.cells.length, 0)) * cells.size ** 2;
  const isPrinted =
    light.length >= LEAST_WORDS &&
    printed.length - light.length <= light.length * MOST_DARK &&
    sum('light') >= pixels * LEAST_PRINTED &&
    sum('light') <= pixels * MOST_PRINTED &&
    sum('light', wide) >= sum('light') * LEAST_WIDE &&
    sum('between') <= sum('light') * MOST_BETWEEN &&
    rows.size <= (region.box.y1 - region.box.y0) * (1 - LEAST_BARE_ROWS);
  if (!isPrinted) return undefined;
  const parts = [region, ...printed.map(({ hole }) => hole)];
  return {
    cells: parts.flatMap((part) => part.cells),
    bare: region.cells.length,
    shades: parts.flatMap((part) => part.shades),
    contrast: median(light.map(({ steps }) => steps.most)) ?? LEAST_INK,
  };
}

/** Pixels of a hole, by how they differ from its ground, and how much lighter they are at most. */
interface Steps {
  through: number;
  between: number;
  light: number;
  dark: number;
  most: number;
}

/** A hole of a ground, if it may be printed on it, and no sheet or picture that lies there. */
function toPrinted(raster: Raster, cells: Cells, hole: Region): { hole: Region; steps: Steps } | undefined {
  const { box } = hole;
  const share = (box.y1 - box.y0) / Math.max(cells.columns, cells.rows);
  const isLow = share <= MOST_PLATE;
  const isLetter = share <= MOST_LETTER && hole.cells.length <= (box.x1 - box.x0) * (box.y1 - box.y0) * MOST_FILLED;
  if (!isLow && !isLetter && isPlain(raster, cells, hole)) return undefined;
  const steps = countSteps(raster, cells, hole);
  if (steps.light + steps.dark === 0) return undefined;
  return isLow || isLetter || steps.through >= LEAST_THROUGH * hole.cells.length * cells.size ** 2
    ? { hole, steps }
    : undefined;
}

/** Is much of it in one other shade than the ground? */
function isPlain(raster: Raster, cells: Cells, { cells: own, shades }: Region): boolean {
  const isOther = (cell: number, index: number) => {
    const shade = plainShade(raster, cells, cell);
    return shade !== NO_GROUND && Math.abs(shade - (shades[index] ?? 0)) > SAME_SHADE;
  };
  return own.filter(isOther).length > own.length * MOST_PLAIN;
}

function countSteps(raster: Raster, cells: Cells, hole: Region): Steps {
  const steps = { through: 0, between: 0, light: 0, dark: 0, most: 0 };
  for (const [index, cell] of hole.cells.entries()) {
    const ground = hole.shades[index] ?? 0;
    eachPixel(raster, boxOfCell(cells, cell), (at) => {
      const step = (raster.data[at] ?? 0) - ground;
      if (Math.abs(step) < SAME_SHADE) steps.through++;
      else if (step <= -LEAST_INK) steps.dark++;
      else if (step < LEAST_INK) steps.between++;
      else {
        steps.light++;
        if (step > steps.most) steps.most = step;
      }
    });
  }
  return steps;
}

function lighten(raster: Raster, cells: Cells, grounds: readonly Ground[]): Raster {
  const white = Math.max(WHITE, shadeAbove(raster, LIGHTER));
  const data = new Uint8Array(raster.data);
  const taken = new Uint8Array(cells.shades.length);
  for (const ground of grounds) for (const cell of ground.cells) taken[cell] = 1;
  for (const ground of grounds) {
    for (const [index, cell] of ground.cells.entries()) {
      const shade = ground.shades[index] ?? 0;
      const box = boxOfCell(cells, cell);
      const isRim = !isAmid(cells, cell, taken);
      // What is lighter in a bare cell at the edge is the paper outside.
      const isEdge = isRim && index < ground.bare;
      eachPixel(raster, box, (at) => {
        const step = (raster.data[at] ?? 0) - shade;
        const ink = step > -LEAST_INK ? Math.max(0, step) : -step;
        data[at] = isEdge && step > 0 ? white : Math.max(0, white - (ink * white) / ground.contrast);
      });
      if (!isRim) continue;
      eachPixel(raster, grow(box, cells.size + BLUR), (at) => {
        const other = raster.data[at] ?? 0;
        if (taken[cellAt(cells, at, raster.width)] === 0 && other >= shade - SAME_SHADE)
          data[at] = Math.max(white, other);
      });
    }
  }
  return { ...raster, data };
}

const grow = ({ x0, y0, x1, y1 }: Area, by: number): Area => ({ x0: x0 - by, y0: y0 - by, x1: x1 + by, y1: y1 + by });
