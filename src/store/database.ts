import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { isNoSpace } from '../contract/system-reason.js';

export type SqlValue = string | number | Uint8Array | null;
export type Row = Record<string, SqlValue>;

/** Synchronous access to one SQLite file; every statement is prepared once. Never await between two calls of one transaction. */
export interface Database {
  exec(sql: string): void;
  /** Returns the number of rows that changed. */
  run(sql: string, ...values: SqlValue[]): number;
  get<T extends object = Row>(sql: string, ...values: SqlValue[]): T | undefined;
  all<T extends object = Row>(sql: string, ...values: SqlValue[]): T[];
  close(): void;
}

/**
 * Opens a database file, made when missing. `synchronous=FULL` is set because this build's default in WAL mode is NORMAL,
 * which may lose the last commits with the power (the write queue sees to that in its own way); `timeout: 0` because SQLite's own waiting blocks the event loop.
 */
export function openDatabase(path: string): Database {
  const connection = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = FULL');
  // What is deleted is overwritten, and the journal does not stay as large as it ever was.
  connection.exec('PRAGMA secure_delete = ON');
  connection.exec(`PRAGMA journal_size_limit = ${64 * 1024 * 1024}`);
  const statements = new Map<string, StatementSyncInstance>();
  const prepare = (sql: string) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  return {
    exec: (sql) => connection.exec(sql),
    run: (sql, ...values) => prepare(sql).run(...values).changes,
    get: (sql, ...values) => prepare(sql).get(...values),
    all: (sql, ...values) => prepare(sql).all(...values),
    close: () => {
      // Prepared statements are ended by the garbage collector only, and until then SQLite keeps its journal: everything
      // is moved into the database itself first.
      try {
        connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // That may want space that is not there; the journal holds everything all the same.
        if (classifySqliteError(error) !== 'full') throw error;
      } finally {
        statements.clear();
        connection.close();
      }
    },
  };
}

/** SQLite's primary result codes that callers tell apart (sqlite.org/rescode.html). */
const RESULT_CODES = {
  5: 'busy',
  6: 'busy',
  8: 'unwritable',
  10: 'io',
  11: 'corrupt',
  14: 'unwritable',
  26: 'corrupt',
} as const;

export type SqliteFailure = 'full' | (typeof RESULT_CODES)[keyof typeof RESULT_CODES];

/** What kind of failure an error of SQLite is; undefined for constraints, mistakes in SQL, and errors that are not SQLite's. */
export function classifySqliteError(error: unknown): SqliteFailure | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  if (typeof code !== 'number') return undefined;
  if (isNoSpace(error)) return 'full';
  return RESULT_CODES[(code & 0xff) as keyof typeof RESULT_CODES];
}
