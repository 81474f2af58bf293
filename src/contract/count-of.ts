/** Returns a number with its noun: `1 page`, `3 pages`. */
export function countOf(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
