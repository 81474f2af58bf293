// Sizes that boxes to tick and rows of cells have in common.
/** Side of a cell for a letter, by the long side of the page: 3.3 to 10 mm on a sheet of A4. */
export const MIN_CELL_SHARE = 1 / 90;
export const MAX_CELL_SHARE = 1 / 30;
/** Height of the strokes between cells that are open at the top, by the width of a cell. */
export const MIN_TOOTH_SHARE = 0.25;
/** Thickness of a side, by its length, and in pixels: letters have thicker strokes. */
export const MAX_THICKNESS_SHARE = 0.2;
export const MIN_THICKNESS_PX = 4;
/** Distance of two ends that meet, by the side of a box, and at least. */
export const MEETING_SHARE = 0.15;
export const MEETING_PX = 3;
