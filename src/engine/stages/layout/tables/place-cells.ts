import { type Area, extentOf, type Span } from '../../../model/geometry.js';
import type { PageCell, PageTable } from '../../../model/page.js';

/**
 * Returns the place of each cell: between the rules that are drawn around it, or else in the space that the words of
 * its rows and columns take, so that an empty cell has a place too.
 */
export function placeCells({ rows, columns, cells }: PageTable): (PageCell & { area: Area })[] {
  const widths = cells.map((cell) => ({ index: cell.column, span: cell.columnSpan, taken: takenBy(cell) }));
  const heights = cells.map((cell) => ({ index: cell.row, span: cell.rowSpan, taken: takenBy(cell).map(turn) }));
  const [xs, ys] = [stretchesOf(columns, widths), stretchesOf(rows, heights)];
  return cells.map((cell) => {
    const { x0, x1 } = extentOf(xs.slice(cell.column, cell.column + cell.columnSpan));
    const { x0: y0, x1: y1 } = extentOf(ys.slice(cell.row, cell.row + cell.rowSpan));
    return { ...cell, area: cell.area ?? { x0, y0, x1, y1 } };
  });
}

const takenBy = ({ area, lines }: PageCell): readonly Area[] => (area === undefined ? lines : [area]);

/** The stretch down the page. */
const turn = ({ y0, y1 }: Area): Span => ({ x0: y0, x1: y1 });

/** A cell along one side of the table: its first place there, how many it spans, and what its words take of that side. */
interface Place {
  index: number;
  span: number;
  taken: readonly Span[];
}

/** Returns the space that the words of each row or column take. When all cells of one span others too, it is the space of those cells. */
function stretchesOf(count: number, places: readonly Place[]): Span[] {
  const [own, shared] = [true, false].map((isOwn) => {
    const taken = Array.from({ length: count }, (): Span[] => []);
    for (const place of places) if ((place.span === 1) === isOwn) taken[place.index]?.push(...place.taken);
    return taken;
  }) as [Span[][], Span[][]];
  const found = own.map((taken, index) => [taken, shared[index] ?? []].find(({ length }) => length > 0));
  // A row or column in which nothing begins has no width and stands where the one before it ends.
  return found.map((taken, index) => {
    if (taken !== undefined) return extentOf(taken);
    const before = found.slice(0, index).findLast((other) => other !== undefined) ?? found.find(Boolean);
    const end = before === undefined ? 0 : extentOf(before).x1;
    return { x0: end, x1: end };
  });
}
