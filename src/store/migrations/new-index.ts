/** An index of a table that is in use. */
export interface NewIndex {
  /** Begins with the name of the table. */
  name: string;
  table: string;
  /** Columns and condition. */
  columns: string;
}

/** Returns the migration that adds an index. PostgreSQL builds it beside the processes that use its table. */
export function newIndex(name: string, on: string): { sqlite: string; postgres: NewIndex } {
  const [table = '', ...columns] = on.split(' ');
  return { sqlite: `CREATE INDEX ${name} ON ${on};`, postgres: { name, table, columns: columns.join(' ') } };
}
