import type { Area } from '../../../model/geometry.js';
import type { PageCell, PageTable } from '../../../model/page.js';

/**
 * Returns the place of each cell: between the rules that are drawn around it, or else in the space that the words of
 * its rows and columns take, so that an empty cell has a place too.
 */
export function placeCells({ rows, columns, cells }: PageTable): (PageCell & { area: Area })[] {
  const xs = stretches(
    columns,
    cells,
    ({ column, columnSpan }) => [column, columnSpan],
    ({ x0, x1 }) => [x0, x1],
  );
  const ys = stretches(
    rows,
    cells,
    ({ row, rowSpan }) => [row, rowSpan],
    ({ y0, y1 }) => [y0, y1],
  );
  return cells.map((cell) => {
    const [x0, x1] = reach(xs, cell.column, cell.columnSpan);
    const [y0, y1] = reach(ys, cell.row, cell.rowSpan);
    return { ...cell, area: cell.area ?? { x0, y0, x1, y1 } };
  });
}

type Stretch = [from: number, to: number];

/** Returns the space that the words of each row or column take. When all cells of one span others too, it is the space of those cells. */
function stretches(
  count: number,
  cells: readonly PageCell[],
  placeOf: (cell: PageCell) => [index: number, span: number],
  extentOf: (area: Area) => Stretch,
): Stretch[] {
  const own: (Stretch | undefined)[] = Array.from({ length: count }, () => undefined);
  const shared = [...own];
  for (const cell of cells) {
    const [index, span] = placeOf(cell);
    const known = span === 1 ? own : shared;
    for (const area of cell.area === undefined ? cell.lines : [cell.area])
      known[index] = unite(known[index], extentOf(area));
  }
  const found = own.map((stretch, index) => stretch ?? shared[index]);
  // A row or column in which nothing begins has no width and stands where the one before it ends.
  return found.map((stretch, index) => {
    const [, end] = found.slice(0, index).findLast((before) => before !== undefined) ?? found.find(Boolean) ?? [0, 0];
    return stretch ?? [end, end];
  });
}

function unite(a: Stretch | undefined, b: Stretch): Stretch {
  return a === undefined ? b : [Math.min(a[0], b[0]), Math.max(a[1], b[1])];
}

function reach(all: readonly Stretch[], from: number, span: number): Stretch {
  return all.slice(from, from + span).reduce(unite, all[from] ?? [0, 0]);
}
