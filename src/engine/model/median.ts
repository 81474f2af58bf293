/** The value in the middle, the larger of the two where there is none; undefined without values. */
export function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/** The difference of the largest value and the smallest one. */
export const spreadOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

/** The value on both sides of which is half of the weight; 0 without values. */
export function weighedMedian(values: readonly (readonly [value: number, weight: number])[]): number {
  const sorted = [...values].sort(([a], [b]) => a - b);
  let left = sorted.reduce((sum, [, weight]) => sum + weight, 0) / 2;
  for (const [value, weight] of sorted) {
    left -= weight;
    if (left <= 0) return value;
  }
  return 0;
}
