import type { SqlValues } from './unit.js';

/** A list of ids for a statement: SQL has no lists that both engines know, so the places that are left are filled up. */
export interface IdList {
  /** The list in parentheses, for `IN`. The text is the same for any number of ids. */
  sql: string;
  /** Cuts ids into parts that one statement takes. */
  partsOf(ids: readonly string[]): string[][];
  valuesOf(part: readonly string[]): SqlValues;
}

/** @param size ids that one statement takes at most */
export function createIdList(size: number): IdList {
  const places = Array.from({ length: size }, (_, place) => `id${place}`);
  return {
    sql: `(${places.map((place) => `:${place}`).join(', ')})`,
    partsOf: (ids) =>
      Array.from({ length: Math.ceil(ids.length / size) }, (_, part) => ids.slice(part * size, (part + 1) * size)),
    // No id is empty.
    valuesOf: (part) => Object.fromEntries(places.map((place, i) => [place, part[i] ?? ''])),
  };
}
