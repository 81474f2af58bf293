import type { SqlValue } from '../unit.js';
import { openDatabase } from './database.js';

export type Row = Record<string, SqlValue>;

/** The rows of a store's tables, in the order in which the tables refer to each other. */
export interface RowReader {
  /** Tables with their columns. A table comes after those that it refers to. */
  tables: ReadonlyArray<{ name: string; columns: readonly string[] }>;
  /** Reads rows in the order of their insertion, `atOnce` at a time. */
  read(table: string, atOnce: number): Generator<Row[]>;
  close(): void;
}

/** Tables that are the store's own affair, not its users' data. */
const NO_DATA = /^(?:sqlite_|schema_migration$|setting$)/;

/** Opens the store at `path`, which nobody else writes meanwhile. */
export function openRowReader(path: string): RowReader {
  const db = openDatabase(path);
  // Tables are created after those that they refer to.
  const names = db.all<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid`);
  const tables = names
    .filter(({ name }) => !NO_DATA.test(name))
    .map(({ name }) => ({
      name,
      columns: db.all<{ name: string }>(`SELECT name FROM pragma_table_info('${name}')`).map((column) => column.name),
    }));
  return {
    tables,
    read: function* (table, atOnce) {
      const sql = `SELECT rowid AS place, * FROM ${table} WHERE rowid > :after ORDER BY rowid LIMIT :atOnce`;
      for (let after = -1; ; ) {
        const rows = db.all<Row & { place: number }>(sql, { after, atOnce });
        if (rows.length === 0) return;
        yield rows;
        after = rows.at(-1)?.place ?? after;
      }
    },
    close: () => db.close(),
  };
}
