/** The slope of the lines at one place of a page. */
export interface LocalSlope {
  /** Position: from -1 to 1, from left to right and from top to bottom. */
  u: number;
  v: number;
  /** Positive when the lines run down to the right. */
  slope: number;
  weight: number;
}

/** Usual error of a measured slope. One that is further off the others hardly counts. */
const USUAL_ERROR = 0.012;
const ROUNDS = 8;
/** Ridge term: keeps coefficients near 0 that few measurements determine. */
const STIFFNESS = 0.3;

/** Terms of a slope: the skew of the page, perspective, and the waves of paper that is not flat. */
const terms = (u: number, v: number): number[] => [1, v, u, u * v, v * v, u * u, u * u * u];

/** Fits a smooth field of slopes to most of the measured ones (least squares, reweighted in each round) and returns its coefficients. */
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

/** Solves linear equations in place (Gauss-Jordan), with the right side as the last column. The matrix is positive definite, so no rows are exchanged. */
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
