import { areaOf, type Corners, lengthsOf, type Point, type SeenSheet } from '../../../model/projection.js';
import { findGrounds, lightestIn, transposeGrounds } from '../find/grounds.js';
import { shadeAbove } from '../find/paper.js';
import type { Raster } from '../raster.js';
import { findSide, placeAt, type Side, shareSeen } from './sheet-side.js';

/** Along the long side of the picture: an inch of a page has 20. */
const CELLS = 220;
/** The lightest of the pixels are paper; at the edges of a page that fills its picture most is nearly as light. */
const PAPER_SHARE = 0.95;
const SAME_PAPER = 0.92;
const MOST_PAPER_AROUND = 0.75;
/** Of a sheet's sides, so many are in the picture; a shadow at one or two edges is that of a scanner. */
const LEAST_SIDES = 3;
/** The share of its length over which a side is seen. */
const LEAST_SEEN = 0.7;
/** Of the picture. */
const LEAST_AREA = 0.12;
/** Where no side leans or bows more, it is a box that is drawn, or needs not to be straightened. Paper bows less than this, by its length. */
const LEAST_LEAN = 0.006;
const MOST_BOW = 0.08;
/** A sheet's far side is not shorter than this share of the near one. */
const LEAST_FAR = 0.55;
/** Cells at its edges that are half of what it lies on. */
const EDGE = 1;

/**
 * Finds the sheet in a photograph of one that lies on something darker: its corners and bows, in pixels, also where they are outside
 * of the picture. Undefined where the page fills the picture, and where the sheet has no four sides.
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
    areaOf(corners) >= LEAST_AREA * grounds.columns * grounds.rows &&
    areOppositesAlike(corners);
  if (!isSheet) return undefined;
  const inner = cornersOf(inset(left, 1), inset(top, 1), inset(right, -1), inset(foot, -1));
  const [leftBow, topBow, rightBow, footBow] = bows;
  return {
    corners: inner.map(([x, y]): Point => [(x + 0.5) * size, (y + 0.5) * size]) as unknown as Corners,
    bows: [leftBow * size, topBow * size, rightBow * size, footBow * size],
  };
}

/** Is there paper at the edges of the picture, as there is nearly everywhere? That is told of few pixels. */
function isPaperAround(raster: Raster, size: number): boolean {
  const paper = shadeAbove(raster, PAPER_SHARE) * SAME_PAPER;
  const [right, foot] = [raster.width - size, raster.height - size];
  let [paperCells, cells] = [0, 0];
  const look = (x: number, y: number) => {
    cells++;
    if (lightestIn(raster, x, y, size) >= paper) paperCells++;
  };
  for (let x = 0; x <= right; x += size) for (const y of [0, foot]) look(x, y);
  for (let y = 0; y <= foot; y += size) for (const x of [0, right]) look(x, y);
  return paperCells > cells * MOST_PAPER_AROUND;
}

const cornersOf = (left: Side, top: Side, right: Side, foot: Side): Corners => [
  meet(left, top),
  meet(right, top),
  meet(right, foot),
  meet(left, foot),
];

/** Of rounds, each of which brings them nearer: sides are nearly upright and level. */
const ROUNDS = 8;

/** Where an upright and a level side meet. */
function meet(upright: Side, level: Side): Point {
  let [x, y] = [upright.start, level.start];
  for (let round = 0; round < ROUNDS; round++) [x, y] = [placeAt(upright, y), placeAt(level, x)];
  return [x, y];
}

type Sides = readonly [left: Side, top: Side, right: Side, foot: Side];

/** From and to where each side runs. */
const extentsOf = ([topLeft, topRight, footRight, footLeft]: Corners) =>
  [
    [topLeft[1], footLeft[1]],
    [topLeft[0], topRight[0]],
    [topRight[1], footRight[1]],
    [footLeft[0], footRight[0]],
  ] as const;

/** How far the middle of each side is off the line between its corners, in cells to the right, or down. */
function bowsOf(sides: Sides, corners: Corners): SeenSheet['bows'] {
  return extentsOf(corners).map(
    ([from, to], index) => ((sides[index]?.bow ?? 0) * -((to - from) ** 2)) / 4,
  ) as unknown as SeenSheet['bows'];
}

/** Are these the sides of a sheet that was photographed? */
function areSides(sides: Sides, corners: Corners, bows: SeenSheet['bows']): boolean {
  const inPicture = sides.filter(({ isCut }) => !isCut);
  const extents = extentsOf(corners);
  const lengthOf = (index: number) => (extents[index]?.[1] ?? 0) - (extents[index]?.[0] ?? 0);
  const isUneven =
    inPicture.some(({ lean, bow }) => bow === 0 && Math.abs(lean) >= LEAST_LEAN) ||
    bows.some((bow, index) => Math.abs(bow) >= LEAST_LEAN * lengthOf(index));
  return (
    inPicture.length >= LEAST_SIDES &&
    isUneven &&
    bows.every((bow, index) => Math.abs(bow) <= MOST_BOW * lengthOf(index)) &&
    extents.every(([from, to], index) => shareSeen(sides[index] as Side, from, to) >= LEAST_SEEN)
  );
}

function areOppositesAlike(corners: Corners): boolean {
  const { top, right, foot, left } = lengthsOf(corners);
  const far = (a: number, b: number) => Math.min(a, b) / Math.max(a, b);
  return far(top, foot) >= LEAST_FAR && far(left, right) >= LEAST_FAR;
}

const inset = (side: Side, direction: 1 | -1): Side =>
  side.isCut ? side : { ...side, start: side.start + direction * EDGE };
