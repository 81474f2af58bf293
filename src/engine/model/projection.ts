export type Point = readonly [x: number, y: number];

/** The corners of a sheet, from the top left, clockwise. */
export type Corners = readonly [Point, Point, Point, Point];

/** A point of a sheet, in shares of it from the top left → the point of the picture where it is seen. */
export type Projection = (u: number, v: number) => Point;

/** The place of a sheet in a picture. */
export interface SeenSheet {
  corners: Corners;
  /** How far the middles of its left, top, right and lower side are off the lines between the corners: to the right, down, to the right, down. */
  bows: readonly [left: number, top: number, right: number, foot: number];
}

/** Projects a sheet that may be bowed: between its sides it bows as these do (Coons, 1967). */
export function projectionOnto({ corners, bows: [left, top, right, foot] }: SeenSheet): Projection {
  const flat = projectionOfFlat(corners);
  return (u, v) => {
    const [x, y] = flat(u, v);
    const [across, down] = [4 * v * (1 - v), 4 * u * (1 - u)];
    return [x + across * (left * (1 - u) + right * u), y + down * (top * (1 - v) + foot * v)];
  };
}

/** Projects a flat sheet onto its corners (Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989). */
function projectionOfFlat([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]: Corners): Projection {
  const [sumX, sumY] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const [rightX, rightY, footX, footY] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const area = rightX * footY - footX * rightY;
  const across = (sumX * footY - footX * sumY) / area;
  const down = (rightX * sumY - sumX * rightY) / area;
  return (u, v) => {
    const depth = across * u + down * v + 1;
    return [
      ((x1 - x0 + across * x1) * u + (x3 - x0 + down * x3) * v + x0) / depth,
      ((y1 - y0 + across * y1) * u + (y3 - y0 + down * y3) * v + y0) / depth,
    ];
  };
}

/** Scales the place of a sheet by a factor. */
export function scaleSeen(
  { corners, bows: [left, top, right, foot] }: SeenSheet,
  across: number,
  down: number,
): SeenSheet {
  return {
    corners: corners.map(([x, y]): Point => [x * across, y * down]) as unknown as Corners,
    bows: [left * across, top * down, right * across, foot * down],
  };
}

export const distance = ([x0, y0]: Point, [x1, y1]: Point): number => Math.hypot(x1 - x0, y1 - y0);

/** Lengths of the sides of a sheet. */
export function lengthsOf([topLeft, topRight, footRight, footLeft]: Corners) {
  return {
    left: distance(topLeft, footLeft),
    top: distance(topLeft, topRight),
    right: distance(topRight, footRight),
    foot: distance(footLeft, footRight),
  };
}

/** Area by the shoelace formula; negative when the corners run counter-clockwise. */
export const areaOf = (corners: Corners): number =>
  corners.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % 4] ?? [0, 0];
    return sum + (x * nextY - nextX * y) / 2;
  }, 0);
