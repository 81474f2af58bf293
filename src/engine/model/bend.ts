/**
 * The bend of the lines of a page that was photographed from the side or is not flat: for each point of a grid, how far it
 * stands below its level place, as a share of the page's height; row by row, from the top left.
 */
export type Bend = readonly number[];

/** Cells of the grid, each way; even, so that there is a middle column, from which lines are followed. */
export const GRID_CELLS = 32;

/** The shift at a point that is given in shares of the page. */
export function shiftAt(bend: Bend, x: number, y: number): number {
  const column = Math.min(GRID_CELLS, Math.max(0, x * GRID_CELLS));
  const row = Math.min(GRID_CELLS, Math.max(0, y * GRID_CELLS));
  const [left, top] = [Math.min(GRID_CELLS - 1, Math.floor(column)), Math.min(GRID_CELLS - 1, Math.floor(row))];
  const [fx, fy] = [column - left, row - top];
  const at = top * (GRID_CELLS + 1) + left;
  const upper = (bend[at] ?? 0) * (1 - fx) + (bend[at + 1] ?? 0) * fx;
  const lower = (bend[at + GRID_CELLS + 1] ?? 0) * (1 - fx) + (bend[at + GRID_CELLS + 2] ?? 0) * fx;
  return upper * (1 - fy) + lower * fy;
}

/** The bend as seen from another frame: `place` maps a point of that frame to the bend's, `scale` is how much larger a shift is there. */
export const reframeBend = (
  bend: Bend,
  place: (x: number, y: number) => readonly [x: number, y: number],
  scale: number,
): Bend =>
  bend.map((_, at) => {
    const [column, row] = [at % (GRID_CELLS + 1), Math.floor(at / (GRID_CELLS + 1))];
    return shiftAt(bend, ...place(column / GRID_CELLS, row / GRID_CELLS)) * scale;
  });
