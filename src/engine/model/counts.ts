/** Counts the items of each key, in the order of their first ones; `weightOf` tells how much an item counts. */
export function countBy<T, K>(
  items: Iterable<T>,
  keyOf: (item: T) => K,
  weightOf: (item: T) => number = () => 1,
): Map<K, number> {
  const counts = new Map<K, number>();
  for (const item of items) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) ?? 0) + weightOf(item));
  }
  return counts;
}

/** The first of the keys that count most; `none` where nothing counts. */
export const mostCounted = <K>(counts: ReadonlyMap<K, number>, none: K): K =>
  [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [none, 0])[0];
