import type { SqlValue, SqlValues } from './unit.js';

/** SQL whose parameters are places, with the names of their values in the order of the places. */
export interface PlacedSql {
  text: string;
  names: readonly string[];
}

/** Replaces each `:name` by what `place` returns for it. No statement of the store has a colon in a literal. */
export function placeParameters(sql: string, place: (name: string) => string): string {
  return sql.replace(/:([A-Za-z]\w*)/g, (_, name: string) => place(name));
}

/**
 * Returns the values in the order of their names, without the NULs of texts: PostgreSQL refuses them, and SQLite ends a text at
 * its first one. @throws Error for a parameter without a value
 */
export function pickValues(names: readonly string[], values: SqlValues): SqlValue[] {
  return names.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for the SQL parameter :${name}`);
    return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '') : value;
  });
}
