import { type Area, boundsOf, grow, sharedBy } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import { type Frames, findFrames } from '../find/find-frames.js';
import { inkedColumns, shareOfInk } from '../find/ink-in-area.js';
import type { Comb } from '../find/letter-cells.js';
import { findParts } from '../find/parts.js';
import type { Frame } from '../find/square-frames.js';
import type { Raster } from '../raster.js';
import { cutRaster } from './cut-raster.js';
import { eraseAreas } from './keep-only.js';

/** A box that was erased, with its tick. */
export interface TickBox extends Area {
  isTicked: boolean;
}

/** A letter of a row of cells: where it stood, where it stands now, and whether empty cells are before it. */
export interface MovedLetter {
  from: Area;
  to: Area;
  isAfterGap: boolean;
}

export interface ClearedFrames {
  raster: Raster;
  boxes: TickBox[];
  /** The letters of each row of cells. */
  rows: MovedLetter[][];
}

/** Blur around a stroke, in pixels. */
const BLUR_PX = 2;
/** Ink of a box that is ticked, by its inside. Less is noise. */
const MIN_INK_SHARE = 0.04;
/** Ratio of the sides of two boxes of one form. A box that is not empty needs an empty one like it: alone it may be a letter, as B or 8. */
const SAME_SIZE_RATIO = 1.2;
/** Distance by which a tick reaches out of its box, by the side. */
const TICK_REACH_SHARE = 0.5;
/** White rows between a letter and what stands above its cell, and white columns between two letters in a cell, by the width of the cell. */
const MIN_WHITE_SHARE = 0.12;
const MIN_WHITE_PX = 3;
/** Height of the letters of cells that are open at the top, by their width. */
const MAX_LETTER_HEIGHT_SHARE = 1.4;
/** Gap between two cells that parts two words, by the usual gap. */
const MAX_GAP_RATIO = 1.3;
/** Gaps between letters and words, by the height of the letters. */
const LETTER_GAP_SHARE = 0.14;
const WORD_GAP_SHARE = 0.5;

/**
 * Erases the frames of forms: a recogniser takes boxes for letters, ticks for an X and the sides of cells for bars, and loses the
 * letters between them. The letters of a row of cells are moved together to words; undefined if there are no frames.
 */
export function clearFrames(raster: Raster): ClearedFrames | undefined {
  const frames = findFrames(raster);
  const { boxes, combs } = frames;
  const all = boxes.map((box) => ({ box, ...examine(raster, box, frames) }));
  const empty = all.filter(({ isTicked }) => isTicked === false);
  const inside = all.filter(({ box }) => empty.some((other) => areAlike(other.box, box)));
  const codes = findCodes(inside.filter(({ isTicked }) => isTicked).map(({ box }) => box));
  const ticks = inside.filter(({ box }) => !codes.includes(box));
  const rows = combs.flatMap((comb) => {
    const letters = lettersOf(raster, comb, frames);
    return letters === undefined ? [] : [letters];
  });
  const erased = [...ticks.flatMap(({ areas }) => areas), ...rows.map(({ area }) => area)];
  if (erased.length === 0) return undefined;
  const bare = eraseAreas(raster, erased);
  for (const { letters } of rows) for (const { from, to } of letters) move(raster, from, bare, to);
  return {
    raster: bare,
    boxes: ticks.flatMap(({ box: { x0, x1, y0, y1 }, isTicked }) =>
      isTicked === undefined ? [] : [{ ...{ x0, x1, y0, y1 }, isTicked }],
    ),
    rows: rows.map(({ letters }) => letters).filter((letters) => letters.length > 0),
  };
}

const areAlike = (a: Area, b: Area): boolean => {
  const [one, other] = [a.x1 - a.x0, b.x1 - b.x0];
  return Math.max(one, other) <= Math.min(one, other) * SAME_SIZE_RATIO;
};

/** Finds the areas of a box that are erased, and whether it is ticked; undefined where a letter stands in it, which stays. */
function examine(raster: Raster, box: Frame, { dark }: Frames): { areas: Area[]; isTicked: boolean | undefined } {
  const inset = box.thickness + BLUR_PX;
  const inner = grow(box, -inset);
  const parts = findParts(raster, dark, { area: inner });
  const ink = parts.reduce((sum, { area }) => sum + area, 0);
  const whole = grow(box, BLUR_PX);
  if (ink < (inner.x1 - inner.x0) * (inner.y1 - inner.y0) * MIN_INK_SHARE) return { areas: [whole], isTicked: false };
  const found = boundsOf(parts);
  if (!isTick(raster, found, inner, dark)) return { areas: sidesOf(box), isTicked: undefined };
  return { areas: [whole, ...spillOf(raster, box, dark)], isTicked: true };
}

const sidesOf = (box: Frame): Area[] => {
  const { x0, x1, y0, y1 } = grow(box, BLUR_PX);
  const wide = box.thickness + BLUR_PX + 1;
  return [
    { x0, x1, y0, y1: y0 + wide },
    { x0, x1, y0: y1 - wide, y1 },
    { x0, x1: x0 + wide, y0, y1 },
    { x0: x1 - wide, x1, y0, y1 },
  ];
};

/** The ink of a tick that reaches out of its box. */
function spillOf(raster: Raster, box: Frame, dark: number): Area[] {
  const { x0, x1, y0, y1 } = box;
  const reach = Math.round((x1 - x0) * TICK_REACH_SHARE);
  const window = sharedBy(grow(box, reach), { x0: 0, y0: 0, x1: raster.width, y1: raster.height });
  const parts = findParts(raster, dark, { area: window });
  const part = parts.find((one) => one.x0 <= x0 + 1 && one.x1 >= x1 - 1 && one.y0 <= y0 + 1 && one.y1 >= y1 - 1);
  const isWithin =
    part !== undefined && part.x0 > window.x0 && part.x1 < window.x1 && part.y0 > window.y0 && part.y1 < window.y1;
  return isWithin ? [grow(part, 1)] : [];
}

/** Sides of the inside that a tick touches, and shares of a cross, of a hook and of a filled square. */
const MIN_TOUCHED_SIDES = 2;
const MIN_FILLED_SHARE = 0.75;
const MAX_FILLED_ASPECT = 1.5;
const MAX_EMPTY_SHARE = 0.04;

/** True for a cross, a hook, a stroke that rises and a square; other ink may be a letter. */
function isTick(raster: Raster, found: Area, inner: Area, dark: number): boolean {
  const sides = [found.x0 <= inner.x0, found.x1 >= inner.x1, found.y0 <= inner.y0, found.y1 >= inner.y1];
  if (sides.filter(Boolean).length >= MIN_TOUCHED_SIDES) return true;
  const [width, height] = [found.x1 - found.x0, found.y1 - found.y0];
  const share = (left: number, right: number, top: number, bottom: number) =>
    shareOfInk(
      raster,
      {
        x0: Math.round(found.x0 + width * left),
        x1: Math.round(found.x0 + width * right),
        y0: Math.round(found.y0 + height * top),
        y1: Math.round(found.y0 + height * bottom),
      },
      dark,
    );
  const isFilled =
    share(0, 1, 0, 1) >= MIN_FILLED_SHARE && Math.max(width, height) <= Math.min(width, height) * MAX_FILLED_ASPECT;
  const isHook = share(0, 0.45, 0, 0.35) <= MAX_EMPTY_SHARE && share(0.7, 1, 0.65, 1) <= MAX_EMPTY_SHARE;
  const isCross =
    share(0.35, 0.65, 0, 0.15) <= MAX_EMPTY_SHARE &&
    share(0.35, 0.65, 0.85, 1) <= MAX_EMPTY_SHARE &&
    share(0, 0.15, 0.35, 0.65) <= MAX_EMPTY_SHARE &&
    share(0.85, 1, 0.35, 0.65) <= MAX_EMPTY_SHARE &&
    share(0.35, 0.65, 0.35, 0.65) >= MIN_FILLED_SHARE / 2;
  return isFilled || isHook || isCross;
}

/** Boxes at three corners of a square, by its side: the marks by which a two-dimensional code is found. */
const MAX_CODE_SIDES = 8;

function findCodes(boxes: readonly Frame[]): Frame[] {
  return boxes.flatMap((corner) => {
    const side = corner.x1 - corner.x0;
    const near = side / 4;
    const away = (one: Frame) => [one.x0 - corner.x0, one.y0 - corner.y0] as const;
    const across = boxes.filter((one) => one !== corner && Math.abs(away(one)[1]) < near);
    const down = boxes.filter((one) => one !== corner && Math.abs(away(one)[0]) < near);
    return across.flatMap((a) =>
      down.flatMap((b) => {
        const [x, y] = [Math.abs(away(a)[0]), Math.abs(away(b)[1])];
        return Math.abs(x - y) < near && x < side * MAX_CODE_SIDES ? [corner, a, b] : [];
      }),
    );
  });
}

/** Finds the letters of a row of cells and their places as words; undefined where a cell has more than one letter. */
function lettersOf(raster: Raster, comb: Comb, { dark }: Frames): { letters: MovedLetter[]; area: Area } | undefined {
  const [pitch, height] = [(comb.x1 - comb.x0) / comb.cells.length, comb.y1 - comb.y0];
  const isOpen = height < pitch;
  const white = Math.max(MIN_WHITE_PX, Math.round(pitch * MIN_WHITE_SHARE));
  const foot = Math.min(...comb.cells.map(({ y1 }) => y1));
  const top = isOpen ? Math.max(0, foot - Math.round(pitch * MAX_LETTER_HEIGHT_SHARE)) : comb.y0 + MIN_WHITE_PX;
  const insides = comb.cells.map(({ x0, x1 }) => ({ x0: x0 + BLUR_PX, x1: x1 - BLUR_PX }));
  const isInked = (y: number) =>
    insides.some(({ x0, x1 }) => shareOfInk(raster, { x0, x1, y0: y, y1: y + 1 }, dark) > 0);
  let y1 = foot - BLUR_PX;
  while (y1 > top && !isInked(y1 - 1)) y1--;
  let y0 = y1;
  for (let y = y1 - 1; y >= top && y0 - y <= white; y--) if (isInked(y)) y0 = y;
  const area = {
    x0: comb.x0 - BLUR_PX,
    x1: comb.x1 + BLUR_PX,
    y0: Math.min(comb.y0, y0) - BLUR_PX,
    y1: comb.y1 + BLUR_PX,
  };
  const letters: MovedLetter[] = [];
  const gaps = comb.cells.map(({ x0 }, index) => x0 - (comb.cells[index - 1]?.x1 ?? x0));
  const usual = median(gaps.slice(1)) ?? 0;
  let [end, isAfterGap] = [0, false];
  for (const [index, { x0, x1 }] of insides.entries()) {
    const isApart = (gaps[index] ?? 0) > Math.max(usual * MAX_GAP_RATIO, usual + MIN_WHITE_PX);
    isAfterGap ||= letters.length > 0 && isApart;
    const columns = inkedColumns(raster, { x0, x1, y0, y1 }, dark);
    const [left, right] = [columns[0], columns.at(-1)];
    if (left === undefined || right === undefined) {
      isAfterGap = letters.length > 0;
      continue;
    }
    if (columns.some((x, index) => x - (columns[index - 1] ?? x) > white)) return undefined;
    const from = { x0: left - 1, x1: right + 2, y0: Math.max(0, y0 - BLUR_PX), y1: y1 + BLUR_PX };
    const gap = (y1 - y0) * (isAfterGap ? WORD_GAP_SHARE : LETTER_GAP_SHARE);
    const to = letters.length === 0 ? from.x0 : Math.min(from.x0, Math.round(end + gap));
    letters.push({ from, to: { ...from, x0: to, x1: to + from.x1 - from.x0 }, isAfterGap });
    end = to + from.x1 - from.x0;
    isAfterGap = false;
  }
  return { letters, area };
}

/** Copies an area of a picture to another place of the other one. */
function move(raster: Raster, from: Area, other: Raster, to: Area): void {
  const { data, width, height } = cutRaster(raster, from);
  for (let y = 0; y < height; y++)
    other.data.set(data.subarray(y * width, (y + 1) * width), (to.y0 + y) * other.width + to.x0);
}
