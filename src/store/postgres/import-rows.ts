import type { Row, RowReader } from '../sqlite/read-rows.js';
import { all, exists, one, run, type Unit } from '../unit.js';

/** Rows of one statement. A row with a result or a document may have many MiB, and goes alone. */
const ROWS_AT_ONCE = 50;
const LARGE_COLUMNS = ['body', 'bytes'];

/** True when the database has no organisation yet. */
export function* isEmpty(): Unit<boolean> {
  return !(yield* exists('SELECT 1 AS found FROM organisation LIMIT 1'));
}

/** Copies every row of another store into tables of the same version; returns how many by table. */
export function* importRows(reader: RowReader): Unit<Record<string, number>> {
  const counts: Record<string, number> = {};
  // The tables come with the usual plans, and perhaps with a name. Those of the other store replace them.
  for (const table of ['plan', 'store_identity']) yield* run(`DELETE FROM ${table}`);
  for (const { name, columns } of reader.tables) {
    const isLarge = columns.some((column) => LARGE_COLUMNS.includes(column));
    counts[name] = 0;
    for (const rows of reader.read(name, isLarge ? 1 : ROWS_AT_ONCE)) {
      yield* insert(name, columns, rows);
      counts[name] += rows.length;
    }
  }
  yield* moveSequences();
  return counts;
}

function* insert(table: string, columns: readonly string[], rows: readonly Row[]): Unit<void> {
  const placesOf = (row: number) => `(${columns.map((_, column) => `:v${row}_${column}`).join(', ')})`;
  const values = rows.flatMap((row, i) => columns.map((column, j) => [`v${i}_${j}`, row[column] ?? null] as const));
  yield* run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.map((_, i) => placesOf(i)).join(', ')}`,
    Object.fromEntries(values),
  );
}

/** Lets the numbers of new rows follow those that were copied. */
function* moveSequences(): Unit<void> {
  const identities = yield* all<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_identity = 'YES' AND identity_generation = 'BY DEFAULT'`,
  );
  for (const { table, column } of identities) {
    const newest = (yield* one<{ n: number | null }>(`SELECT max(${column}) AS n FROM ${table}`))?.n ?? null;
    if (newest !== null)
      yield* one('SELECT setval(pg_get_serial_sequence(:table, :column), :newest) AS moved', { table, column, newest });
  }
}
