/** An index of a table that is in use. */
export interface NewIndex {
  name: string;
  /** Table, columns and condition. */
  on: string;
}

/** Returns the migration that adds an index. PostgreSQL builds it beside the processes that use its table. */
export function newIndex(name: string, on: string): { sqlite: string; postgres: NewIndex } {
  return { sqlite: `CREATE INDEX ${name} ON ${on};`, postgres: { name, on } };
}
