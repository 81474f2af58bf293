/** Sums over boxes of a picture, each in constant time. */
export interface BoxSums {
  /** Returns the sum of the pixels within `reach` of a pixel. */
  sumAround(x: number, y: number, reach: number): number;
  /** Returns the mean of the pixels within `reach` of a pixel. */
  meanAround(x: number, y: number, reach: number): number;
}

/** Adds up a picture of values (a summed-area table). */
export function sumsOf(width: number, height: number, valueAt: (at: number) => number): BoxSums {
  const step = width + 1;
  const sums = new Float64Array(step * (height + 1));
  for (let y = 0; y < height; y++) {
    let row = 0;
    for (let x = 0; x < width; x++) {
      row += valueAt(y * width + x);
      sums[(y + 1) * step + x + 1] = (sums[y * step + x + 1] ?? 0) + row;
    }
  }
  const boxAround = (x: number, y: number, reach: number) => ({
    x0: Math.max(0, x - reach),
    y0: Math.max(0, y - reach),
    x1: Math.min(width, x + reach + 1),
    y1: Math.min(height, y + reach + 1),
  });
  const at = (x: number, y: number) => sums[y * step + x] ?? 0;
  const sumAround = (x: number, y: number, reach: number) => {
    const { x0, y0, x1, y1 } = boxAround(x, y, reach);
    return at(x1, y1) - at(x1, y0) - at(x0, y1) + at(x0, y0);
  };
  return {
    sumAround,
    meanAround: (x, y, reach) => {
      const { x0, y0, x1, y1 } = boxAround(x, y, reach);
      return sumAround(x, y, reach) / ((x1 - x0) * (y1 - y0));
    },
  };
}
