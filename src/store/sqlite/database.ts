import { DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';
import { isNoSpace } from '../../contract/system-reason.js';
import { type PlacedSql, pickValues, placeParameters } from '../parameters.js';
import type { SqlValue, SqlValues } from '../unit.js';

/** Synchronous access to one SQLite file; every statement is prepared once. Never await between two calls of one transaction. */
export interface Database {
  exec(sql: string): void;
  /** Returns the number of rows that changed. */
  run(sql: string, values?: SqlValues): number;
  get<T extends object = Record<string, SqlValue>>(sql: string, values?: SqlValues): T | undefined;
  all<T extends object = Record<string, SqlValue>>(sql: string, values?: SqlValues): T[];
  close(): void;
}

interface Prepared {
  statement: StatementSyncInstance;
  /** Names of the parameters, in the order of their places. */
  names: readonly string[];
}

/**
 * Opens a database file and creates it when it is missing. This build's default in WAL mode is `synchronous=NORMAL`, which may
 * lose the last commits in a power cut, so FULL is set (the write queue syncs in its own way). `timeout: 0`, because SQLite's
 * own waiting blocks the event loop.
 */
export function openDatabase(path: string): Database {
  const connection = new DatabaseSync(path, { timeout: 0, enableForeignKeyConstraints: true });
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec('PRAGMA synchronous = FULL');
  // Deleted rows are overwritten. The journal shrinks again after a large transaction.
  connection.exec('PRAGMA secure_delete = ON');
  connection.exec(`PRAGMA journal_size_limit = ${64 * 1024 * 1024}`);
  const prepared = new Map<string, Prepared>();
  const prepare = (sql: string): Prepared => {
    let known = prepared.get(sql);
    if (known === undefined) {
      const { text, names } = numberParameters(sql);
      known = { statement: connection.prepare(text), names };
      prepared.set(sql, known);
    }
    return known;
  };
  return {
    exec: (sql) => connection.exec(sql),
    run: (sql, values = {}) => {
      const { statement, names } = prepare(sql);
      return statement.run(...pickValues(names, values)).changes;
    },
    get: (sql, values = {}) => {
      const { statement, names } = prepare(sql);
      return statement.get(...pickValues(names, values));
    },
    all: (sql, values = {}) => {
      const { statement, names } = prepare(sql);
      return statement.all(...pickValues(names, values));
    },
    close: () => {
      // Only the garbage collector ends prepared statements, and SQLite keeps its journal until then: the checkpoint moves
      // everything into the database file first.
      try {
        connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // A full disk has no room for the checkpoint. Nothing is lost: the journal still holds everything.
        if (classifySqliteError(error) !== 'full') throw error;
      } finally {
        prepared.clear();
        connection.close();
      }
    },
  };
}

/** Row locks of PostgreSQL: SQLite has one writer at a time, so every row is locked. */
const ROW_LOCK = /\sFOR (?:SHARE|UPDATE|NO KEY UPDATE)(?: OF job)?(?: SKIP LOCKED)?\b/g;

/**
 * Replaces each `:name` by `?`, because the library binds named values at 2 µs each: the insert of 7 values took 24 µs instead
 * of 12.
 */
function numberParameters(sql: string): PlacedSql {
  const names: string[] = [];
  const text = placeParameters(sql.replace(ROW_LOCK, ''), (name) => {
    names.push(name);
    return '?';
  });
  return { text, names };
}

/** SQLite's primary result codes that callers distinguish (sqlite.org/rescode.html). */
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

/** Classifies an error of SQLite; undefined for constraints, mistakes in SQL, and errors of other origin. */
export function classifySqliteError(error: unknown): SqliteFailure | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  if (typeof code !== 'number') return undefined;
  if (isNoSpace(error)) return 'full';
  return RESULT_CODES[(code & 0xff) as keyof typeof RESULT_CODES];
}

/** SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC. */
const FAILED_SYNCS = [1034, 1290];

/**
 * True for an error after which nobody knows what is on disk: a failed sync, for lack of space too, and any other error of the
 * device. A write without room is undone, so its outcome is known.
 */
export function isDeviceFailure(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: unknown };
  return FAILED_SYNCS.some((code) => code === errcode) || classifySqliteError(error) === 'io';
}
