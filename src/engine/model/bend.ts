/**
 * How the lines of a page are bent that was photographed from the side, or is not flat: how far below its level place each
 * point of a grid stands, as a share of the page's height; by rows, from the top left.
 */
export type Bend = readonly number[];

/** Of the grid, each way; even, so that there is a middle column, from which lines are followed. */
export const CELLS = 32;

/** The shift at a point, which is in shares of the page. */
export function shiftAt(bend: Bend, x: number, y: number): number {
  const column = Math.min(CELLS, Math.max(0, x * CELLS));
  const row = Math.min(CELLS, Math.max(0, y * CELLS));
  const [left, top] = [Math.min(CELLS - 1, Math.floor(column)), Math.min(CELLS - 1, Math.floor(row))];
  const [fx, fy] = [column - left, row - top];
  const at = top * (CELLS + 1) + left;
  const upper = (bend[at] ?? 0) * (1 - fx) + (bend[at + 1] ?? 0) * fx;
  const lower = (bend[at + CELLS + 1] ?? 0) * (1 - fx) + (bend[at + CELLS + 2] ?? 0) * fx;
  return upper * (1 - fy) + lower * fy;
}

/** The bend as it is seen from another frame: `place` says where a point of that frame lies in the bend's, `scale` how much larger a shift is there. */
export const reframeBend = (
  bend: Bend,
  place: (x: number, y: number) => readonly [x: number, y: number],
  scale: number,
): Bend =>
  bend.map((_, at) => {
    const [column, row] = [at % (CELLS + 1), Math.floor(at / (CELLS + 1))];
    return shiftAt(bend, ...place(column / CELLS, row / CELLS)) * scale;
  });
