/** How much the lines lean at one place of a page. */
export interface LocalSlope {
  /** Of the place: from -1 to 1, from left to right and from top to bottom. */
  u: number;
  v: number;
  /** Down to the right. */
  slope: number;
  weight: number;
}

/** A measured lean that is so far off the others is hardly believed. */
const USUAL_ERROR = 0.012;
const ROUNDS = 8;
/** Holds what few measurements say little of at 0. */
const STIFFNESS = 0.3;

/** What leans are made of: the turn of the page, perspective, and the waves of paper that is not flat. */
const terms = (u: number, v: number): number[] => [1, v, u, u * v, v * v, u * u, u * u * u];

/** The smooth field of leans that most of the measured ones agree with (least squares, weighed anew in each round), as coefficients. */
export function fitSlopes(slopes: readonly LocalSlope[]): number[] {
  const rows = slopes.map(({ u, v }) => terms(u, v));
  let weights = slopes.map(({ weight }) => weight);
  let coefficients: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const size = rows[0]?.length ?? 0;
    const matrix = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size + 1 }, (_, j) => {
        const products = rows.map(
          (row, at) => (weights[at] ?? 0) * (row[i] ?? 0) * (j < size ? (row[j] ?? 0) : (slopes[at]?.slope ?? 0)),
        );
        return products.reduce((a, b) => a + b, i === j ? STIFFNESS : 0);
      }),
    );
    coefficients = solve(matrix);
    weights = slopes.map(({ u, v, slope, weight }) => {
      const error = slope - slopeAt(coefficients, u, v);
      return weight / (1 + (error / USUAL_ERROR) ** 2);
    });
  }
  return coefficients;
}

export const slopeAt = (coefficients: readonly number[], u: number, v: number): number =>
  terms(u, v).reduce((sum, term, index) => sum + term * (coefficients[index] ?? 0), 0);

/** Linear equations, the right side as the last column, in place (Gauss and Jordan); their matrix is positive definite, so no rows are exchanged. */
function solve(matrix: number[][]): number[] {
  matrix.forEach((row, i) => {
    const pivot = row[i] ?? 1;
    row.forEach((value, j) => {
      row[j] = value / pivot;
    });
    for (const other of matrix) {
      const factor = other === row ? 0 : (other[i] ?? 0);
      other.forEach((value, j) => {
        other[j] = value - factor * (row[j] ?? 0);
      });
    }
  });
  return matrix.map((row) => row.at(-1) ?? 0);
}
