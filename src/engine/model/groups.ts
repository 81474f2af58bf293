/** Splits a list before each item that begins a group below or behind the one before it; `group` are the items since the last split. */
export function splitWhere<T>(
  items: readonly T[],
  begins: (item: T, before: T, group: readonly [T, ...T[]]) => boolean,
): [T, ...T[]][] {
  const groups: [T, ...T[]][] = [];
  for (const item of items) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    if (group === undefined || before === undefined || begins(item, before, group)) groups.push([item]);
    else group.push(item);
  }
  return groups;
}

/** The items before the first one that ends them; all where none does. */
export function takeUntil<T>(items: readonly T[], ends: (item: T, index: number) => boolean): T[] {
  const end = items.findIndex(ends);
  return end === -1 ? [...items] : items.slice(0, end);
}

/** Divides a list into the items for which this is true, and the others. */
export function divide<T>(items: readonly T[], isFirst: (item: T) => boolean): [first: T[], second: T[]] {
  const [first, second]: [T[], T[]] = [[], []];
  for (const item of items) (isFirst(item) ? first : second).push(item);
  return [first, second];
}

/** Gathers items that are like the first of a group, wherever they stand in the list. */
export function gatherAlike<T>(items: readonly T[], areAlike: (first: T, item: T) => boolean): [T, ...T[]][] {
  const groups: [T, ...T[]][] = [];
  for (const item of items) {
    const group = groups.find(([first]) => areAlike(first, item));
    if (group === undefined) groups.push([item]);
    else group.push(item);
  }
  return groups;
}

/** Sets of the numbers from 0 to `count` - 1, each number first in a set of its own. */
export function createSets(count: number) {
  const parent = Array.from({ length: count }, (_, index) => index);
  const find = (index: number): number => {
    let root = index;
    while (parent[root] !== root) root = parent[root] ?? root;
    parent[index] = root;
    return root;
  };
  return {
    /** The number that stands for the set. */
    find,
    unite(a: number, b: number): void {
      parent[find(a)] = find(b);
    },
  };
}
