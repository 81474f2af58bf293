import { type Area, boundsOf, contains, sizeOfArea } from './geometry.js';
import { gatherAlike } from './groups.js';

/** Distance between the two sides of an outline, in points. */
export const REACH = 2;

/** Least width and height of a card, in points. */
const MIN_CARD_SIZE = 20;
/** Upper bound of the boxes on a page: more are a drawing or a form. */
const MAX_BOXES = 600;

/**
 * Finds rows of cards, large rows before those within a card: boxes that begin on one level, with a gap between each
 * two. Boxes that touch are cells. A border and its ground are one card.
 */
export function findCardRows(boxes: readonly Area[]): Area[][] {
  const large = boxes.filter(({ x0, y0, x1, y1 }) => Math.min(x1 - x0, y1 - y0) >= MIN_CARD_SIZE);
  if (large.length > MAX_BOXES) return [];
  const isLevel = (a: Area, b: Area) => Math.abs(a.y0 - b.y0) < REACH;
  const free = large
    .filter((box) => !boxes.some((other) => adjoins(box, other)))
    .sort((a, b) => sizeOfArea(b) - sizeOfArea(a));
  const cards = free.filter(
    (box, index) => index === free.findIndex((other) => isLevel(other, box) && contains(other, box, REACH)),
  );
  const rows = gatherAlike(cards, isLevel).filter(({ length }) => length > 1);
  return rows
    .map((row) => row.sort((a, b) => a.x0 - b.x0))
    .sort((a, b) => sizeOfArea(boundsOf(b)) - sizeOfArea(boundsOf(a)));
}

/** True when they touch and neither is within the other. */
export function adjoins(a: Area, b: Area): boolean {
  const apart = a.x0 > b.x1 + REACH || b.x0 > a.x1 + REACH || a.y0 > b.y1 + REACH || b.y0 > a.y1 + REACH;
  return !apart && !contains(a, b, REACH) && !contains(b, a, REACH);
}
