/** The value in the middle, the larger of the two where there is none; undefined without values. */
export function median(values: readonly number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}
