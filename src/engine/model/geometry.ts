/** A rectangle of the displayed page, in points from its top left. */
export interface Area {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}
