import type { Point } from './points.js';

/** The six numbers of a transformation (ISO 32000-1, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];

/** Returns a function that maps a point by the matrix. */
export function mapBy([a, b, c, d, e, f]: Matrix): (x: number, y: number) => Point {
  return (x, y) => ({ x: a * x + c * y + e, y: b * x + d * y + f });
}

/** Composes two matrices: first `inner`, then `outer`. */
export function compose(inner: Matrix, outer: Matrix | undefined): Matrix {
  if (outer === undefined) return inner;
  const [a, b, c, d, e, f] = inner;
  const [A, B, C, D, E, F] = outer;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}
