import { areaOf, type Corners, lengthsOf, type Point, type SeenSheet } from '../../../model/projection.js';
import { findGrounds, lightestIn, transposeGrounds } from '../find/grounds.js';
import { shadeAbove } from '../find/paper.js';
import type { Raster } from '../raster.js';
import { findSide, placeAt, type Side, shareSeen } from './sheet-side.js';

/** Cells along the long side of the picture: about 20 for an inch of a page. */
const CELLS = 220;
/** Share of the pixels that are darker than paper. */
const PAPER_SHARE = 0.95;
/** Lightness by the paper's of a cell that is paper, and share of such cells at the edges: a page that fills its picture has more. */
const SAME_PAPER_SHARE = 0.92;
const MAX_PAPER_AROUND_SHARE = 0.75;
/** Sides of a sheet that are in the picture. A shadow at one or two edges comes from a scanner. */
const MIN_SIDES = 3;
/** Share of its length over which a side is visible. */
const MIN_VISIBLE_SHARE = 0.7;
/** Area of a sheet as a share of the picture. */
const MIN_AREA_SHARE = 0.12;
/** Lean, or bow by its length, that one side has at least. Else the sheet is a drawn box, or needs no correction. */
const MIN_LEAN = 0.006;
/** Bow of a side by its length: paper bows less. */
const MAX_BOW_SHARE = 0.08;
/** Length of a sheet's far side by its near one. */
const MIN_FAR_SHARE = 0.55;
/** Cells at the edges of a sheet that are half desk. */
const EDGE_CELLS = 1;

/**
 * Finds the sheet in a photograph of a sheet on something darker: its corners and bows, in pixels; corners may be outside of
 * the picture. Undefined if the page fills the picture, or the sheet has no four sides.
 */
export function findSheet(raster: Raster): SeenSheet | undefined {
  const size = Math.ceil(Math.max(raster.width, raster.height) / CELLS);
  if (isPaperAround(raster, size)) return undefined;
  const grounds = findGrounds(raster, size);
  const transposed = transposeGrounds(grounds);
  const [left, right] = [findSide(grounds, -1), findSide(grounds, 1)];
  const [top, foot] = [findSide(transposed, -1), findSide(transposed, 1)];
  if (left === undefined || right === undefined || top === undefined || foot === undefined) return undefined;
  const corners = cornersOf(left, top, right, foot);
  const bows = bowsOf([left, top, right, foot], corners);
  const isSheet =
    areSides([left, top, right, foot], corners, bows) &&
    areaOf(corners) >= MIN_AREA_SHARE * grounds.columns * grounds.rows &&
    areOppositesAlike(corners);
  if (!isSheet) return undefined;
  const inner = cornersOf(inset(left, 1), inset(top, 1), inset(right, -1), inset(foot, -1));
  const [leftBow, topBow, rightBow, footBow] = bows;
  return {
    corners: inner.map(([x, y]): Point => [(x + 0.5) * size, (y + 0.5) * size]) as unknown as Corners,
    bows: [leftBow * size, topBow * size, rightBow * size, footBow * size],
  };
}

/** True when there is paper at the edges of the picture, as on nearly all pages: a quick check of few pixels. */
function isPaperAround(raster: Raster, size: number): boolean {
  const paper = shadeAbove(raster, PAPER_SHARE) * SAME_PAPER_SHARE;
  const [right, foot] = [raster.width - size, raster.height - size];
  let [paperCells, cells] = [0, 0];
  const look = (x: number, y: number) => {
    cells++;
    if (lightestIn(raster, x, y, size) >= paper) paperCells++;
  };
  for (let x = 0; x <= right; x += size) for (const y of [0, foot]) look(x, y);
  for (let y = 0; y <= foot; y += size) for (const x of [0, right]) look(x, y);
  return paperCells > cells * MAX_PAPER_AROUND_SHARE;
}

const cornersOf = (left: Side, top: Side, right: Side, foot: Side): Corners => [
  meet(left, top),
  meet(right, top),
  meet(right, foot),
  meet(left, foot),
];

/** Rounds of the approximation: each comes nearer, since sides are nearly upright and level. */
const ROUNDS = 8;

/** Finds the point at which an upright and a level side meet. */
function meet(upright: Side, level: Side): Point {
  let [x, y] = [upright.start, level.start];
  for (let round = 0; round < ROUNDS; round++) [x, y] = [placeAt(upright, y), placeAt(level, x)];
  return [x, y];
}

type Sides = readonly [left: Side, top: Side, right: Side, foot: Side];

/** Returns the range that each side spans, along it. */
const extentsOf = ([topLeft, topRight, footRight, footLeft]: Corners) =>
  [
    [topLeft[1], footLeft[1]],
    [topLeft[0], topRight[0]],
    [topRight[1], footRight[1]],
    [footLeft[0], footRight[0]],
  ] as const;

/** Returns the distance of each side's middle from the line between its corners, in cells to the right, or down. */
function bowsOf(sides: Sides, corners: Corners): SeenSheet['bows'] {
  return extentsOf(corners).map(
    ([from, to], index) => ((sides[index]?.bow ?? 0) * -((to - from) ** 2)) / 4,
  ) as unknown as SeenSheet['bows'];
}

/** True when these are the sides of a photographed sheet. */
function areSides(sides: Sides, corners: Corners, bows: SeenSheet['bows']): boolean {
  const inPicture = sides.filter(({ isCut }) => !isCut);
  const extents = extentsOf(corners);
  const lengthOf = (index: number) => (extents[index]?.[1] ?? 0) - (extents[index]?.[0] ?? 0);
  const isUneven =
    inPicture.some(({ lean, bow }) => bow === 0 && Math.abs(lean) >= MIN_LEAN) ||
    bows.some((bow, index) => Math.abs(bow) >= MIN_LEAN * lengthOf(index));
  return (
    inPicture.length >= MIN_SIDES &&
    isUneven &&
    bows.every((bow, index) => Math.abs(bow) <= MAX_BOW_SHARE * lengthOf(index)) &&
    extents.every(([from, to], index) => shareSeen(sides[index] as Side, from, to) >= MIN_VISIBLE_SHARE)
  );
}

function areOppositesAlike(corners: Corners): boolean {
  const { top, right, foot, left } = lengthsOf(corners);
  const ratio = (a: number, b: number) => Math.min(a, b) / Math.max(a, b);
  return ratio(top, foot) >= MIN_FAR_SHARE && ratio(left, right) >= MIN_FAR_SHARE;
}

const inset = (side: Side, direction: 1 | -1): Side =>
  side.isCut ? side : { ...side, start: side.start + direction * EDGE_CELLS };
