import type { SqlValues } from './unit.js';

/** A list of ids for a statement: SQL has no lists that both engines know, so the places that are left are filled up. */
export interface IdList {
  /** Ids that one statement takes at most. Its text is the same for any number of them. */
  size: number;
  /** The list in parentheses, for `IN`. */
  sql: string;
  valuesOf(ids: readonly string[]): SqlValues;
}

export function createIdList(size: number): IdList {
  const places = Array.from({ length: size }, (_, place) => `id${place}`);
  return {
    size,
    sql: `(${places.map((place) => `:${place}`).join(', ')})`,
    // No id is empty.
    valuesOf: (ids) => Object.fromEntries(places.map((place, i) => [place, ids[i] ?? ''])),
  };
}
