import { chainFromLeft } from './chain.js';
import { MAX_GAP_PX, type Stroke } from './trace-runs.js';

/** Sides that are looked at; more strokes are a drawing. */
const MAX_SIDES = 1500;
/** Distance of the corner of a frame from the ends of its sides, by the long side. */
const MAX_CORNER_SHARE = 1 / 400;
/** Distance between frames that stand in a row, by the long side. */
const MAX_FRAME_GAP_SHARE = 1 / 180;

/**
 * Joins the level sides of frames that stand in a row, as browsers draw the cells of a table: each by itself, with paper between
 * them. Strokes without a corner at both ends, like bars of letters, stay as they are.
 */
export function joinSides(level: readonly Stroke[], upright: readonly Stroke[], long: number): Stroke[] {
  if (level.length > MAX_SIDES || upright.length > MAX_SIDES) return [...level];
  const corner = Math.max(MAX_GAP_PX, long * MAX_CORNER_SHARE);
  const middleOf = ({ first, last }: Stroke) => (first + last) / 2;
  const hasCorner = (along: number, across: number) =>
    upright.some(
      (side) =>
        Math.abs(middleOf(side) - along) <= corner && across >= side.from - corner && across <= side.to + corner,
    );
  const isSide = (stroke: Stroke) => [stroke.from, stroke.to].every((end) => hasCorner(end, middleOf(stroke)));
  const sides = level.filter(isSide).sort((a, b) => a.from - b.from);
  const rows = chainFromLeft(
    sides,
    (last, side) => side.from - last.to <= long * MAX_FRAME_GAP_SHARE,
    (last, side) => side.from >= last.to && Math.abs(middleOf(side) - middleOf(last)) <= MAX_GAP_PX,
  );
  const joined = rows.map((row) => ({
    from: Math.min(...row.map(({ from }) => from)),
    to: Math.max(...row.map(({ to }) => to)),
    first: Math.min(...row.map(({ first }) => first)),
    last: Math.max(...row.map(({ last }) => last)),
    area: row.reduce((sum, { area }) => sum + area, 0),
  }));
  return [...level.filter((stroke) => !sides.includes(stroke)), ...joined];
}
