import { append } from '../../../model/append.js';
import { type Area, boundsOf, grow, holdsMiddle } from '../../../model/geometry.js';
import { median } from '../../../model/median.js';
import type { Raster } from '../raster.js';
import {
  MAX_CELL_SHARE,
  MEETING_PX,
  MEETING_SHARE,
  MIN_CELL_SHARE,
  MIN_THICKNESS_PX,
  MIN_TOOTH_SHARE,
} from './frame-sizes.js';
import { inkedColumns } from './ink-in-area.js';
import type { Frame } from './square-frames.js';
import type { Stroke } from './trace-runs.js';

/** A row of cells, with the strokes around them. */
export interface Comb extends Area {
  /** Insides of the cells, from the left. Those of cells that are open at the top may be lower than their letters. */
  cells: Area[];
}

/** Height of the highest cell, by its width. */
const MAX_CELL_HEIGHT_SHARE = 2;
/** Inside of a cell by its height with the rule below: rows of letters that touch each other have none. */
const MIN_INSIDE_SHARE = 0.5;
/** Gap between two boxes that are cells of one row, by their side. */
const MAX_CELL_GAP_SHARE = 0.45;
/** Difference of the tops of strokes, by their length: a letter may touch one. */
const MAX_TOP_SHARE = 0.35;
/** Share of the columns of cells with ink right above their feet: letters stand there above an underline. */
const MAX_FOOT_SHARE = 0.06;
/** Difference of the widths of cells in a row, by the width. */
const MAX_PITCH_DIFFERENCE = 0.12;
/** Strokes of cells that stand on a part of a longer rule. Fewer have a rule of their own. */
const MIN_STROKES_ON_RULE = 5;
/** Distance from the foot of a stroke at which it has its own width: letters touch it further up. */
const FOOT_PX = 4;

/** Finds the cells between strokes that stand on a rule at one distance from each other. */
export function findCombs(
  raster: Raster,
  dark: number,
  level: readonly Stroke[],
  upright: readonly Stroke[],
  long: number,
): Comb[] {
  const [least, most] = [long * MIN_CELL_SHARE, long * MAX_CELL_SHARE];
  const combs: Comb[] = [];
  const byFoot = new Map<number, Stroke[]>();
  for (const stroke of upright) append(byFoot, stroke.to, stroke);
  const reach = MEETING_PX + MIN_THICKNESS_PX;
  for (const base of level) {
    if (base.to - base.from < 2 * least) continue;
    const [top, bottom] = [base.first - MEETING_PX, base.last + 1 + MEETING_PX];
    const standing = Array.from({ length: bottom - top + 1 }, (_, index) => byFoot.get(top + index) ?? [])
      .flat()
      .filter(({ first, last }) => first >= base.from - reach && last <= base.to + reach)
      .map((stroke) => ({ ...stroke, ...footOf(raster, stroke, dark) }))
      .sort((a, b) => a.first - b.first);
    for (const row of rowsOf(standing, least, most)) {
      const comb = combOf(raster, dark, row, base, level);
      if (comb !== undefined && !combs.some((other) => holdsMiddle(other, comb) || holdsMiddle(comb, other)))
        combs.push(comb);
    }
  }
  return combs;
}

function footOf(raster: Raster, { first, last, to }: Stroke, dark: number): Pick<Stroke, 'first' | 'last'> {
  const columns = inkedColumns(raster, { x0: first, x1: last + 1, y0: to - FOOT_PX - 1, y1: to - FOOT_PX }, dark);
  return { first: columns[0] ?? first, last: columns.at(-1) ?? last };
}

const middleOf = ({ first, last }: Stroke): number => (first + last + 1) / 2;

/** Groups upright strokes of one height at one distance. Where two rows of cells touch, two strokes stand for one. */
function rowsOf(strokes: readonly Stroke[], least: number, most: number): Stroke[][] {
  const rows: Stroke[][] = [];
  for (const stroke of strokes) {
    const isOfHeight = ({ from, to }: Stroke) =>
      Math.abs(stroke.from - from) <= Math.max(MEETING_PX, (to - from) * MAX_TOP_SHARE);
    const stepFrom = (end: Stroke) => middleOf(stroke) - middleOf(end);
    const row = rows.find((known) => {
      const [before, end] = [known.at(-2), known.at(-1)];
      if (end === undefined || !isOfHeight(end)) return false;
      const step = stepFrom(end);
      if (step < least / 2) return true;
      const pitch = before === undefined ? step : middleOf(end) - middleOf(before);
      return step >= least && step <= most && Math.abs(step - pitch) <= pitch * MAX_PITCH_DIFFERENCE + 2;
    });
    const end = row?.at(-1);
    if (row === undefined || end === undefined) rows.push([stroke]);
    else if (stepFrom(end) < least / 2) row.splice(-1, 1, { ...end, last: Math.max(end.last, stroke.last) });
    else row.push(stroke);
  }
  return rows.filter((row) => row.length > 2);
}

/** The cells between the strokes of a row; undefined for a part of a table. */
function combOf(
  raster: Raster,
  dark: number,
  row: readonly Stroke[],
  base: Stroke,
  level: readonly Stroke[],
): Comb | undefined {
  const [first, end] = [row[0], row.at(-1)];
  if (first === undefined || end === undefined) return undefined;
  const pitch = (middleOf(end) - middleOf(first)) / (row.length - 1);
  const top = median(row.map(({ from }) => from)) ?? base.first;
  const height = base.last + 1 - top;
  if (height < pitch * MIN_TOOTH_SHARE || height > pitch * MAX_CELL_HEIGHT_SHARE) return undefined;
  if (base.first - top < height * MIN_INSIDE_SHARE) return undefined;
  const bounds = { x0: first.first, x1: end.last + 1, y0: top, y1: base.last + 1 };
  const isOwn = base.from >= bounds.x0 - pitch * MEETING_SHARE && base.to <= bounds.x1 + pitch * MEETING_SHARE;
  if (!isOwn && row.length < MIN_STROKES_ON_RULE) return undefined;
  const isAcross = ({ from, to, first, last }: Stroke) =>
    Math.min(to, bounds.x1) - Math.max(from, bounds.x0) > pitch * 1.5 &&
    first > top + MIN_THICKNESS_PX * 2 &&
    last < base.first - MIN_THICKNESS_PX * 2;
  if (level.some(isAcross)) return undefined;
  const cells = row.slice(1).map((right, index) => ({
    x0: (row[index]?.last ?? 0) + 1,
    x1: right.first,
    y0: top,
    y1: base.first,
  }));
  const columns = cells.flatMap(({ x0, x1, y1 }) =>
    inkedColumns(raster, { x0: x0 + 2, x1: x1 - 2, y0: y1 - FOOT_PX, y1: y1 - 1 }, dark),
  );
  return columns.length > (bounds.x1 - bounds.x0) * MAX_FOOT_SHARE ? undefined : { ...bounds, cells };
}

const widthOf = ({ x0, x1 }: Area): number => x1 - x0;
const heightOf = ({ y0, y1 }: Area): number => y1 - y0;

/** Joins boxes that stand beside each other to rows of cells. */
export function joinBoxes(boxes: readonly Frame[]): Comb[] {
  const rows: Frame[][] = [];
  for (const box of [...boxes].sort((a, b) => a.x0 - b.x0)) {
    const row = rows.find((known) => {
      const end = known.at(-1);
      if (end === undefined) return false;
      const near = heightOf(box) * MEETING_SHARE;
      const gap = box.x0 - end.x1;
      return (
        gap < widthOf(box) * MAX_CELL_GAP_SHARE &&
        gap > -near &&
        Math.abs(box.y0 - end.y0) <= near &&
        Math.abs(box.y1 - end.y1) <= near &&
        Math.abs(widthOf(box) - widthOf(end)) <= near
      );
    });
    if (row === undefined) rows.push([box]);
    else row.push(box);
  }
  return rows
    .filter((row) => row.length > 1)
    .map((row) => ({ ...boundsOf(row), cells: row.map((box) => grow(box, -box.thickness)) }));
}
